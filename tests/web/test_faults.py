"""Faults: crashes, races and a full disk; each check also finds a deliberate break of the service."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.service.faults import (
    check_down_time,
    check_full_disk,
    check_kills,
    check_origins,
    check_pending_turns,
    check_races,
    check_retries,
)
from tests.support.service.harness import RunningServer
from tests.support.service.stock import Stock, multiply_matches
from tests.web.conftest import Start

SEED = 20261115


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that these tests share. A test that kills it starts it again."""
    folder = tmp_path_factory.mktemp("one")
    server = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}).start()
    yield server
    server.kill()


def test_a_server_that_is_killed_six_times_loses_no_acknowledged_move(one: RunningServer) -> None:
    ledger = check_kills(one, SEED, kills=6)
    assert ledger.retried


def test_the_check_of_kills_finds_an_acknowledgement_before_the_commit(start: Start) -> None:
    broken = start("acknowledge-before-commit")
    with pytest.raises(AssertionError):
        check_kills(broken, SEED, kills=10)


def test_a_move_that_is_sent_several_times_is_played_once(start: Start) -> None:
    servers = [start(), start()]
    for number in range(3):
        check_retries(servers, SEED + number, moves=9)


def test_the_check_of_retries_finds_a_service_that_does_not_recognize_them(start: Start) -> None:
    broken = start("forget-answers")
    with pytest.raises(AssertionError, match="ply-played"):
        check_retries([broken], SEED, moves=9)


def test_of_eight_hundred_racing_moves_one_per_ply_is_accepted(one: RunningServer) -> None:
    check_races([one], SEED, requests=800)


def test_two_processes_that_serve_the_same_matches_accept_one_move_per_ply(start: Start) -> None:
    check_races([start(), start()], SEED, requests=300)


def test_the_check_of_races_finds_a_store_that_accepts_a_second_writer(start: Start) -> None:
    broken = [start("no-unique-key"), start("no-unique-key")]
    with pytest.raises(AssertionError, match="accepted for ply"):
        check_races(broken, SEED, requests=2000)


def test_an_agents_turn_that_a_crash_interrupts_is_taken_once_after_the_restart(one: RunningServer) -> None:
    check_pending_turns(one, SEED, matches=3)


def test_the_check_of_agents_turns_finds_a_service_that_forgets_them(start: Start) -> None:
    broken = start("forget-agents")
    with pytest.raises(AssertionError):
        check_pending_turns(broken, SEED, matches=1, patience=4)


def test_down_time_is_not_charged_to_a_player(one: RunningServer) -> None:
    check_down_time(one, SEED)


def test_the_check_of_down_time_finds_clocks_that_count_it(start: Start) -> None:
    broken = start("charge-down-time")
    with pytest.raises(AssertionError, match="over"):
        check_down_time(broken, SEED)


@pytest.fixture
def nearly_full(tmp_path: Path, stock: Stock) -> dict[str, Any]:
    """Settings of a store whose megabyte is nearly full."""
    file = tmp_path / "nearly full.sqlite"
    shutil.copy(stock.file, file)
    multiply_matches(file, 75)  # about 237 of 256 pages; the same matches differ by a few pages
    return {"database_url": f"sqlite:///{file}", "sqlite_megabytes": 1}


def test_a_full_disk_is_reported_clearly_and_loses_nothing(start: Start, nearly_full: dict[str, Any]) -> None:
    check_full_disk(start(**nearly_full), SEED)


def test_the_check_of_a_full_disk_finds_a_service_that_swallows_errors(
    start: Start, nearly_full: dict[str, Any]
) -> None:
    broken = start("swallow-errors", **nearly_full)
    with pytest.raises((AssertionError, httpx.HTTPError)):
        check_full_disk(broken, SEED)


def test_pages_of_other_sites_change_nothing_and_open_no_socket(one: RunningServer) -> None:
    check_origins(one, SEED)


def test_the_check_of_origins_finds_a_service_that_ignores_them(start: Start) -> None:
    broken = start("any-origin")
    with pytest.raises(AssertionError):
        check_origins(broken, SEED)
