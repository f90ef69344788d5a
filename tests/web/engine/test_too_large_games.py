"""A game that is too large to be solved is served: the levels search, hints and reviews are estimates that say so."""

import pytest

from tests.support.service.asking import new, refused
from tests.support.service.harness import RunningServer
from tests.web.conftest import Start


@pytest.fixture(scope="module")
def served(serve: Start) -> RunningServer:
    program = ("duelbook", "serve", "--solve-megabytes", "20")
    return serve(program, "tests.support.games.drop_four:DropFour", solve_megabytes=500)


@pytest.mark.parametrize("level", ["beginner", "medium"])
def test_a_level_plays_and_its_name_says_that_it_searches(served: RunningServer, level: str) -> None:
    player = served.new_match("drop-four", level)
    assert player.view()["names"]["second"] == f"{level} (search)"
    assert player.play(0, "column 4").status_code == 200
    assert player.until(2)["status"] == "playing"


def test_the_flag_prevails_over_the_environment(served: RunningServer) -> None:
    path = "/api/solve/charge?option=goal=60&option=charge_cards=9&option=block_cards=3"  # many million states
    while (answer := served.http.get(path)).status_code == 202:
        assert answer.json()["budget_bytes"] in (0, 20_000_000)
    assert answer.status_code == 422


def test_a_hint_is_an_estimate_and_says_so(served: RunningServer) -> None:
    advice = served.http.get("/api/hint/drop-four").json()
    assert advice["exact"] is False
    assert advice["hint"]["why"].startswith("An estimate, since this game is not solved: ")
    advice = served.http.get("/api/hint/crystal-capture").json()
    assert advice["exact"] is True
    assert advice["hint"]["why"].startswith("Brings you to 6 points and wins in 3 of your moves. It threatens ")


def test_there_are_no_values_no_puzzles_and_no_perfect_opponent(served: RunningServer) -> None:
    for path in ("solve", "puzzles"):
        problem = refused(served.http.get(f"/api/{path}/drop-four"), 422, "invalid")
        assert problem["detail"].startswith("This game is too large to be solved, so it")
    problem = refused(new(served, game="drop-four", opponent="perfect"), 422, "invalid")
    assert problem["detail"].endswith("Play against expert or mcts, or with smaller options.")
