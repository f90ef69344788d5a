"""Faults: crashes, races and lost servers; and for each check a break of the service that it finds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from duelbook.web.store.schema import upgrade
from tests.service.backends import Postgres, Redis
from tests.service.faults import (
    check_down_time,
    check_full_disk,
    check_kills,
    check_pending_turns,
    check_races,
    check_restarts,
    check_retries,
    check_watchers,
)
from tests.service.harness import Serving

SEED = 20261115


def sqlite(folder: Path, broken: str | None = None, **settings: Any) -> Serving:
    """Answer a server on an SQLite file of its own, with something broken if so asked."""
    program = ("tests.service.broken", broken, "serve") if broken else ("duelbook", "serve")
    return Serving(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", **settings}, program).start()


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Serving]:
    server = sqlite(tmp_path)
    yield server
    server.stop()


def test_a_server_that_is_killed_thirty_times_loses_no_acknowledged_move(one: Serving) -> None:
    ledger = check_kills(one, SEED, kills=30)
    assert ledger.retried


def test_the_check_of_kills_finds_an_acknowledgement_before_the_commit(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "acknowledge-before-commit")
    with pytest.raises(AssertionError):
        check_kills(broken, SEED, kills=10)
    broken.kill()


def test_a_move_that_is_sent_again_and_again_is_played_once(one: Serving) -> None:
    other = beside(one)
    for number in range(5):
        check_retries([one, other], SEED + number, moves=9)
    other.stop()


def test_the_check_of_retries_finds_a_service_that_does_not_know_one(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "forget-answers")
    with pytest.raises(AssertionError, match="ply-played"):
        check_retries([broken], SEED, moves=9)
    broken.kill()


def test_of_two_thousand_racing_moves_one_a_ply_is_accepted(one: Serving) -> None:
    check_races([one], SEED, requests=2000)


def beside(server: Serving) -> Serving:
    """Answer another process on the same database."""
    folder = server.folder / "beside"
    folder.mkdir()
    return Serving(folder, server.settings, server.program).start()


def test_two_processes_that_serve_the_same_matches_accept_one_move_a_ply(one: Serving) -> None:
    other = beside(one)
    check_races([one, other], SEED, requests=1000)
    other.stop()


def test_the_check_of_races_finds_a_store_that_refuses_no_second_writer(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "no-unique-key")
    other = beside(broken)
    with pytest.raises(AssertionError, match="accepted for ply"):
        check_races([broken, other], SEED, requests=2000)
    broken.kill()
    other.kill()


def test_a_computers_turn_that_a_crash_interrupts_is_taken_once_after_the_restart(one: Serving) -> None:
    check_pending_turns(one, SEED, matches=5)


def test_the_check_of_computers_turns_finds_a_service_that_forgets_them(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "forget-computers")
    with pytest.raises(AssertionError):
        check_pending_turns(broken, SEED, matches=5)
    broken.kill()


def test_down_time_is_charged_to_nobody(one: Serving) -> None:
    check_down_time(one, SEED)


def test_the_check_of_down_time_finds_clocks_that_go_by_the_time_of_day(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "charge-down-time")
    with pytest.raises(AssertionError, match="over"):
        check_down_time(broken, SEED)
    broken.kill()


def test_a_full_disk_is_refused_clearly_and_loses_nothing(tmp_path: Path) -> None:
    server = sqlite(tmp_path, sqlite_megabytes=1)
    check_full_disk(server, SEED)
    server.stop()


def test_the_check_of_a_full_disk_finds_a_service_that_swallows_errors(tmp_path: Path) -> None:
    broken = sqlite(tmp_path, "swallow-errors", sqlite_megabytes=1)
    with pytest.raises((AssertionError, httpx.HTTPError)):
        check_full_disk(broken, SEED)
    broken.kill()


class Machines:
    """Two processes on one PostgreSQL and one Redis, as on two machines."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis, broken: str | None = None) -> None:
        url = postgres.new_database()
        upgrade(url)
        program = ("tests.service.broken", broken, "serve") if broken else ("duelbook", "serve")
        self.servers = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            settings = {"database_url": url, "redis_url": redis.url}
            self.servers.append(Serving(folder / name, settings, program).start())

    def stop(self) -> None:
        for server in self.servers:
            server.kill()


@pytest.fixture
def two(tmp_path: Path, postgres: Postgres, redis_server: Redis) -> Iterator[list[Serving]]:
    machines = Machines(tmp_path, postgres, redis_server)
    yield machines.servers
    machines.stop()


def test_two_machines_accept_one_move_a_ply(two: list[Serving]) -> None:
    check_races(two, SEED, requests=1000)


def test_a_restart_of_postgresql_under_play_loses_no_acknowledged_move(two: list[Serving], postgres: Postgres) -> None:
    ledger = check_restarts(two, postgres.restart, SEED, times=4)
    assert ledger.moves


def test_the_check_of_restarts_finds_a_service_that_swallows_errors(
    tmp_path: Path, postgres: Postgres, redis_server: Redis
) -> None:
    machines = Machines(tmp_path, postgres, redis_server, "swallow-errors")
    with pytest.raises(AssertionError):
        check_restarts(machines.servers, postgres.restart, SEED, times=20)
    machines.stop()


def test_while_redis_is_down_moves_are_acknowledged_without_delay_and_refusal(
    two: list[Serving], redis_server: Redis
) -> None:
    ledger = check_restarts(two, redis_server.restart, SEED, times=4)
    assert not ledger.refused


def test_the_check_of_redis_finds_a_service_that_waits_for_it(
    tmp_path: Path, postgres: Postgres, redis_server: Redis
) -> None:
    machines = Machines(tmp_path, postgres, redis_server, "wait-for-redis")
    with pytest.raises(AssertionError):
        check_restarts(machines.servers, redis_server.restart, SEED, times=10)
    machines.stop()


def test_watchers_on_another_process_catch_up_when_redis_is_back(two: list[Serving], redis_server: Redis) -> None:
    check_watchers(two, redis_server.stop, redis_server.start_again, SEED)


def test_the_check_of_watchers_finds_a_service_that_never_looks_again(
    tmp_path: Path, postgres: Postgres, redis_server: Redis
) -> None:
    machines = Machines(tmp_path, postgres, redis_server, "never-resync")
    with pytest.raises(AssertionError, match="not told"):
        check_watchers(machines.servers, redis_server.stop, redis_server.start_again, SEED)
    machines.stop()
