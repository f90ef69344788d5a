"""Faults: crashes and races on SQLite. The simulation makes sure that such checks find a service that is broken."""

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
