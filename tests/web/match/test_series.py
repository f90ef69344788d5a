"""Matches of several games: the seats are swapped after each, the points add up, and a decided series begins anew."""

from typing import Any

import pytest

from tests.support.service.harness import Player, RunningServer

Pair = tuple[Player, Player]


def next_game(server: RunningServer, *players: Player) -> list[Player]:
    """Let the players ask for the next game; return them with their new seats."""
    seated = [player.post("rematch").json() for player in players]
    return [Player(server, new["id"], new["seat"], new["token"]) for new in seated]


def standing(player: Player) -> tuple[int, list[float], bool]:
    """Return the number of the game, the points by seat, and whether the series is decided."""
    series: dict[str, Any] = player.view()["series"]
    return series["game"], [series["points"][seat] for seat in ("first", "second")], series["decided"]


def test_a_best_of_two_swaps_the_seats_and_ends_after_two_games(server: RunningServer) -> None:
    ada, bo = server.new_pair("charge", name="Ada", best_of=2)
    assert standing(ada) == (1, [0, 0], False)
    bo.act("resign")
    assert standing(ada) == (1, [1, 0], False)
    ada, bo = next_game(server, ada, bo)
    assert (ada.seat, bo.seat) == ("second", "first")
    assert standing(ada) == (2, [0, 1], False)
    ada.act("resign")
    assert standing(ada) == (2, [1, 1], True)
    again = next_game(server, ada, bo)
    assert [player.seat for player in again] == ["first", "second"]
    assert standing(again[0]) == (1, [0, 0], False)
    assert again[0].view()["series"]["best_of"] == 2


@pytest.mark.parametrize(
    ("series", "after"),
    [({"best_of": 4}, (1, [0, 0], False)), ({}, (4, [0, 3], False))],  # points of single games add up
)
def test_a_series_is_over_once_nobody_can_catch_up(
    server: RunningServer, series: dict[str, int], after: tuple[int, list[float], bool]
) -> None:
    ada, bo = server.new_pair("charge", **series)
    for number, points in ((1, [0, 0]), (2, [0, 1]), (3, [2, 0])):
        assert standing(ada) == (number, points, False)
        bo.act("resign")
        assert standing(ada)[2] is (number == 3 or not series)
        ada, bo = next_game(server, ada, bo)
    assert standing(ada) == after


def test_a_draw_is_half_a_point_for_each(server: RunningServer) -> None:
    options = {"deadlock": "draw"}
    one, two = server.new_pair("crystal-capture", options=options, best_of=2)
    for ply, move in enumerate(["1", "5", "6", "9", "7"]):
        assert (one, two)[ply % 2].play(ply, move).status_code == 200
    assert standing(one) == (1, [0.5, 0.5], False)


def test_a_series_against_an_agent_needs_one_request_for_the_next_game(server: RunningServer) -> None:
    player = server.new_match("charge", "random", best_of=2, time_limit=60, public=True)
    player.act("resign")
    (again,) = next_game(server, player)
    view = again.view()
    assert (view["series"]["game"], view["status"], view["public"]) == (2, "playing", True)
    assert view["clocks"]["limit"] == 60
    assert view["series"]["points"] == {"first": 1, "second": 0}
    again.until(1)  # the agent has the first seat now


def test_a_retry_of_the_next_game_gets_the_same_game_and_counts_once(server: RunningServer) -> None:
    ada, bo = server.new_pair("charge", best_of=2)
    bo.act("resign")
    first, retry = next_game(server, ada), next_game(server, ada)
    assert first == retry
    assert next_game(server, bo)[0].match == first[0].match
    assert standing(first[0]) == (2, [0, 1], False)


@pytest.mark.parametrize("games", [0, 3, 5, 8, -2, True, "2", 2.5, None])
def test_no_other_number_of_games_is_accepted(server: RunningServer, games: Any) -> None:
    answer = server.http.post("/api/matches", json={"game": "charge", "opponent": "friend", "best_of": games})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
