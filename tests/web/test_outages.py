"""Outages: PostgreSQL and Redis stop, crash and start again during play."""

from typing import Any

import pytest

from duelbook.web.db.admin.check import check
from duelbook.web.db.schema import upgrade
from tests.support.service.asking import wait_until
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


@pytest.fixture
def shared(postgres: Postgres, redis_server: Redis) -> dict[str, Any]:
    url = postgres.new_database()
    upgrade(url)
    return {"database_url": url, "redis_url": redis_server.url}


@pytest.fixture(scope="module")
def machines(postgres: Postgres, redis_server: Redis, serve: Start) -> list[RunningServer]:
    """Two servers on one PostgreSQL and one Redis, as on two machines."""
    url = postgres.new_database()
    upgrade(url)
    return [serve(database_url=url, redis_url=redis_server.url) for _ in range(2)]


@pytest.mark.parametrize(("requests", "kills"), [(100, 1), pytest.param(400, 4, marks=pytest.mark.long)])
def test_two_processes_on_postgresql_keep_the_promises_too(
    start: Start, shared: dict[str, Any], requests: int, kills: int
) -> None:
    workers = start(**shared, workers=2)
    check_retries([workers], SEED, moves=9)
    check_races([workers], SEED, requests)
    check_kills(workers, SEED, kills)
    check_pending_turns(workers, SEED, matches=3)
    check_down_time(workers)


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.long)])
def test_moves_are_acknowledged_while_redis_is_down(
    machines: list[RunningServer], redis_server: Redis, times: int
) -> None:
    check_outages(machines, redis_server.stop, redis_server.start_again, SEED, times)


def test_watchers_on_another_process_catch_up_when_redis_is_back(
    machines: list[RunningServer], redis_server: Redis
) -> None:
    check_watchers(machines, redis_server.stop, redis_server.start_again, SEED)


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.long)])
def test_crashes_of_postgresql_lose_no_acknowledged_move_and_the_service_recovers_by_itself(
    start: Start, shared: dict[str, Any], postgres: Postgres, times: int
) -> None:
    server = start(**shared, workers=2)
    ways = [(postgres.stop, postgres.start_again), (postgres.kill, postgres.start_after_kill)] * times

    def crash() -> None:
        end, start_again = ways.pop()
        end()
        wait_until(lambda: server.http.get("/readyz").status_code == 503)
        assert server.http.post("/api/matches", json={"game": "charge", "opponent": "friend"}).status_code == 503
        start_again()

    ledger = check_restarts([server], crash, SEED, times=len(ways))
    assert not ledger.retried, "a worker closed a connection without an answer"
    log = server.log.read_text()
    assert "Traceback" not in log
    assert '"status": 500' not in log
    assert not check(shared["database_url"]).findings
