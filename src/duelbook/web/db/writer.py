"""The writer: changes that arrive at the same time are committed together, and acknowledged after the commit."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    JSON,
    ClauseElement,
    Column,
    Connection,
    Dialect,
    FromClause,
    Insert,
    Table,
    Text,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.compiler import SQLCompiler

from duelbook.web.db.database import SQLITE, Database, execute_in_sqlite
from duelbook.web.db.errors import NO_ANSWER, TOO_BUSY, ConflictError, StoreUnavailableError
from duelbook.web.db.health import WriteHealth
from duelbook.web.db.tables import Change, MatchRow, matches, moves, seats, undone
from duelbook.web.tasks import cancel_all

MAX_BATCH = 256  # jobs in one transaction
MAX_WAITING_JOBS = 20 * MAX_BATCH  # more are refused at once: they could not be written in time
WAIT_SECONDS = 3.0  # after which a change that has not been tried is refused
LOCK_SECONDS = 2.5  # for another session to release its lock on a match
LOCK_RETRY_SECONDS = 0.02
GATHER_SECONDS = 0.001  # to wait for more changes, for each change of the transaction before; that costs more than rows
MAX_GATHER_SECONDS = 0.015

LOCKED = Exception("Another session has locked the match.")  # the end of a job that can be tried again

log = logging.getLogger("duelbook.web")

FIXED_COLUMNS = ("id", "game", "dictionary", "seed", "time_limit", "creator", "created", "public")
CHANGING_COLUMNS = [name for name in MatchRow.__struct_fields__ if name not in FIXED_COLUMNS]
SEAT_COLUMNS = ("name", "token", "choice", "reserved")  # set when a player takes the seat


class _Advance(msgspec.Struct, gc=False):
    """The columns that most moves change. No index has one of them, so few pages are written."""

    id: str
    version: int
    ply: int
    turn_started: float

    @classmethod
    def of(cls, row: MatchRow) -> "_Advance":
        return cls(row.id, row.version, row.ply, row.turn_started)


class _Job(NamedTuple):
    changes: Sequence[Change]
    done: "asyncio.Future[None]"
    since: float  # on the clock of the event loop


class Writer:
    """Commits changes in batches, and wakes each caller when its change is durable."""

    def __init__(self, database: Database, health: WriteHealth) -> None:
        self._database = database
        self._health = health
        self._jobs: list[_Job] = []
        self._locked = 0  # jobs whose match another session has locked; they are tried again
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    @property
    def waiting(self) -> int:
        """How many jobs are not written yet."""
        return len(self._jobs) + self._locked

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        while (self._jobs or self._locked) and self._task and not self._task.done():
            await asyncio.sleep(0.01)
        if self._task:
            await cancel_all([self._task])

    async def apply(self, *changes: Change) -> None:
        """Write all of the changes or none; return once they are committed."""
        if len(self._jobs) >= MAX_WAITING_JOBS:
            raise StoreUnavailableError("too many changes are waiting", TOO_BUSY)
        loop = asyncio.get_running_loop()
        job = _Job(changes, loop.create_future(), loop.time())
        self._put(job)
        await job.done

    def _put(self, job: _Job) -> None:
        self._jobs.append(job)
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._jobs[:MAX_BATCH]
            await self._commit(self._still_wanted(batch))
            del self._jobs[: len(batch)]
            if len(batch) > 1:
                await asyncio.sleep(min(GATHER_SECONDS * len(batch), MAX_GATHER_SECONDS))
            if not self._jobs:
                self._wake.clear()

    def _still_wanted(self, batch: Sequence[_Job]) -> Sequence[_Job]:
        """Return the jobs that have not waited too long. The others fail: nothing of them was written."""
        oldest = asyncio.get_running_loop().time() - WAIT_SECONDS
        for job in batch:
            if job.since < oldest:
                _finish(job, StoreUnavailableError("the change waited too long", TOO_BUSY))
        return [job for job in batch if not job.done.done()]

    async def _commit(self, batch: Sequence[_Job], check: bool = False) -> None:
        """Write the batch. If that fails, write it without the changes of matches that are not as expected."""
        if not batch:
            return
        ends = await self._try_write([job.changes for job in batch], check)
        if len(batch) == 1 or not _failed_together(ends):
            for job, end in zip(batch, ends, strict=True):
                self._retry_later(job) if end is LOCKED else _finish(job, end)
        elif not check:
            await self._commit(batch, check=True)
        else:
            for job in batch:  # one by one, so that only the job at fault fails
                await self._commit(self._still_wanted([job]))

    async def _try_write(self, jobs: Sequence[Sequence[Change]], check: bool = False) -> Sequence[Exception | None]:
        """Write the jobs in one transaction; return the error of each, the same one if all failed together."""
        error: Exception
        try:
            ends = await self._database.run(lambda connection: _write_jobs(connection, jobs, check))
        except (ConflictError, IntegrityError) as conflict:
            error = ConflictError(str(conflict))
        except StoreUnavailableError as unavailable:
            log.warning("changes could not be written", extra={"count": len(jobs), "why": str(unavailable)})
            self._health.changes_failed(unavailable)
            error = unavailable
        except Exception as bug:  # of Duelbook or the driver, such as a bad value; the writer must keep running
            error = bug
        else:
            self._health.changes_written()
            return ends
        return [error] * len(jobs)

    def _retry_later(self, job: _Job) -> None:
        """Try to write the job again while there is time. Other jobs are written meanwhile."""
        loop = asyncio.get_running_loop()
        if loop.time() - job.since < LOCK_SECONDS:
            self._locked += 1
            loop.call_later(LOCK_RETRY_SECONDS, self._retry, job)
        else:
            log.warning("a match is locked by another session", extra={"match": job.changes[0].match.id})
            _finish(job, StoreUnavailableError("the match is locked by another session", NO_ANSWER))

    def _retry(self, job: _Job) -> None:
        self._locked -= 1
        self._put(job)


def _failed_together(ends: Sequence[Exception | None]) -> bool:
    """Return True if one of the jobs may have made the others fail."""
    first = ends[0]
    if first is None or first is LOCKED or isinstance(first, StoreUnavailableError):
        return False
    return {*ends} == {first}


def _finish(job: _Job, error: Exception | None) -> None:
    if job.done.done():
        return
    if error is None:
        job.done.set_result(None)
    else:
        job.done.set_exception(error)


class Statements:
    """The statements that write rows, for one kind of database. Each takes any number of rows as one parameter."""

    def __init__(self, dialect: str) -> None:
        match, seat, move = (unpacked_rows(dialect, table.c) for table in (matches, seats, moves))
        self.new = {
            table.name: _insert(table, unpacked_rows(dialect, table.c)) for table in (matches, seats, moves, undone)
        }
        ids = select(unpacked_rows(dialect, [matches.c.id]))
        self.versions = select(matches.c.id, matches.c.version).where(matches.c.id.in_(ids))
        self.lock = self.versions.with_for_update(skip_locked=True, key_share=True)
        expected = update(matches).where(matches.c.id == match.c.id, matches.c.version == match.c.version - 1)
        self.change_match = expected.values({name: match.c[name] for name in CHANGING_COLUMNS})
        advance = unpacked_rows(dialect, [matches.c[name] for name in _Advance.__struct_fields__])
        self.advance_match = (
            update(matches)
            .where(matches.c.id == advance.c.id, matches.c.version == advance.c.version - 1)
            .values({name: advance.c[name] for name in _Advance.__struct_fields__[1:]})
        )
        self.take_seat = (
            update(seats)
            .where(seats.c.match == seat.c.match, seats.c.seat == seat.c.seat, seats.c.token.is_(None))
            .values({name: seat.c[name] for name in SEAT_COLUMNS})
        )
        removed = select(move.c.match, move.c.ply)
        self.remove_moves = delete(moves).where(tuple_(moves.c.match, moves.c.ply).in_(removed))


statements = cache(Statements)


def _insert(table: Table, rows: FromClause) -> Insert:
    values = select(*(rows.c[one.name] for one in table.c))
    return insert(table).from_select(list(table.c), values)


def packed_rows(rows: Sequence[Any]) -> dict[str, str]:
    """Return the rows as the one JSON parameter of a statement: any number of rows is one round trip."""
    return {"rows": msgspec.json.encode(rows).decode()}


def unpacked_rows(dialect: str, columns: "Iterable[Column[Any]]") -> FromClause:
    """Return the rows of that parameter as a table with these columns, in the SQL of the database."""
    rows = bindparam("rows", type_=Text)
    if dialect == SQLITE:
        each = func.json_each(rows).table_valued("value", name="each")
        values = (func.json_extract(each.c.value, literal_column(f"'$.{one.name}'")).label(one.name) for one in columns)
        return select(*values).subquery("given")
    typed = func.json_to_recordset(cast(rows, JSON)).table_valued(*(column(one.name, one.type) for one in columns))
    return typed.render_derived(name="given", with_types=True)


def _write_jobs(connection: Connection, jobs: Sequence[Sequence[Change]], check: bool) -> Sequence[Exception | None]:
    """Write the jobs; return for each None, or why it was left out."""
    ends: Sequence[Exception | None] = [None] * len(jobs)
    if check or connection.dialect.name != SQLITE:  # SQLite has one writer at a time: nothing is locked
        ends = _claim(connection, jobs)
    _write(connection, [change for job, end in zip(jobs, ends, strict=True) if end is None for change in job])
    return ends


def _claim(connection: Connection, jobs: Sequence[Sequence[Change]]) -> Sequence[Exception | None]:
    """Lock the matches without waiting; return for each job None, or LOCKED, or the conflict."""
    expected = [[change.match for change in job if not change.new] for job in jobs]
    ids = {match.id for changed in expected for match in changed}
    held = select_versions(connection, ids, lock=True)
    locked = select_versions(connection, ids - held.keys()).keys()

    def end(changed: Sequence[MatchRow]) -> Exception | None:
        if any(match.id in locked for match in changed):
            return LOCKED
        current = all(held.get(match.id) == match.version - 1 for match in changed)
        return None if current else ConflictError("The match has another version.")

    return [end(changed) for changed in expected]


def select_versions(connection: Connection, ids: Collection[str], *, lock: bool = False) -> dict[str, int]:
    """Return the versions of the matches that exist or, with `lock`, of those that no other session has locked."""
    if not ids:
        return {}
    sql = statements(connection.dialect.name)
    rows, _ = execute(connection, sql.lock if lock else sql.versions, [{"id": match} for match in ids])
    return dict(map(tuple, rows))


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write all the changes, with one statement for each kind of row."""
    sql = statements(connection.dialect.name)
    created = [change for change in changes if change.new]
    changed = [change for change in changes if not change.new]
    removed = [move for change in changes for move in change.undone]
    for statement, rows in (
        (sql.new["matches"], [change.match for change in created]),
        (sql.new["seats"], [seat for change in created for seat in change.seats]),
        (sql.change_match, [change.match for change in changed if not change.advances]),
        (sql.advance_match, [_Advance.of(change.match) for change in changed if change.advances]),
        (sql.take_seat, [seat for change in changed for seat in change.seats]),
        (sql.new["undone"], removed),
        (sql.remove_moves, removed),
        (sql.new["moves"], [move for change in changes for move in change.moves]),
    ):
        if rows:
            _write_rows(connection, statement, rows)


def _write_rows(connection: Connection, statement: ClauseElement, rows: Sequence[Any]) -> None:
    """Write all the rows; raise ConflictError if the database held another state than expected."""
    _, count = execute(connection, statement, rows)
    if count != len(rows):
        raise ConflictError("A row was not as expected.")


def execute(connection: Connection, statement: ClauseElement, rows: Sequence[Any]) -> tuple[Sequence[Any], int]:
    """Execute a statement that takes the rows; return those that it found, and how many it changed.

    The statement is compiled once. SQLAlchemy would look at all of it every time.
    """
    sql, names, values = _compiled(statement, connection.dialect)
    values = {**values, **packed_rows(rows)}
    if names is not None:
        return execute_in_sqlite(connection, sql, [values[name] for name in names])
    result = connection.exec_driver_sql(sql, values, {"preserve_rowcount": True})
    return result.all() if result.returns_rows else (), result.rowcount


@lru_cache(maxsize=64)
def _compiled(statement: ClauseElement, dialect: Dialect) -> tuple[str, Sequence[str] | None, Mapping[str, Any]]:
    """Return the SQL, the names of its parameters by position (None: they are given by name), and their values."""
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    return str(compiled), compiled.positiontup, compiled.params
