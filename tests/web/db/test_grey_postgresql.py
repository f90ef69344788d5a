"""A PostgreSQL that neither works nor fails: silent connections, and locks that another session does not release."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from psycopg import Connection, connect
from sqlalchemy import make_url

from duelbook.web.db import writer
from duelbook.web.db.changes import write_jobs
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.schema import upgrade
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change
from tests.support.service.asking import wait_until
from tests.support.service.backends import Postgres, Redis
from tests.support.service.harness import Player, RunningServer
from tests.support.service.impatient import impatient
from tests.support.service.network import Link
from tests.support.service.sockets import next_view
from tests.support.service.stores import moved, new, outcomes, with_stores
from tests.web.conftest import Start

MAX_ANSWER_SECONDS = 10.0  # a promise: an answer comes although the database is silent (the limits here are short)
MAX_STOP_SECONDS = 18.0
TRIES = 10
IMPATIENT = impatient(
    *("db.threads.WORK_SECONDS=1", "db.threads.CLOSE_SECONDS=0.5", "db.writer.WAIT_SECONDS=1"),
    *("db.writer.LOCK_SECONDS=0.8", "db.health.HOLD_SECONDS=1", "maintenance.UPTIME_SECONDS=0.1"),
)


@pytest.fixture(scope="module")
def link(postgres: Postgres) -> Iterator[Link]:
    link = Link(postgres.port)
    yield link
    link.close()


@pytest.fixture(scope="module")
def url(postgres: Postgres) -> str:
    url = postgres.new_database()
    upgrade(url)
    return url


def address(url: str, link: Link) -> str:
    return make_url(url).set(port=link.port).render_as_string(hide_password=False)


@pytest.fixture(scope="module")
def server(link: Link, url: str, serve: Start) -> RunningServer:
    """A server with short limits that reaches its database over the link. The last test stops it."""
    return serve(IMPATIENT, database_url=address(url, link))


def timed(ask: Callable[[], httpx.Response]) -> tuple[httpx.Response, float]:
    began = time.monotonic()
    return ask(), time.monotonic() - began


def held(url: str, statement: str) -> "Connection[tuple[object, ...]]":
    """Return a session that has executed the statement in a transaction, which it leaves open."""
    session = connect(url.replace("+psycopg", ""))
    session.execute(statement.encode())
    return session


def test_a_lock_on_the_uptime_holds_up_no_move(server: RunningServer, url: str) -> None:
    first, second = server.new_pair()
    session = held(url, "UPDATE uptime SET seconds = seconds")
    wait_until(lambda: "another session has locked the uptime" in server.log.read_text())
    assert [first.play(0, "9").status_code, second.play(1, "8").status_code] == [200, 200]
    assert server.http.get("/readyz").status_code == 200
    session.close()


def test_a_lock_on_one_match_refuses_its_moves_and_holds_up_no_other(server: RunningServer, url: str) -> None:
    stuck, _ = server.new_pair()
    session = held(url, f"SELECT * FROM matches WHERE id = '{stuck.match}' FOR UPDATE")
    with ThreadPoolExecutor(2) as threads:
        for _ in range(TRIES):  # on a busy machine the others may need longer than the lock is waited for
            others = [server.new_pair()[0] for _ in range(5)]
            refused = [threads.submit(timed, lambda: stuck.play(0, "9")) for _ in range(2)]
            time.sleep(0.1)
            assert {player.play(0, "9").status_code for player in others} == {200}
            if not any(answer.done() for answer in refused):
                break
        else:
            pytest.fail("the others had to wait")
    for answer, seconds in (one.result() for one in refused):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1"), answer.text
        assert seconds < MAX_ANSWER_SECONDS
    assert server.http.get("/readyz").status_code == 200
    session.rollback()
    session.close()
    assert stuck.play(0, "9").status_code == 200


def test_a_process_that_cannot_reach_its_database_keeps_its_subscription_and_its_watchers_catch_up(
    link: Link, url: str, redis_server: Redis, tmp_path: Path, start: Start
) -> None:
    here = start(database_url=url, redis_url=redis_server.url)
    settings = {"database_url": address(url, link), "redis_url": redis_server.url}
    there = RunningServer(tmp_path, settings, IMPATIENT).start()
    try:
        first, second = here.new_pair()
        with Player(there, first.match, second.seat, second.token).live() as socket:
            assert next_view(socket)["match"]["moves"] == []
            link.silence()
            assert first.play(0, "9").status_code == 200
            wait_until(lambda: "the database cannot be reached" in there.log.read_text())
            link.resume()
            assert next_view(socket)["match"]["moves"] == ["9"]
        log = there.log.read_text()
    finally:
        there.kill()
    assert "Traceback" not in log
    assert "Redis" not in log


def test_a_silent_connection_is_answered_with_503_and_play_continues_when_the_database_is_back(
    server: RunningServer, link: Link
) -> None:
    first, second = server.new_pair()
    link.silence()
    answer, seconds = timed(lambda: first.play(0, "9", key="once"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1"), answer.text
    assert seconds < MAX_ANSWER_SECONDS
    readiness, seconds = timed(lambda: server.http.get("/readyz"))
    assert (readiness.status_code, seconds < MAX_ANSWER_SECONDS) == (503, True)
    assert "database" in readiness.json()["detail"]
    link.resume()
    wait_until(lambda: server.http.get("/readyz").status_code == 200, "the service does not recover")
    assert first.play(0, "9", key="once").status_code == 200  # whether or not it was written before
    assert second.play(1, "8").status_code == 200
    assert second.view()["moves"] == ["9", "8"]
    link.silence()
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < MAX_STOP_SECONDS


def test_changes_of_matches_that_are_all_locked_are_tried_together(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LOCK_SECONDS", 0.0)
    tried: list[int] = []
    real = write_jobs

    def count(connection: Any, jobs: Sequence[Sequence[Change]], check: bool) -> Sequence[Exception | None]:
        tried.append(len(jobs))
        return real(connection, jobs, check)

    async def work(store: Store) -> None:
        created = [new(number) for number in range(3)]
        await store.apply(*created)
        monkeypatch.setattr(writer, "write_jobs", count)
        session = held(url, "SELECT * FROM matches FOR UPDATE")
        ends = await outcomes(*(store.apply(moved(change)) for change in created))
        session.close()
        assert ends == [StoreUnavailableError] * 3

    with_stores(url, 1, work)
    assert tried == [3]
