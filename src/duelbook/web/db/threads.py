"""Threads that work on a database. All work has a time limit, whatever the database does."""

import asyncio
import os
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError

from duelbook.web.db.errors import NO_ANSWER, StoreUnavailableError, error_reason
from duelbook.web.db.sqlite_file import SqliteFile

WORK_SECONDS = 5.0  # for one transaction, with the wait for a thread and a connection
CLOSE_SECONDS = 3.0  # for transactions under way when the threads are closed; they are interrupted after that
INTERRUPT_SECONDS = 1.0  # for a thread to end after its connection was cut

T = TypeVar("T")


class DatabaseThreads:
    """One thread for each connection of an engine; the event loop waits once for a whole transaction.

    Threads do not keep the process from ending, and a connection that does not answer in time is cut.
    """

    def __init__(self, engine: Engine, size: int, file: SqliteFile | None = None, *, writing: bool = False) -> None:
        self._engine = engine
        self._size = size
        self._file = file
        self._writing = writing
        self._threads: list[threading.Thread] = []
        self._tasks: SimpleQueue[_Task[Any] | None] = SimpleQueue()
        self._running: set[_Task[Any]] = set()
        self._closed = False

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run the work in a transaction, and return its result once that is committed; see `Database`."""
        if self._closed:
            raise StoreUnavailableError("the store is closed")
        if len(self._threads) < self._size:
            self._threads.append(threading.Thread(target=self._work, name="store", daemon=True))
            self._threads[-1].start()
        task = _Task(self._transact, work, asyncio.get_running_loop())
        self._tasks.put(task)
        try:
            return await task.result_within(WORK_SECONDS)
        except (IntegrityError, DataError, ProgrammingError):  # the work is at fault, not the database
            raise
        except (SQLAlchemyError, OSError) as error:
            raise StoreUnavailableError(error_reason(error)) from error

    def _work(self) -> None:
        while task := self._tasks.get():
            self._running.add(task)
            task.run()
            self._running.discard(task)

    def _transact(self, task: "_Task[T]") -> T:
        if self._file:
            self._file.check()
        with self._engine.connect() as connection, task.holding(connection) as driver:
            if self._file and self._writing:
                self._file.check_log(driver)
            connection.begin()
            value = task.work(connection)
            task.begin_commit()
            connection.commit()
            if self._file and self._writing:
                self._file.check_written(driver)
            return value

    async def close(self) -> None:
        """Close the threads and connections, after a time limit by force."""
        self._closed = True
        for _ in self._threads:
            self._tasks.put(None)
        await asyncio.to_thread(self._join, CLOSE_SECONDS)
        for task in list(self._running):
            task.expire()
        await asyncio.to_thread(self._join, INTERRUPT_SECONDS)
        if not any(thread.is_alive() for thread in self._threads):
            self._engine.dispose()

    def _join(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))


class _Task(Generic[T]):
    """Work for a thread. What both threads look at changes under a lock."""

    def __init__(
        self,
        transact: Callable[["_Task[T]"], T],
        work: Callable[[Connection], T],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.work = work
        self._transact = transact
        self._loop = loop
        self._result: asyncio.Future[T] = loop.create_future()
        self._timer: asyncio.TimerHandle | None = None
        self._lock = threading.Lock()
        self._committing = self._finished = self._expired = False
        self._driver: Any = None  # the connection of the driver, while the thread may wait for it

    # In the event loop

    async def result_within(self, seconds: float) -> T:
        self._timer = self._loop.call_later(seconds, self.expire)
        return await self._result

    def expire(self) -> None:
        """Give up: do not begin, or interrupt what the thread waits for."""
        with self._lock:
            if self._finished:  # the result is on its way
                return
            self._expired = True
            if self._driver is not None:
                _interrupt(self._driver)
        if not self._result.done():
            self._result.set_exception(StoreUnavailableError("the database did not answer in time", NO_ANSWER))

    def _settle(self, value: Any, error: BaseException | None) -> None:
        if self._timer:
            self._timer.cancel()
        if self._result.done():
            return
        if error is None:
            self._result.set_result(value)
        else:
            self._result.set_exception(error)

    # In the thread

    def run(self) -> None:
        with self._lock:
            if self._expired or self._result.cancelled():
                return
        value, error = None, None
        try:
            value = self._transact_or_repeat()
        except BaseException as raised:
            error = raised
        with self._lock:
            self._finished = True
        with suppress(RuntimeError):  # the event loop may be closed
            self._loop.call_soon_threadsafe(self._settle, value, error)

    def _transact_or_repeat(self) -> T:
        try:
            return self._transact(self)
        except DBAPIError as error:
            if self._committing or self._expired or not error.connection_invalidated:
                raise
        return self._transact(self)  # the connection was lost and nothing committed: once more on a new one

    @contextmanager
    def holding(self, connection: Connection) -> Iterator[Any]:
        """Let the event loop interrupt the connection. Yield the connection of the driver.

        Raise StoreUnavailableError if the time was up while the thread connected: nothing would interrupt it then.
        """
        driver = connection.connection.driver_connection
        with self._lock:
            if self._expired:
                raise StoreUnavailableError("the time was up before there was a connection", NO_ANSWER)
            self._driver = driver
        try:
            yield driver
        finally:
            with self._lock:
                self._driver = None
            if self._expired:
                connection.invalidate()

    def begin_commit(self) -> None:
        """Raise StoreUnavailableError if nobody waits for the commit any more."""
        if self._expired:
            raise StoreUnavailableError("the time was up before the commit", NO_ANSWER)
        self._committing = True


def _interrupt(driver: Any) -> None:
    """Make the call fail at once that another thread waits in."""
    if isinstance(driver, sqlite3.Connection):
        driver.interrupt()
        return
    with suppress(Exception), socket.socket(fileno=os.dup(driver.fileno())) as connection:  # it may be closed already
        connection.shutdown(socket.SHUT_RDWR)
