"""Faults: crashes, races and lost servers; and for each check a break of the service that it finds."""

import time
from collections.abc import Callable, Iterator
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


Start = Callable[..., Serving]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Answer a way to start servers, with something broken if so asked; all of them end with the test."""
    servers: list[Serving] = []

    def run(broken: str | None = None, **settings: Any) -> Serving:
        folder = tmp_path / f"server {len(servers)}"
        folder.mkdir()
        program = ("tests.service.broken", broken, "serve") if broken else ("duelbook", "serve")
        where = {"database_url": f"sqlite:///{tmp_path / 'matches.sqlite'}"}
        servers.append(Serving(folder, where | settings, program))
        return servers[-1].start()

    yield run
    for server in servers:
        server.kill()


@pytest.fixture
def one(start: Start) -> Serving:
    return start()


def test_a_server_that_is_killed_thirty_times_loses_no_acknowledged_move(one: Serving) -> None:
    ledger = check_kills(one, SEED, kills=30)
    assert ledger.retried


def test_the_check_of_kills_finds_an_acknowledgement_before_the_commit(start: Start) -> None:
    broken = start("acknowledge-before-commit")
    with pytest.raises(AssertionError):
        check_kills(broken, SEED, kills=10)


def test_a_move_that_is_sent_again_and_again_is_played_once(start: Start) -> None:
    servers = [start(), start()]
    for number in range(5):
        check_retries(servers, SEED + number, moves=9)


def test_the_check_of_retries_finds_a_service_that_does_not_know_one(start: Start) -> None:
    broken = start("forget-answers")
    with pytest.raises(AssertionError, match="ply-played"):
        check_retries([broken], SEED, moves=9)


def test_of_two_thousand_racing_moves_one_a_ply_is_accepted(one: Serving) -> None:
    check_races([one], SEED, requests=2000)


def test_two_processes_that_serve_the_same_matches_accept_one_move_a_ply(start: Start) -> None:
    check_races([start(), start()], SEED, requests=500)


def test_the_check_of_races_finds_a_store_that_refuses_no_second_writer(start: Start) -> None:
    broken = [start("no-unique-key"), start("no-unique-key")]
    with pytest.raises(AssertionError, match="accepted for ply"):
        check_races(broken, SEED, requests=2000)


def test_a_computers_turn_that_a_crash_interrupts_is_taken_once_after_the_restart(one: Serving) -> None:
    check_pending_turns(one, SEED, matches=3)


def test_the_check_of_computers_turns_finds_a_service_that_forgets_them(start: Start) -> None:
    broken = start("forget-computers")
    with pytest.raises(AssertionError):
        check_pending_turns(broken, SEED, matches=3)


def test_down_time_is_charged_to_nobody(one: Serving) -> None:
    check_down_time(one, SEED)


def test_the_check_of_down_time_finds_clocks_that_go_by_the_time_of_day(start: Start) -> None:
    broken = start("charge-down-time")
    with pytest.raises(AssertionError, match="over"):
        check_down_time(broken, SEED)


def test_a_full_disk_is_refused_clearly_and_loses_nothing(start: Start) -> None:
    check_full_disk(start(sqlite_megabytes=1), SEED)


def test_the_check_of_a_full_disk_finds_a_service_that_swallows_errors(start: Start) -> None:
    broken = start("swallow-errors", sqlite_megabytes=1)
    with pytest.raises((AssertionError, httpx.HTTPError)):
        check_full_disk(broken, SEED)


Pair = Callable[..., list[Serving]]


@pytest.fixture
def pair(start: Start, postgres: Postgres, redis_server: Redis) -> Pair:
    """Answer a way to start two processes on one PostgreSQL and one Redis, as on two machines."""

    def run(broken: str | None = None) -> list[Serving]:
        shared = {"database_url": postgres.new_database(), "redis_url": redis_server.url}
        upgrade(shared["database_url"])
        return [start(broken, **shared), start(broken, **shared)]

    return run


def gone_for_a_second(redis: Redis) -> None:
    redis.stop()
    time.sleep(1)
    redis.start_again()


def test_two_machines_accept_one_move_a_ply(pair: Pair) -> None:
    check_races(pair(), SEED, requests=500)


def test_a_restart_of_postgresql_under_play_loses_no_acknowledged_move(pair: Pair, postgres: Postgres) -> None:
    ledger = check_restarts(pair(), postgres.restart, SEED, times=3)
    assert ledger.moves


def test_the_check_of_restarts_finds_a_service_that_swallows_errors(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("swallow-errors")
    with pytest.raises(AssertionError):
        check_restarts(broken, postgres.restart, SEED, times=20)


def test_while_redis_is_down_moves_are_acknowledged_without_delay_and_refusal(pair: Pair, redis_server: Redis) -> None:
    ledger = check_restarts(pair(), lambda: gone_for_a_second(redis_server), SEED, times=3)
    assert not ledger.refused


def test_the_check_of_redis_finds_a_service_that_waits_for_it(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("wait-for-redis")
    with pytest.raises(AssertionError):
        check_restarts(broken, lambda: gone_for_a_second(redis_server), SEED, times=10)


def test_watchers_on_another_process_catch_up_when_redis_is_back(pair: Pair, redis_server: Redis) -> None:
    check_watchers(pair(), redis_server.stop, redis_server.start_again, SEED)


def test_the_check_of_watchers_finds_a_service_that_never_looks_again(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("never-resync")
    with pytest.raises(AssertionError, match="not told"):
        check_watchers(broken, redis_server.stop, redis_server.start_again, SEED)
