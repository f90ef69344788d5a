"""Clocks run on the server: time runs out without a request, and nobody is charged for time the server was down."""

import time
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import hear_until, next_view
from tests.web.conftest import Start

UNRECORDED = 2.5  # seconds of uptime that a crash may lose: the uptime is recorded once a second
SKEW = 0.3  # seconds by which the clocks of two processes may differ
LATE = 15  # seconds by which a busy machine may be late with an announcement
LIMIT = 60


def clocks(player: Player) -> dict[str, Any]:
    found: dict[str, Any] = player.view()["clocks"]
    return found


def test_a_player_whose_time_is_up_loses_without_a_request(server: RunningServer) -> None:
    created = time.monotonic()
    first, second = server.new_pair(time_limit=4)
    with first.live() as one, second.live(watching=True) as two:
        versions = {next_view(live)["version"] for live in (one, two)}
        for live in (one, two):
            (message,) = hear_until(live, lambda heard: bool(heard))
            view = message["match"]
            assert (view["status"], view["reason"], view["outcome"]) == ("over", "time", "second")
            assert view["clocks"]["left"] is None
            assert {message["version"] - 1} == versions
    assert 4 - SKEW < time.monotonic() - created < 4 + LATE


def test_a_move_after_the_time_is_up_is_refused(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=0.2)
    time.sleep(0.2 + SKEW)
    answer = first.play(0, "9")
    assert (answer.status_code, answer.json()["code"]) == (409, "over")
    assert first.view()["moves"] == []


def test_the_time_left_goes_down_and_the_next_player_has_all_of_it(server: RunningServer) -> None:
    created = time.monotonic()
    first, _ = server.new_pair(time_limit=LIMIT)
    before = clocks(first)["left"]
    time.sleep(0.6)
    left = clocks(first)["left"]
    assert LIMIT - (time.monotonic() - created) - SKEW <= left <= before - 0.6 + SKEW
    played = first.play(0, "9").json()["clocks"]
    assert played["left"] == LIMIT
    assert 0.6 - SKEW <= played["used"]["first"] <= time.monotonic() - created + SKEW
    assert played["used"]["second"] == 0


def test_the_time_that_a_player_uses_adds_up(server: RunningServer) -> None:
    first, second = server.new_pair(time_limit=LIMIT)
    used = []
    for ply, player in enumerate((first, second, first)):
        time.sleep(0.6)
        used.append(player.play(ply, str(ply + 1)).json()["clocks"]["used"])
    assert used[2]["second"] == used[1]["second"] >= 0.6 - SKEW
    assert used[2]["first"] - used[0]["first"] >= 0.6 - SKEW
    assert used[0]["first"] >= 0.6 - SKEW


def test_an_agents_time_is_counted_too(server: RunningServer) -> None:
    player = server.new_match("charge", "random", seat="second", time_limit=LIMIT)
    player.until(1)
    used = clocks(player)["used"]
    assert 0 < used["first"] < LIMIT
    assert used["second"] == 0


def test_no_clock_runs_before_the_start_or_after_the_end_or_without_a_limit(server: RunningServer) -> None:
    waiting = server.new_match(time_limit=0.3)
    time.sleep(0.5)
    assert waiting.view()["status"] == "waiting"
    assert clocks(waiting) == {"limit": 0.3, "left": None, "stopped": 0, "used": {"first": 0, "second": 0}}
    first, _ = server.new_pair(time_limit=LIMIT)
    first.post("resign")
    time.sleep(0.5)
    assert (clocks(first)["left"], first.view()["reason"]) == (None, "resignation")
    assert server.new_match().view()["clocks"] is None


@dataclass
class Restart:
    """A server that was killed after 5 seconds of play and was down for 6."""

    long: Player  # with a limit of 60 seconds
    long_view: dict[str, Any]  # after the restart
    short: Player  # with a limit of 10 seconds
    short_view: dict[str, Any]
    max_uptime: float  # seconds from before the matches were created until after the views, without the down time


@pytest.fixture(scope="module")
def restarted(own_server: RunningServer) -> Restart:
    created = time.monotonic()
    long, short = (own_server.new_pair(time_limit=limit)[0] for limit in (LIMIT, 10))
    time.sleep(5)
    own_server.kill()
    time.sleep(6)
    own_server.start()
    short_view, long_view = short.view(), long.view()
    return Restart(long, long_view, short, short_view, time.monotonic() - created - 6)


def test_down_time_is_not_charged_but_the_time_before_is(restarted: Restart) -> None:
    left = restarted.long_view["clocks"]["left"]
    assert LIMIT - restarted.max_uptime - SKEW < left < LIMIT - 5 + UNRECORDED
    played = restarted.long.play(0, "9").json()
    assert played["clocks"]["used"]["first"] > 5 - UNRECORDED


def test_a_player_with_time_left_when_the_server_went_down_has_it_afterwards_and_no_more(restarted: Restart) -> None:
    view = restarted.short_view
    assert (view["status"], view["ply"]) == ("playing", 0)
    with restarted.short.live(watching=True) as live:
        ended = hear_until(live, lambda heard: bool(heard) and heard[-1]["match"]["status"] == "over")
    assert ended[-1]["match"]["reason"] == "time"


def test_the_turn_in_which_the_time_ran_out_counts_as_used(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=0.2)
    assert first.until_over()["clocks"] == {
        "limit": 0.2,
        "left": None,
        "stopped": 0,
        "used": {"first": 0.2, "second": 0},
    }


def test_a_late_message_shows_the_time_that_is_left_by_then(start: Start) -> None:
    here, there = start(), start()  # with one store, and without Redis
    first, second = here.new_pair(time_limit=LIMIT)
    with replace(second, server=there).live() as live:
        next_view(live)
        moved = time.monotonic()
        first.play(0, "9")
        (message,) = hear_until(live, lambda heard: bool(heard))
        late = time.monotonic() - moved
    left = message["match"]["clocks"]["left"]
    assert left < LIMIT
    assert left < LIMIT - late / 4 + SKEW  # a part of the delay may lie between sending and reading


def test_an_agent_that_waits_for_other_agents_loses_no_time(start: Start) -> None:
    server = start(think_seconds=2, rollout_limit=1_000_000)
    crowd = [server.new_match("charge", "mcts:1000000", seat="second") for _ in range(3)]
    player = server.new_match("charge", "search:1", seat="second", time_limit=5)
    view = player.until(1)
    assert (view["status"], view["ply"]) == ("playing", 1)
    assert 0 < view["clocks"]["used"]["first"] <= 5
    assert [one.until(1)["reason"] for one in crowd] == ["time"] * 3
