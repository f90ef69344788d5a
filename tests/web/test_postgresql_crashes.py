"""Crashes of PostgreSQL under two workers; the check also finds a deliberate break."""

import time
from typing import Any

import pytest

from duelbook.web.db.admin.check import check
from duelbook.web.db.schema import upgrade
from tests.support.service.backends import Postgres, Redis
from tests.support.service.faults import check_restarts
from tests.web.conftest import Start

SEED = 20261116
DOWN_SECONDS = 0.7  # long enough for every player to meet a database that is down


@pytest.fixture
def shared(postgres: Postgres, redis_server: Redis) -> dict[str, Any]:
    """Settings with a new database."""
    url = postgres.new_database()
    upgrade(url)
    return {"database_url": url, "redis_url": redis_server.url}


def test_crashes_of_postgresql_lose_no_acknowledged_move_and_the_service_recovers_by_itself(
    start: Start, shared: dict[str, Any], postgres: Postgres
) -> None:
    server = start(**shared, workers=2)
    ways = [(postgres.stop, postgres.start_again), (postgres.kill, postgres.start_after_kill)]

    def crash() -> None:
        end, start_again = ways.pop()
        end()
        time.sleep(DOWN_SECONDS)
        assert server.http.get("/readyz").status_code == 503
        assert server.http.post("/api/matches", json={"game": "charge", "opponent": "friend"}).status_code == 503
        start_again()

    ledger = check_restarts([server], crash, SEED, times=len(ways))
    assert ledger.refused
    assert not ledger.retried, "a worker closed a connection without an answer"
    log = server.log.read_text()
    assert "Traceback" not in log
    assert '"status": 500' not in log
    assert not check(shared["database_url"]).findings


def test_the_check_of_crashes_finds_a_service_that_does_not_wait_for_the_disk(
    start: Start, shared: dict[str, Any], postgres: Postgres
) -> None:
    broken = [start("asynchronous-commit", **shared) for _ in range(2)]  # a break reaches no further worker
    with pytest.raises(AssertionError):
        check_restarts(broken, postgres.restart, SEED, times=10)
