"""A simulated database: the real SQL on an SQLite database in memory, between seeded delays and faults.

A transaction happens at one instant. The answer comes later, too late or never.
"""

import asyncio
import random
import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DataError, IntegrityError, OperationalError, ProgrammingError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from duelbook.web.db.database import READERS, Databases
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.schema import migrate
from tests.simulation.event_loop import Process, VirtualLoop, current_process
from tests.simulation.faults import Faults, Kind

WORK_SECONDS = 5.0  # after which a transaction is given up, as the threads of the real store do
SLOW_SECONDS = 3.0
SILENT_SECONDS = 300.0  # after which the system notices by itself that the other side is gone
OBSERVED = (
    *("id", "version", "ply", "outcome", "reason", "agent_due", "time_limit", "started"),
    *("claim_by", "claim_at"),
)

T = TypeVar("T")


class Committed(NamedTuple):
    """A state of a match, and when it was committed."""

    time: float
    version: int
    ply: int
    outcome: int
    reason: str
    agent_due: bool
    time_limit: float | None
    started: str | None
    claim_by: int | None
    claim_at: float | None


class DatabaseServer:
    """The database of all simulated processes."""

    def __init__(self, loop: VirtualLoop, seed: object, faults: Faults) -> None:
        self.history: dict[str, list[Committed]] = {}  # what was committed, by match
        self._loop = loop
        self.random = random.Random(f"{seed} store")
        self.faults = faults
        self._shared = _shared_database()
        self._shared.reset(self._observe)
        self._one_writer = self.random.random() < 0.5  # as with SQLite, or with connections of their own for upkeep
        self._written: list[tuple[Any, ...]] = []  # by the transaction that is running

    def open(self, node: int) -> Databases:
        process = current_process()
        reading, autocommit = (SimulatedDatabase(self, node, process, READERS) for _ in range(2))
        writing, upkeep = (SimulatedDatabase(self, node, process, 1, writing=True) for _ in range(2))
        return Databases(reading, autocommit, writing, writing if self._one_writer else upkeep)

    def transact(self, work: Callable[[Connection], T]) -> T:
        """Run the work and commit it, all at this instant."""
        self._written.clear()
        result = self._shared.transact(work)
        for match, *columns in self._written:
            if columns:  # else it was removed
                self.history.setdefault(match, []).append(Committed(self._loop.time(), *columns))
        return result

    def rows(self, table: str) -> list[dict[str, Any]]:
        cursor = self._shared.raw.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def _observe(self, *columns: Any) -> None:
        self._written.append(columns)


class _SharedDatabase:
    """One database in memory for all runs in this Python process: its prepared statements are kept."""

    def __init__(self) -> None:
        self.raw = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, cached_statements=512)
        engine = create_engine("sqlite://", creator=lambda: self.raw, poolclass=StaticPool)
        self._connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        migrate(self._connection)
        self.raw.execute("PRAGMA foreign_keys=ON")
        self._empty = sqlite3.connect(":memory:")
        self.raw.backup(self._empty)

    def transact(self, work: Callable[[Connection], T]) -> T:
        """Run the work in a transaction. The connection stays open, which is much faster than a new one each time."""
        self.raw.execute("BEGIN")
        try:
            result = work(self._connection)
        except BaseException:
            self.raw.execute("ROLLBACK")
            raise
        self.raw.execute("COMMIT")
        return result

    def reset(self, observe: Callable[..., None]) -> None:
        self._empty.backup(self.raw)
        self.raw.create_function("observe", -1, observe)
        columns = ", ".join(f"new.{name}" for name in OBSERVED)
        for action, values in (("INSERT", columns), ("UPDATE", columns), ("DELETE", "old.id")):
            self.raw.execute(
                f"CREATE TEMP TRIGGER IF NOT EXISTS observe_{action} AFTER {action} ON main.matches "
                f"BEGIN SELECT observe({values}); END"
            )


_shared_database = cache(_SharedDatabase)


@dataclass(eq=False)
class _Job:
    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"
    expired: bool = False
    finished: bool = False


class SimulatedDatabase:
    """Connections of one kind, as a simulated process has them: `size` transactions run at the same time."""

    def __init__(
        self, server: DatabaseServer, node: int, process: Process, size: int, *, writing: bool = False
    ) -> None:
        self._server = server
        self._node = node
        self._process = process
        self._free = size
        self._writing = writing
        self._waiting: deque[_Job] = deque()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run the work in a transaction, or raise StoreUnavailableError; then it may or may not have been committed."""
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future())
        self._waiting.append(job)
        self._begin_waiting()
        timer = loop.call_later(WORK_SECONDS, self._expire, job)
        try:
            result: T = await job.done
            return result
        finally:
            timer.cancel()

    async def close(self) -> None:
        pass

    def _expire(self, job: _Job) -> None:
        job.expired = True
        if job in self._waiting:
            self._waiting.remove(job)
        else:
            self._later(self._delay(), self._finish, job, None, None)  # its connection is cut
        if not job.done.done():
            job.done.set_exception(StoreUnavailableError("the database did not answer in time"))

    def _begin_waiting(self) -> None:
        while self._free and self._waiting:
            job = self._waiting.popleft()
            if job.done.done():
                continue
            self._free -= 1
            self._later(self._delay(), self._execute, job)

    def _delay(self) -> float:
        extra = self._server.random.random() ** 2 * SLOW_SECONDS if self._fails(Kind.SLOW_STORE) else 0.0
        return 0.0002 + 0.004 * self._server.random.random() ** 3 + extra

    def _later(self, delay: float, callback: Callable[..., object], *arguments: Any) -> None:
        loop = self._server._loop
        loop.call_later(delay, callback, *arguments, context=loop.world.context.copy())

    def _fails(self, kind: Kind) -> bool:
        return self._server.faults.active(kind, self._node)

    def _execute(self, job: _Job) -> None:
        chance = self._server.random.random()
        if (job.expired or self._process.crashed) and chance < 0.5:
            self._later(self._delay(), self._finish, job, None, None)  # it was given up before the commit
        elif self._fails(Kind.SILENT_STORE):
            if chance < 0.3:
                self._transact(job)
            self._later(SILENT_SECONDS, self._finish, job, None, _error("the connection was lost"))
        elif self._fails(Kind.FAILING_STORE) and chance < 0.3:
            self._later(self._delay(), self._finish, job, None, _error("the connection was refused"))
        elif self._writing and self._fails(Kind.FULL_DISK):
            self._later(self._delay(), self._finish, job, None, _error("database or disk is full"))
        else:
            result, error = self._transact(job)
            if self._fails(Kind.FAILING_STORE) and chance < 0.5:
                result, error = None, _error("the connection was lost")  # after the commit
            self._later(self._delay(), self._finish, job, result, error)

    def _transact(self, job: _Job) -> tuple[Any, Exception | None]:
        try:
            return self._server.transact(job.work), None
        except (IntegrityError, DataError, ProgrammingError) as error:  # the work is at fault, not the database
            return None, error
        except (SQLAlchemyError, OSError) as error:
            return None, StoreUnavailableError(str(error))
        except Exception as error:
            return None, error

    def _finish(self, job: _Job, result: Any, error: Exception | None) -> None:
        if job.finished:
            return
        job.finished = True
        self._free += 1
        if self._process.crashed:
            return
        if not job.done.done():
            job.done.set_exception(error) if error else job.done.set_result(result)
        self._begin_waiting()


def _error(reason: str) -> Exception:
    error = StoreUnavailableError(reason)
    error.__cause__ = OperationalError("", {}, Exception(reason))
    return error
