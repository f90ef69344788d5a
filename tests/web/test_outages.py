"""Outages: PostgreSQL and Redis stop and start again during play; each check also finds a deliberate break."""

from collections.abc import Callable

import pytest

from duelbook.web.db.schema import upgrade
from tests.support.service.backends import Postgres, Redis
from tests.support.service.faults import (
    check_down_time,
    check_kills,
    check_outages,
    check_pending_turns,
    check_races,
    check_restarts,
    check_retries,
    check_watchers,
)
from tests.support.service.harness import RunningServer
from tests.web.conftest import Start

SEED = 20261115

Pair = Callable[..., list[RunningServer]]


@pytest.fixture
def pair(start: Start, postgres: Postgres, redis_server: Redis) -> Pair:
    """A function that starts two servers on one PostgreSQL and one Redis, as on two machines."""

    def run(broken: str | None = None) -> list[RunningServer]:
        shared = {"database_url": postgres.new_database(), "redis_url": redis_server.url}
        upgrade(shared["database_url"])
        return [start(broken, **shared), start(broken, **shared)]

    return run


def test_two_processes_on_postgresql_keep_the_promises_too(
    start: Start, postgres: Postgres, redis_server: Redis
) -> None:
    url = postgres.new_database()
    upgrade(url)
    workers = start(database_url=url, redis_url=redis_server.url, workers=2)
    check_retries([workers], SEED, moves=9)
    check_races([workers], SEED, requests=200)
    check_kills(workers, SEED, kills=2)
    check_pending_turns(workers, SEED, matches=3)
    check_down_time(workers, SEED)


def test_two_machines_accept_one_move_per_ply(pair: Pair) -> None:
    check_races(pair(), SEED, requests=300)


def test_a_restart_of_postgresql_during_play_loses_no_acknowledged_move(pair: Pair, postgres: Postgres) -> None:
    ledger = check_restarts(pair(), postgres.restart, SEED, times=3)
    assert ledger.moves


def test_the_check_of_restarts_finds_a_service_that_swallows_errors(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("swallow-errors")
    with pytest.raises(AssertionError):
        check_restarts(broken, postgres.restart, SEED, times=20)


def test_moves_are_acknowledged_while_redis_is_down(pair: Pair, redis_server: Redis) -> None:
    check_outages(pair(), redis_server.stop, redis_server.start_again, SEED)


def test_the_check_of_redis_finds_a_service_that_waits_for_it(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("wait-for-redis")
    with pytest.raises(AssertionError, match="play does not continue"):
        check_outages(broken, redis_server.stop, redis_server.start_again, SEED, patience=3)


def test_watchers_on_another_process_catch_up_when_redis_is_back(pair: Pair, redis_server: Redis) -> None:
    check_watchers(pair(), redis_server.stop, redis_server.start_again, SEED)


def test_the_check_of_watchers_finds_a_service_that_never_resyncs(
    pair: Pair, postgres: Postgres, redis_server: Redis
) -> None:
    broken = pair("never-resync")
    with pytest.raises(AssertionError, match="was not sent"):
        check_watchers(broken, redis_server.stop, redis_server.start_again, SEED, patience=8)
