"""The writer: changes that come at the same time are committed together, and answered after the commit."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, update
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError

from duelbook.web.store.rows import Change, MatchRow
from duelbook.web.store.tables import matches, moves, seats, undone
from duelbook.web.store.threads import Threads

MOST_AT_ONCE = 256

log = logging.getLogger("duelbook.web")

FIXED = ("id", "game", "dictionary", "seed", "time_limit", "creator", "created", "public")
CHANGING = [field.name for field in fields(MatchRow) if field.name not in FIXED]
UPDATE_MATCH = (
    update(matches)
    .where(and_(matches.c.id == bindparam("same_id"), matches.c.version == bindparam("before")))
    .values({name: bindparam(name) for name in CHANGING})
)
TAKE_SEAT = (
    update(seats)
    .where(and_(seats.c.match == bindparam("same"), seats.c.seat == bindparam("place"), seats.c.token.is_(None)))
    .values({name: bindparam(name) for name in ("name", "token", "choice", "reserved")})
)
TAKE_BACK = delete(moves).where(and_(moves.c.match == bindparam("same"), moves.c.ply == bindparam("at")))


class ConflictError(Exception):
    """Somebody else changed the match first; nothing was written."""


class UnavailableError(Exception):
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
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

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
            if not self._jobs:
                self._wake.clear()

    async def _commit(self, batch: Sequence[_Job]) -> None:
        changes = [change for job in batch for change in job.changes]
        # Everybody in the same order, so that no two processes wait for each other.
        error = await self._written(sorted(changes, key=lambda change: (change.match.id, change.match.version)))
        if error and not isinstance(error, UnavailableError) and len(batch) > 1:
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
            return UnavailableError(str(error))
        except Exception as error:  # a driver refuses values in its own words; whoever comes next is still served
            return error
        return None


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write all the changes, each kind of row in one go."""
    _insert(connection, matches, (dict(vars(change.match)) for change in changes if change.new))
    _guarded(connection, UPDATE_MATCH, [_update(change.match) for change in changes if not change.new])
    _insert(connection, seats, (dict(vars(seat)) for change in changes if change.new for seat in change.seats))
    _guarded(
        connection,
        TAKE_SEAT,
        [
            {**vars(seat), "same": seat.match, "place": seat.seat}
            for change in changes
            if not change.new
            for seat in change.seats
        ],
    )
    taken_back = [dict(vars(move)) for change in changes for move in change.undone]
    _insert(connection, undone, taken_back)
    _guarded(connection, TAKE_BACK, [{"same": move["match"], "at": move["ply"]} for move in taken_back])
    _insert(connection, moves, (dict(vars(move)) for change in changes for move in change.moves))


def _update(match: MatchRow) -> dict[str, Any]:
    values = vars(match)
    return {**{name: values[name] for name in CHANGING}, "same_id": match.id, "before": match.version - 1}


def _insert(connection: Connection, table: Any, rows: Iterable[dict[str, Any]]) -> None:
    values = list(rows)
    if values:
        connection.execute(insert(table), values)


def _guarded(connection: Connection, statement: Any, rows: list[dict[str, Any]]) -> None:
    """Change one row for each set of values; if one is not as expected, somebody else was first."""
    if rows and connection.execute(statement, rows).rowcount != len(rows):
        raise ConflictError("a row was not as expected")
