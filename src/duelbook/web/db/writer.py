"""The writer: changes that arrive at the same time are committed together, and acknowledged after the commit."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Executable,
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
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError

from duelbook.web.db.database import SQLITE, Database
from duelbook.web.db.tables import Change, MatchRow, matches, moves, seats, undone
from duelbook.web.tasks import cancel_all

MAX_BATCH = 256  # jobs in one transaction
GATHER_SECONDS = 0.01  # how long changes wait for others under load: a transaction costs more than its rows

log = logging.getLogger("duelbook.web")

FIXED_COLUMNS = ("id", "game", "dictionary", "seed", "time_limit", "creator", "created", "public")
CHANGING_COLUMNS = [field.name for field in fields(MatchRow) if field.name not in FIXED_COLUMNS]
SEAT_COLUMNS = ("name", "token", "choice", "reserved")  # set when a player takes the seat


class ConflictError(Exception):
    """Another process changed the match first; nothing was written."""


class StoreUnavailableError(Exception):
    """The database cannot be used now. Whether a change was written is unknown."""


@dataclass
class _Job:
    changes: Sequence[Change]
    done: "asyncio.Future[None]"


class Writer:
    """Commits changes in batches, and wakes each caller when its change is durable."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._jobs: list[_Job] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        while self._jobs and self._task and not self._task.done():
            await asyncio.sleep(0.01)
        if self._task:
            await cancel_all([self._task])

    async def apply(self, *changes: Change) -> None:
        """Write all of the changes or none; return once they are committed."""
        job = _Job(changes, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._wake.set()
        await job.done

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._jobs[:MAX_BATCH]
            await self._commit(batch)
            del self._jobs[: len(batch)]
            if len(batch) > 1:
                await asyncio.sleep(GATHER_SECONDS)
            if not self._jobs:
                self._wake.clear()

    async def _commit(self, batch: Sequence[_Job]) -> None:
        changes = [change for job in batch for change in job.changes]
        error = await self._try_write(changes)
        if error and not isinstance(error, StoreUnavailableError) and len(batch) > 1:
            for job in batch:  # one by one, so that only the job at fault fails
                await self._commit([job])
            return
        for job in batch:
            if not job.done.done():
                job.done.set_exception(error) if error else job.done.set_result(None)

    async def _try_write(self, changes: Sequence[Change]) -> Exception | None:
        """Write the changes in one transaction; return the error, if there is one."""
        try:
            await self._database.run(lambda connection: _write(connection, changes))
        except (ConflictError, IntegrityError) as error:
            return ConflictError(str(error))
        except (DataError, ProgrammingError) as error:  # a bug in Duelbook, not a failure of the database
            return error
        except (SQLAlchemyError, OSError) as error:
            log.warning("a change could not be written", extra={"why": str(error)})
            return StoreUnavailableError(str(error))
        except Exception as error:  # drivers raise errors of their own for bad values; the writer must keep running
            return error
        return None


class Statements:
    """The statements that write rows, for one kind of database. Each takes any number of rows as one parameter."""

    def __init__(self, dialect: str) -> None:
        match, seat, move = (unpacked_rows(dialect, table.c) for table in (matches, seats, moves))
        self.new = {
            table.name: _insert(table, unpacked_rows(dialect, table.c)) for table in (matches, seats, moves, undone)
        }
        self.lock = select(matches.c.id).where(matches.c.id.in_(select(match.c.id))).order_by("id").with_for_update()
        self.change_match = (
            update(matches)
            .where(matches.c.id == match.c.id, matches.c.version == match.c.version - 1)
            .values({name: match.c[name] for name in CHANGING_COLUMNS})
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
    return insert(table).from_select(list(table.c), values).execution_options(preserve_rowcount=True)


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


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write all the changes, with one statement for each kind of row."""
    sql = statements(connection.dialect.name)
    created = [change for change in changes if change.new]
    changed = [change for change in changes if not change.new]
    removed = [move for change in changes for move in change.undone]
    if connection.dialect.name != SQLITE:  # every process locks in the same order, so no two wait for each other
        connection.execute(sql.lock, packed_rows([change.match for change in changed]))
    for statement, rows in (
        (sql.new["matches"], [change.match for change in created]),
        (sql.new["seats"], [seat for change in created for seat in change.seats]),
        (sql.change_match, [change.match for change in changed]),
        (sql.take_seat, [seat for change in changed for seat in change.seats]),
        (sql.new["undone"], removed),
        (sql.remove_moves, removed),
        (sql.new["moves"], [move for change in changes for move in change.moves]),
    ):
        if rows:
            _write_rows(connection, statement, rows)


def _write_rows(connection: Connection, statement: Executable, rows: Sequence[Any]) -> None:
    """Write all the rows; raise ConflictError if the database held another state than expected."""
    if connection.execute(statement, packed_rows(rows)).rowcount != len(rows):
        raise ConflictError("A row was not as expected.")
