"""Manifests: a plan as a document, which is refused if it could not be played again exactly."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from duelbook import RefusedError, __version__
from duelbook.arena import TournamentPlan, load_manifest, plan_evaluation, plan_tournament
from duelbook.arena.manifest import read_manifest, write_manifest
from duelbook.arena.plan import MatchPlan

PLAN = plan_tournament(["alpha-chase,charge:goal=21"], ["random", "greedy", "perfect"], pairs=4, seed=7)


DOCUMENT: dict[str, Any] = json.loads(write_manifest(PLAN))
GAMES = DOCUMENT["games"]


def test_a_manifest_holds_the_whole_plan() -> None:
    assert read_manifest(write_manifest(PLAN).encode()) == PLAN
    limited = plan_tournament(["all"], ["medium", "mcts:5"], pairs=1, ply_limit=9)
    assert read_manifest(write_manifest(limited).encode()) == limited
    evaluation = plan_evaluation("greedy", attempts=2, show_legal=False, body={"temperature": 0})
    assert read_manifest(write_manifest(evaluation).encode()) == evaluation


def test_the_reading_is_in_an_evaluation_of_models_and_only_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_LLM_BASE_URL", "http://localhost:8080/v1")
    assert "reading" not in write_manifest(plan_evaluation("greedy", reading="strict"))
    plan = plan_evaluation("greedy", opponents=["llm:small-model"], reading="strict", system_role=False)
    document = json.loads(write_manifest(plan))
    assert (document["reading"], document["tools"], document["system_role"]) == ("strict", False, False)
    assert read_manifest(json.dumps(document).encode()) == plan
    del document["reading"]
    with pytest.raises(RefusedError, match=r"does not say how replies are read \(reading\)\.$"):
        read_manifest(json.dumps(document).encode())
    with pytest.raises(RefusedError, match="reading must be strict or tolerant, not 'lenient'"):
        plan_evaluation("llm:small-model", reading="lenient")


PROGRAM_SETTINGS = {
    "DUELBOOK_PROCESS_SECONDS": 10.0,
    "DUELBOOK_PROCESS_MATCH_SECONDS": 0.0,
    "DUELBOOK_PROCESS_START_SECONDS": 10.0,
}


@pytest.mark.parametrize(
    "plan",
    [
        plan_evaluation("process:cat", ["charge"]),
        plan_evaluation("greedy", ["charge"], ["random", "process:cat"]),
        plan_tournament(["charge"], ["process:cat", "random"]),
    ],
)
@pytest.mark.parametrize("name", PROGRAM_SETTINGS)
def test_the_times_of_programs_are_in_a_manifest_and_others_are_refused(
    monkeypatch: pytest.MonkeyPatch, plan: MatchPlan, name: str
) -> None:
    text = write_manifest(plan)
    assert json.loads(text)["settings"] == PROGRAM_SETTINGS
    assert read_manifest(text.encode()) == plan
    monkeypatch.setenv(name, "3")
    with pytest.raises(RefusedError) as refusal:
        read_manifest(text.encode())
    assert str(refusal.value) == f"The manifest was written with {name}={PROGRAM_SETTINGS[name]}, but it is now 3.0."
    assert read_manifest(text.encode(), to_play=False) == plan


def test_a_manifest_without_programs_has_no_settings_whatever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_evaluation("greedy", ["charge"])
    text = write_manifest(plan)
    assert "settings" not in json.loads(text)
    monkeypatch.setenv("DUELBOOK_PROCESS_SECONDS", "3")
    assert read_manifest(text.encode()) == plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "This version of Duelbook cannot read 'duelbook-tournament' version 2."),
        ({"duelbook": "9.9"}, f"The manifest was written by Duelbook 9.9, but this is {__version__}."),
        ({"format": "x"}, "This version of Duelbook cannot read 'x' version 1."),
        ({"pairs": 0}, "pairs must be from 1 to 1000000, not 0."),
        ({"pairs": True}, "pairs must be a whole number, not true or false."),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"ply_limit": 0}, "ply_limit must be from 1 to"),
        ({"agents": ["random"]}, "A tournament needs at least two agents"),
        ({"agents": ["random", "random"]}, "Agent 'random' is given twice."),
        ({"agents": ["random", 1]}, "agents[1] must be text, not a whole number."),
        ({"games": []}, "games must be a list of at least 1"),
        ({"games": [1]}, "games[0] must be an object, not a whole number."),
        ({"games": [*GAMES[:1], GAMES[1] | {"rules": "0" * 16}]}, "The rules of charge changed since"),
        ({"exact": [True]}, "exact must have one value for each of the 2 games."),
        ({"extra": 1}, "'extra' is not a known field."),
    ],
)
def test_a_manifest_that_does_not_give_the_same_matches_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(DOCUMENT | change))
    with pytest.raises(RefusedError) as refusal:
        load_manifest(file, TournamentPlan)
    assert str(refusal.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize("agent", ["process:cat", "llm:small-model"])
@pytest.mark.parametrize("change", [None, [], {}, {"more": 1}, "left out"], ids=repr)
def test_settings_that_are_not_those_of_the_agents_are_refused(
    monkeypatch: pytest.MonkeyPatch, agent: str, change: object
) -> None:
    monkeypatch.setenv("DUELBOOK_LLM_BASE_URL", "http://localhost:8080/v1")
    document = json.loads(write_manifest(plan_tournament(["charge"], [agent, "random"])))
    if change == "left out":
        del document["settings"]
    elif change == {"more": 1}:
        document["settings"] |= {"more": 1}
    else:
        document["settings"] = change
    with pytest.raises(RefusedError, match="ettings ") as refusal:
        read_manifest(json.dumps(document).encode())
    if change in ({}, "left out"):
        assert re.search(r"settings lack DUELBOOK_\w+\.$", str(refusal.value))


def test_a_file_that_is_not_a_manifest_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"[]", b"{", b"\xff"):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(RefusedError):
            load_manifest(tmp_path / "x", TournamentPlan)
    with pytest.raises(RefusedError, match="No such file"):
        load_manifest(tmp_path / "y", TournamentPlan)
    (tmp_path / "z").write_text(write_manifest(plan_evaluation("greedy")))
    with pytest.raises(RefusedError, match="This is the manifest of an evaluation, not of a tournament"):
        load_manifest(tmp_path / "z", TournamentPlan)
