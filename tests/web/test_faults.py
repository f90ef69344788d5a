"""Faults: crashes and races on SQLite; each check also finds a deliberate break of the service.

The simulation finds the same breaks in many schedules, so real processes show them only in the long run.
"""

from collections.abc import Callable, Sequence

import pytest

from tests.support.service.faults import (
    check_down_time,
    check_kills,
    check_pending_turns,
    check_races,
    check_retries,
)
from tests.support.service.harness import RunningServer
from tests.web.conftest import Start

SEED = 20261115
BREAKS: dict[
    str, tuple[str | None, Callable[[Sequence[RunningServer]], object]]
] = {  # what the check says, and the check
    "acknowledge-before-commit": (None, lambda servers: check_kills(servers[0], SEED, kills=10)),
    "forget-answers": ("ply-played", lambda servers: check_retries(servers[:1], SEED, moves=9)),
    "no-unique-key": ("accepted for ply", lambda servers: check_races(servers, SEED, requests=2000)),
    "forget-agents": ("did not reach", lambda servers: check_pending_turns(servers[0], SEED, matches=1, patience=4)),
    "charge-down-time": ("was down", lambda servers: check_down_time(servers[0])),
}


@pytest.fixture(scope="module")
def one(serve: Start) -> RunningServer:
    """A server that these tests share. A test that kills it starts it again."""
    return serve()


@pytest.mark.parametrize("kills", [2, pytest.param(6, marks=pytest.mark.long)])
def test_a_server_that_is_killed_again_and_again_loses_no_acknowledged_move(one: RunningServer, kills: int) -> None:
    ledger = check_kills(one, SEED, kills)
    assert ledger.retried


@pytest.mark.parametrize("requests", [200, pytest.param(800, marks=pytest.mark.long)])
def test_two_processes_that_serve_the_same_matches_accept_one_move_per_ply_and_play_a_retry_once(
    start: Start, requests: int
) -> None:
    servers = [start(), start()]
    check_races(servers, SEED, requests)
    check_retries(servers, SEED, moves=9)


def test_after_a_crash_agents_turns_are_taken_once_and_down_time_is_not_charged(one: RunningServer) -> None:
    check_pending_turns(one, SEED, matches=3)
    check_down_time(one)


@pytest.mark.long(short="test_a_server_that_is_killed_again_and_again_loses_no_acknowledged_move")
@pytest.mark.parametrize("name", BREAKS)
def test_the_checks_find_a_service_that_is_broken(start: Start, name: str) -> None:
    said, check = BREAKS[name]
    servers = [start(name), start(name)]
    with pytest.raises(AssertionError, match=said):
        check(servers)
