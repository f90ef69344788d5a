"""The writer: changes that come at the same time are committed together, and answered after the commit."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, FromClause, Insert, Table, delete, insert, select, tuple_, update
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError

from duelbook.web.db.rows import Change, MatchRow
from duelbook.web.db.tables import matches, moves, seats, undone
from duelbook.web.db.threads import Threads
from duelbook.web.db.unpacking import SQLITE, given, packed
from duelbook.web.tasks import end

MOST_AT_ONCE = 256
GATHERING = 0.01  # seconds that changes wait for others where many come: a transaction costs more than its rows

log = logging.getLogger("duelbook.web")

FIXED = ("id", "game", "dictionary", "seed", "time_limit", "creator", "created", "public")
CHANGING = [field.name for field in fields(MatchRow) if field.name not in FIXED]
TAKEN = ("name", "token", "choice", "reserved")


class ConflictError(Exception):
    """Somebody else changed the match first; nothing was written."""


class StoreUnavailableError(Exception):
    """The database does not take the change now; whether it has been written is not known."""


@dataclass
class _Job:
    changes: Sequence[Change]
    done: "asyncio.Future[None]"


class Writer:
    """Takes changes and answers each when it is durable."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._jobs: list[_Job] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Finish what was begun, and stop."""
        while self._jobs and self._task and not self._task.done():
            await asyncio.sleep(0.01)
        if self._task:
            await end([self._task])

    async def apply(self, *changes: Change) -> None:
        """Write the changes, all or none; returns once they are committed."""
        job = _Job(changes, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._wake.set()
        await job.done

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._jobs[:MOST_AT_ONCE]
            await self._commit(batch)
            del self._jobs[: len(batch)]
            if len(batch) > 1:
                await asyncio.sleep(GATHERING)
            if not self._jobs:
                self._wake.clear()

    async def _commit(self, batch: Sequence[_Job]) -> None:
        changes = [change for job in batch for change in job.changes]
        error = await self._written(changes)
        if error and not isinstance(error, StoreUnavailableError) and len(batch) > 1:
            for job in batch:  # one of them: each by itself, so that only that one is refused
                await self._commit([job])
            return
        for job in batch:
            if not job.done.done():
                job.done.set_exception(error) if error else job.done.set_result(None)

    async def _written(self, changes: Sequence[Change]) -> Exception | None:
        """Write the changes in one transaction; answer what went wrong, if something did."""
        try:
            await self._threads.run(lambda connection: _write(connection, changes))
        except (ConflictError, IntegrityError) as error:
            return ConflictError(str(error))
        except (DataError, ProgrammingError) as error:  # a fault of ours, and not of the database
            return error
        except (SQLAlchemyError, OSError) as error:
            log.warning("a change could not be written", extra={"why": str(error)})
            return StoreUnavailableError(str(error))
        except Exception as error:  # a driver refuses values in its own words; whoever comes next is still served
            return error
        return None


class Statements:
    """How rows are written, in the words of a database. Each writes a row for every one that it is given."""

    def __init__(self, dialect: str) -> None:
        match, seat, move = (given(dialect, table.c) for table in (matches, seats, moves))
        self.new = {table.name: _insert(table, given(dialect, table.c)) for table in (matches, seats, moves, undone)}
        self.hold = select(matches.c.id).where(matches.c.id.in_(select(match.c.id))).order_by("id").with_for_update()
        self.change_match = (
            update(matches)
            .where(matches.c.id == match.c.id, matches.c.version == match.c.version - 1)
            .values({name: match.c[name] for name in CHANGING})
        )
        self.take_seat = (
            update(seats)
            .where(seats.c.match == seat.c.match, seats.c.seat == seat.c.seat, seats.c.token.is_(None))
            .values({name: seat.c[name] for name in TAKEN})
        )
        gone = select(move.c.match, move.c.ply)
        self.take_back = delete(moves).where(tuple_(moves.c.match, moves.c.ply).in_(gone))


statements = cache(Statements)


def _insert(table: Table, rows: FromClause) -> Insert:
    all_of_it = select(*(rows.c[column.name] for column in table.c))
    return insert(table).from_select(list(table.c), all_of_it).execution_options(preserve_rowcount=True)


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write all the changes, each kind of row in one go."""
    how = statements(connection.dialect.name)
    made = [change for change in changes if change.new]
    changed = [change for change in changes if not change.new]
    gone = [move for change in changes for move in change.undone]
    if connection.dialect.name != SQLITE:  # everybody in the same order, so that no two processes wait for each other
        connection.execute(how.hold, packed([change.match for change in changed]))
    for statement, rows in (
        (how.new["matches"], [change.match for change in made]),
        (how.new["seats"], [seat for change in made for seat in change.seats]),
        (how.change_match, [change.match for change in changed]),
        (how.take_seat, [seat for change in changed for seat in change.seats]),
        (how.new["undone"], gone),
        (how.take_back, gone),
        (how.new["moves"], [move for change in changes for move in change.moves]),
    ):
        if rows:
            _write_rows(connection, statement, rows)


def _write_rows(connection: Connection, statement: Executable, rows: Sequence[Any]) -> None:
    """Write all the rows; if one is not as expected in the database, somebody else was first."""
    if connection.execute(statement, packed(rows)).rowcount != len(rows):
        raise ConflictError("a row was not as expected")
