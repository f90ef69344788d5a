"""What is played in a tournament, and the manifest that says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from duelbook import RefusedError, __version__
from duelbook.arena.manifest import load_manifest, read_manifest, write_manifest
from duelbook.arena.plan import Tournament, read_agents, read_entries

PLAN = Tournament(read_entries(["alpha-chase,charge:goal=21"]), ("random", "greedy", "perfect"), pairs=4, seed=7)


def test_every_two_agents_play_every_opening_from_both_seats() -> None:
    fixtures = [PLAN.fixture(number) for number in range(PLAN.total)]
    assert PLAN.total == 2 * 3 * 4 * 2
    met = {(fixture.entry, fixture.pair, fixture.agents, fixture.first) for fixture in fixtures}
    assert met == {(e, p, m, f) for e in (0, 1) for p in range(4) for m in ((0, 1), (0, 2), (1, 2)) for f in (0, 1)}
    for fixture in fixtures:
        assert fixture.game == PLAN.fixture(fixture.number ^ 1).game, "both seats have the same opening"
        same = [other.game for other in fixtures if (other.entry, other.pair) == (fixture.entry, fixture.pair)]
        assert same == [fixture.game] * 6, "and all agents"
    assert len({fixture.game for fixture in fixtures if fixture.entry == 0}) > 1, "openings differ"


def test_every_game_has_a_seed_of_its_own_that_follows_from_that_of_the_tournament() -> None:
    seeds = {PLAN.seed_of(number) for number in range(PLAN.total)}
    assert len(seeds) == PLAN.total
    other = Tournament(PLAN.entries, PLAN.agents, pairs=4, seed=8)
    assert not seeds & {other.seed_of(number) for number in range(other.total)}
    assert PLAN.seed_of(0) == 2_818_437_072_594_250_503, "and stays what it was"


def test_games_are_listed_with_their_options() -> None:
    entries = read_entries(["charge:goal=21:refresh=empty-hand,alpha-chase:words=PLANT,GHOST", "flag-chase"])
    assert [entry.label for entry in entries] == ["charge:goal=21:refresh=empty-hand", "alpha-chase", "flag-chase"]
    assert [entry.drawn for entry in entries] == [False, False, False]
    assert [entry.drawn for entry in read_entries(["alpha-chase"])] == [True]
    assert len(read_entries(["all"])) == 5


def test_a_manifest_is_all_that_is_needed() -> None:
    assert read_manifest(write_manifest(PLAN).encode()) == PLAN
    limited = Tournament(read_entries(["all"]), ("club", "mcts:5"), pairs=1, seed=0, ply_limit=9)
    assert read_manifest(write_manifest(limited).encode()) == limited


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"duelbook": "9.9"}, f"made by Duelbook 9.9, and this is {__version__}"),
        ({"format": "x"}, "not a manifest of this Duelbook"),
        ({"pairs": 0}, "pairs: must be a whole number from 1 to 1000000"),
        ({"pairs": True}, "pairs: must be"),
        ({"seed": -1}, "seed: must be"),
        ({"ply_limit": 0}, "ply_limit: must be"),
        ({"agents": ["random"]}, "a tournament needs at least two agents"),
        ({"agents": ["random", "random"]}, "agent 'random' is given twice"),
        ({"agents": ["random", 1]}, "agents: must be a list of texts"),
        ({"games": []}, "games: must be a list of at least one"),
        ({"games": [1]}, "games: each must be an object"),
        ({"extra": 1}, "extra: not as this Duelbook writes it"),
    ],
)
def test_a_manifest_that_does_not_lead_to_the_same_games_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(json.loads(write_manifest(PLAN)) | change))
    with pytest.raises(RefusedError) as refusal:
        load_manifest(file)
    assert str(refusal.value).startswith(f"{file}: {message}")


def test_a_manifest_of_other_rules_is_refused() -> None:
    document = json.loads(write_manifest(PLAN))
    document["games"][1]["rules"] = "0" * 16
    with pytest.raises(RefusedError, match="the rules of charge here are not those"):
        read_manifest(json.dumps(document).encode())


def test_a_manifest_that_is_none_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"[]", b"{", b"\xff"):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(RefusedError):
            load_manifest(tmp_path / "x")
    with pytest.raises(RefusedError, match="No such file"):
        load_manifest(tmp_path / "y")


def test_agents_are_cleaned_and_all_different() -> None:
    assert read_agents([" random", "search:4"]) == ("random", "search:4")
