"""`duelbook match`: a series of matches between two agents."""

import json

from duelbook import GAMES
from duelbook.arena import play_series
from tests.arena.conftest import Call
from tests.support.keyboard import run


def test_a_series_is_a_document_without_files() -> None:
    document = play_series("charge:goal=9", ("greedy", "random"), 5, seed=2)
    assert (document["game"], document["matches"]) == ("charge:goal=9", 5)
    again = play_series("charge:goal=9", ("greedy", "random"), 5, seed=2)
    assert document | {"seconds_per_move": 0} == again | {"seconds_per_move": 0}


def test_match_shows_how_the_first_agent_did(call: Call) -> None:
    said = call("match", "--p1", "perfect", "--p2", "random", "--matches", "11", "--games", "charge", "--json")
    [document] = json.loads(said.out)
    assert (
        document["matches"] == document["wins"] + document["draws"] + document["losses"] + document["ply_limit"] == 11
    )
    assert (document["as_first"]["matches"], document["as_second"]["matches"]) == (6, 5)
    assert document["as_first"]["wins"] == 6, "the first player wins Charge"
    assert document["interval"][0] < document["score"] <= document["interval"][1]


def test_match_counts_forfeits_as_losses_and_shows_them_apart(call: Call) -> None:
    said = call("match", "--p1", "broken", "--p2", "late", "--matches", "4", "--games", "flag-chase")
    assert "won 2, drawn 0, lost 2" in said.out
    assert "time per move: broken -, late -\n" in said.out, "neither of them made any"
    assert "  broken forfeited: 2 error; the first time: RuntimeError: " in said.out
    assert "  late forfeited: 2 timeout; the first time: " in said.out


def test_match_takes_games_as_a_tournament_does() -> None:
    agents = ("--p1", "random", "--p2", "greedy", "--json")
    for words in (
        ["--games", "charge:goal=9,flag-chase", "--matches", "2"],
        ["--games", "charge:goal=9", "--game", "flag-chase", "--matches", "2"],
    ):
        documents = json.loads(run(["match", *agents, *words]).stdout)
        assert [(found["game"], found["matches"]) for found in documents] == [("charge:goal=9", 2), ("flag-chase", 2)]
    [document] = json.loads(run(["match", *agents, "--game", "charge", "--option", "goal=9", "--matches", "1"]).stdout)
    assert (document["game"], document["matches"]) == ("charge:goal=9", 1)


def test_match_without_a_game_plays_each() -> None:
    done = run(["match", "--p1", "random", "--p2", "random", "--matches", "2"])
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line[0] != " "] == [*GAMES]
    assert (done.stderr, done.returncode) == ("", 0)
