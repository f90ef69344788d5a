"""Clocks run on the server: nobody has to ask for time to be up, and nobody pays for time the server was down."""

import time
from dataclasses import replace
from typing import Any

import pytest

from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import hear_until, next_view
from tests.web.conftest import Start

SLACK = 2.5  # seconds: the uptime is noted once a second, and a busy machine is late
SKEW = 0.3  # seconds by which two processes may differ there: one hears from the other what time it is


def clocks(player: Player) -> dict[str, Any]:
    found: dict[str, Any] = player.view()["clocks"]
    return found


def test_whose_time_is_up_has_lost_without_anybody_asking(server: RunningServer) -> None:
    first, second = server.new_pair(time_limit=1)
    with first.live() as one, second.live(watching=True) as two:
        opened = time.monotonic()
        versions = {next_view(live)["version"] for live in (one, two)}
        for live in (one, two):
            (message,) = hear_until(live, lambda heard: bool(heard))
            view = message["match"]
            assert (view["status"], view["reason"], view["outcome"]) == ("over", "time", "second")
            assert view["clocks"]["left"] is None
            assert {message["version"] - 1} == versions
        assert 0.5 < time.monotonic() - opened < 1 + 1 + SLACK  # looked for once a second


def test_a_move_comes_too_late_once_the_time_is_up(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=0.2)
    time.sleep(0.2 + SKEW)
    answer = first.play(0, "9")
    assert (answer.status_code, answer.json()["code"]) == (409, "over")
    assert first.view()["moves"] == []


def test_the_time_left_goes_down_and_is_whole_again_for_the_next_player(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=60)
    before = clocks(first)["left"]
    time.sleep(0.6)
    assert 59 - SLACK < clocks(first)["left"] <= before - 0.6 + SKEW
    played = first.play(0, "9").json()["clocks"]
    assert played["left"] == 60
    assert 0.6 - SKEW <= played["used"]["first"] < 1 + SLACK
    assert played["used"]["second"] == 0


def test_what_a_player_has_used_adds_up(server: RunningServer) -> None:
    first, second = server.new_pair(time_limit=60)
    used = []
    for ply, player in enumerate((first, second, first)):
        time.sleep(0.6)
        used.append(player.play(ply, str(ply + 1)).json()["clocks"]["used"])
    assert used[2]["second"] == used[1]["second"] >= 0.6 - SKEW
    assert used[2]["first"] - used[0]["first"] >= 0.6 - SKEW
    assert used[0]["first"] >= 0.6 - SKEW


def test_a_computers_time_is_counted_too(server: RunningServer) -> None:
    player = server.new_match("charge", "random", seat="second", time_limit=60)
    player.until(1)
    used = clocks(player)["used"]
    assert 0 < used["first"] < 60
    assert used["second"] == 0


def test_no_clock_runs_before_the_start_or_after_the_end_or_without_a_limit(server: RunningServer) -> None:
    one = server.new_match(time_limit=0.3)
    time.sleep(0.5)
    assert clocks(one) == {"limit": 0.3, "left": None, "used": {"first": 0, "second": 0}}
    one.friend().post("resign")
    time.sleep(0.5)
    assert (clocks(one)["left"], one.view()["reason"]) == (None, "resignation")
    assert server.new_match().view()["clocks"] is None


@pytest.fixture(scope="module")
def restarted(own_server: RunningServer) -> dict[str, tuple[Player, dict[str, Any]]]:
    """Answer players whose server was killed 3 seconds into their turns and was down for 4, with the views after it."""
    slow, quick = (own_server.new_pair(time_limit=limit)[0] for limit in (60, 5))
    time.sleep(3)
    own_server.kill()
    time.sleep(4)
    own_server.start()
    return {"slow": (slow, slow.view()), "quick": (quick, quick.view())}


def test_down_time_is_not_charged_but_the_time_before_is(restarted: dict[str, tuple[Player, dict[str, Any]]]) -> None:
    player, view = restarted["slow"]
    assert 57 - SLACK < view["clocks"]["left"] < 57 + SLACK
    played = player.play(0, "9").json()
    assert 3 - SLACK < played["clocks"]["used"]["first"] < 3 + SLACK


def test_who_had_time_when_the_server_went_down_has_it_afterwards_and_no_more(
    restarted: dict[str, tuple[Player, dict[str, Any]]],
) -> None:
    player, view = restarted["quick"]
    assert (view["status"], view["ply"]) == ("playing", 0)
    with player.live(watching=True) as live:
        ended = hear_until(live, lambda heard: bool(heard) and heard[-1]["match"]["status"] == "over")
    assert ended[-1]["match"]["reason"] == "time"


def test_the_turn_that_ran_out_counts_as_used(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=0.2)
    assert first.until_over()["clocks"] == {"limit": 0.2, "left": None, "used": {"first": 0.2, "second": 0}}


def test_who_is_told_late_is_told_the_time_that_is_left_by_then(start: Start) -> None:
    here, there = start(), start()  # on one store, and without Redis
    first, second = here.new_pair(time_limit=60)
    with replace(second, server=there).live() as live:
        next_view(live)
        moved = time.monotonic()
        first.play(0, "9")
        (message,) = hear_until(live, lambda heard: bool(heard))
        late = time.monotonic() - moved
    assert message["match"]["clocks"]["left"] < 60 - late / 2  # it took a while to be sent, and then to be read


def test_a_computer_that_waits_for_others_to_be_done_loses_no_time(start: Start) -> None:
    server = start(think_seconds=2)
    crowd = [server.new_match("charge", "mcts:1000000", seat="second") for _ in range(3)]
    player = server.new_match("charge", "search:1", seat="second", time_limit=1)
    view = player.until(1, seconds=60)
    assert (view["status"], view["ply"]) == ("playing", 1)
    assert 0 < view["clocks"]["used"]["first"] <= 1
    assert [one.until(1)["reason"] for one in crowd] == ["time"] * 3
