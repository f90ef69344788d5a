"""The threads of the store: every wait ends, and what was given up is not done later."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, event

from duelbook.web.db import threads, writer
from duelbook.web.db.changes import write_jobs
from duelbook.web.db.database import database_url, write_engine
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.store import Store
from duelbook.web.db.threads import DatabaseThreads
from tests.support.service.stock import contents
from tests.support.service.stores import PATIENCE, new, outcomes, with_stores

UPTIME = "INSERT INTO uptime (id, seconds) VALUES ({}, 0)"


@pytest.fixture
def url(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(threads, "WORK_SECONDS", PATIENCE)
    return sqlite_url


@contextmanager
def short_limit() -> Iterator[None]:
    """Give up meanwhile what takes longer than a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "WORK_SECONDS", 0.2)
        yield


def test_work_that_takes_too_long_is_not_committed_and_work_that_waits_for_it_is_never_begun(url: str) -> None:
    go_on, begun = threading.Event(), []

    def slow(connection: Connection) -> None:
        connection.exec_driver_sql(UPTIME.format(1))
        go_on.wait(PATIENCE)

    def late(_: Connection) -> None:
        begun.append(1)

    async def work() -> None:
        one = DatabaseThreads(write_engine(database_url(url)), 1)
        with short_limit():
            assert await outcomes(one.run(slow), one.run(late)) == [StoreUnavailableError] * 2
        go_on.set()
        await one.run(lambda connection: connection.exec_driver_sql(UPTIME.format(2)))
        await one.close()

    asyncio.run(work())
    assert begun == []
    assert [row[0] for row in contents(url)["uptime"]] == [2]


def test_a_query_that_does_not_end_is_interrupted_and_its_thread_is_free_again(url: str) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"

    async def work() -> int:
        one = DatabaseThreads(write_engine(database_url(url)), 1)
        with short_limit(), pytest.raises(StoreUnavailableError):
            await one.run(lambda connection: connection.exec_driver_sql(endless).scalar())
        answer: int = await one.run(lambda connection: connection.exec_driver_sql("SELECT 7").scalar_one())
        await one.close()
        return answer

    assert asyncio.run(work()) == 7


def test_work_whose_time_is_up_before_there_is_a_connection_is_never_begun(url: str) -> None:
    begun, engine = [], write_engine(database_url(url))

    @event.listens_for(engine, "connect")
    def connect_slowly(*_: object) -> None:
        time.sleep(0.5)

    async def work() -> None:
        one = DatabaseThreads(engine, 1)
        with short_limit():
            assert await outcomes(one.run(lambda _: begun.append("late"))) == [StoreUnavailableError]
        await one.run(lambda _: begun.append("in time"))
        await one.close()

    asyncio.run(work())
    assert begun == ["in time"]


def test_a_lock_of_another_program_on_the_file_refuses_changes_until_it_is_released(url: str) -> None:
    async def work(store: Store) -> None:
        await store.apply(new(1))
        with closing(sqlite3.connect(database_url(url).database or "", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with short_limit():
                assert await outcomes(store.apply(new(2))) == [StoreUnavailableError]
                with pytest.raises(StoreUnavailableError):
                    await store.check()
        await store.apply(new(3))
        await store.check()

    with_stores(url, 1, work)
    assert [int(row[0]) for row in contents(url)["matches"]] in ([1, 3], [3, 1])


def test_a_thread_that_is_stuck_keeps_no_process_from_ending(url: str) -> None:
    program = f"""
import asyncio, time
from duelbook.web.db import threads
from duelbook.web.db.changes import write_jobs
from duelbook.web.db.database import database_url, write_engine
threads.WORK_SECONDS = threads.CLOSE_SECONDS = threads.INTERRUPT_SECONDS = 0.1

async def work():
    one = threads.DatabaseThreads(write_engine(database_url({url!r})), 1)
    try:
        await one.run(lambda _: time.sleep(1000))
    except threads.StoreUnavailableError:
        await one.close()
        print("closed")

asyncio.run(work())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "closed\n"


def test_more_changes_than_can_wait_are_refused_at_once_and_the_others_are_written(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_BATCH", 2)
    monkeypatch.setattr(writer, "MAX_WAITING_JOBS", 5)

    async def work(store: Store) -> None:
        ends = await outcomes(*(store.apply(new(number)) for number in range(20)))
        assert ends == [None] * 5 + [StoreUnavailableError] * 15
        await store.apply(new(20))

    with_stores(url, 1, work)
    assert len(contents(url)["matches"]) == 6


def test_changes_that_wait_too_long_for_their_turn_are_refused_and_never_written(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_BATCH", 1)
    monkeypatch.setattr(writer, "WAIT_SECONDS", 0.3)

    real: Any = write_jobs

    def slow(*arguments: Any) -> Any:
        time.sleep(0.2)
        return real(*arguments)

    monkeypatch.setattr(writer, "write_jobs", slow)

    async def work(store: Store) -> list[type[BaseException] | None]:
        return await outcomes(*(store.apply(new(number)) for number in range(6)))

    ends = with_stores(url, 1, work)
    assert None in ends
    assert ends[-1] is StoreUnavailableError
    assert len(contents(url)["matches"]) == ends.count(None)
