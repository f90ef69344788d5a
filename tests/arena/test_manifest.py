"""Manifests: a plan as a document, which is refused if it could not be played again exactly."""

import json
from pathlib import Path
from typing import Any

import pytest

from duelbook import RefusedError, __version__
from duelbook.arena import TournamentPlan, load_manifest, plan_evaluation, plan_tournament
from duelbook.arena.manifest import read_manifest, write_manifest
from duelbook.arena.plan import MatchPlan

PLAN = plan_tournament(["alpha-chase,charge:goal=21"], ["random", "greedy", "perfect"], pairs=4, seed=7)


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
    with pytest.raises(RefusedError, match=r"does not say how replies are read \(reading\), so an older version"):
        read_manifest(json.dumps(document).encode())
    with pytest.raises(RefusedError, match="reading must be strict or tolerant, not 'lenient'"):
        plan_evaluation("llm:small-model", reading="lenient")


PROGRAM_SETTINGS = {
    "DUELBOOK_PROCESS_SECONDS": 10.0,
    "DUELBOOK_PROCESS_MATCH_SECONDS": 0.0,
    "DUELBOOK_PROCESS_START_SECONDS": 10.0,
}
WITH_PROGRAMS = (
    plan_evaluation("process:cat", ["charge"]),
    plan_evaluation("greedy", ["charge"], ["random", "process:cat"]),
    plan_tournament(["charge"], ["process:cat", "random"]),
)


@pytest.mark.parametrize("plan", WITH_PROGRAMS)
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


@pytest.mark.parametrize("plan", WITH_PROGRAMS)
def test_a_manifest_with_programs_but_without_their_times_is_refused(plan: MatchPlan) -> None:
    document = json.loads(write_manifest(plan))
    del document["settings"]
    with pytest.raises(RefusedError, match="Its settings lack DUELBOOK_PROCESS_SECONDS, so an older version of "):
        read_manifest(json.dumps(document).encode())


def test_a_manifest_without_programs_has_no_settings_whatever_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_evaluation("greedy", ["charge"])
    text = write_manifest(plan)
    assert "settings" not in json.loads(text)
    monkeypatch.setenv("DUELBOOK_PROCESS_SECONDS", "3")
    assert read_manifest(text.encode()) == plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 4}, "This version of Duelbook cannot read 'duelbook-tournament' version 4."),
        ({"duelbook": "9.9"}, f"The manifest was written by Duelbook 9.9, but this is {__version__}."),
        ({"format": "x"}, "This version of Duelbook cannot read 'x' version 3."),
        ({"pairs": 0}, "pairs must be from 1 to 1000000, not 0."),
        ({"pairs": True}, "pairs must be a whole number, not true or false."),
        ({"seed": -1}, "seed must be from 0 to"),
        ({"ply_limit": 0}, "ply_limit must be from 1 to"),
        ({"agents": ["random"]}, "A tournament needs at least two agents"),
        ({"agents": ["random", "random"]}, "Agent 'random' is given twice."),
        ({"agents": ["random", 1]}, "agents[1] must be text, not a whole number."),
        ({"games": []}, "games must be a list of at least 1"),
        ({"games": [1]}, "games[0] must be an object, not a whole number."),
        ({"extra": 1}, "'extra' is not a known field."),
    ],
)
def test_a_manifest_that_does_not_give_the_same_matches_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(json.loads(write_manifest(PLAN)) | change))
    with pytest.raises(RefusedError) as refusal:
        load_manifest(file, TournamentPlan)
    assert str(refusal.value).startswith(f"{file}: {message}")


def test_a_manifest_of_other_rules_is_refused() -> None:
    document = json.loads(write_manifest(PLAN))
    document["games"][1]["rules"] = "0" * 16
    with pytest.raises(RefusedError, match="The rules of charge changed since"):
        read_manifest(json.dumps(document).encode())


def test_a_file_that_is_not_a_manifest_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"[]", b"{", b"\xff"):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(RefusedError):
            load_manifest(tmp_path / "x", TournamentPlan)
    with pytest.raises(RefusedError, match="No such file"):
        load_manifest(tmp_path / "y", TournamentPlan)


def test_a_manifest_of_an_evaluation_is_not_one_of_a_tournament(tmp_path: Path) -> None:
    file = tmp_path / "evaluation.json"
    file.write_text(write_manifest(plan_evaluation("greedy")))
    with pytest.raises(RefusedError, match="This is the manifest of an evaluation, not of a tournament"):
        load_manifest(file, TournamentPlan)
