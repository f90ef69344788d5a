"""The store: reads matches from the database, and passes changes to the writer."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Select, and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from duelbook.game import Reason
from duelbook.web.db.database import Databases
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.health import WriteHealth
from duelbook.web.db.sqlite_file import space_error
from duelbook.web.db.tables import (
    BEGUN_IN_PUBLIC,
    Change,
    MatchRow,
    MoveRow,
    SeatRow,
    StoredMatch,
    matches,
    moves,
    seats,
    undone,
    uptime,
)
from duelbook.web.db.writer import Writer, select_versions

QUERY_LIMIT = 500  # matches that one query is about

UNFINISHED = matches.c.reason == Reason.UNFINISHED
PUBLIC = (
    select(matches.c.id)
    .where(BEGUN_IN_PUBLIC, UNFINISHED)
    .order_by(matches.c.touched.desc(), matches.c.turn_started.desc())  # `touched` is rounded to the minute
)
_MATCH = [matches.c[name] for name in MatchRow.__struct_fields__]
_SEAT = [seats.c[name] for name in SeatRow.__struct_fields__]
_MOVE = [moves.c[name] for name in MoveRow.__struct_fields__]
_UNDONE = [undone.c[name] for name in MoveRow.__struct_fields__]


class Store:
    """Matches in an SQLite or PostgreSQL database."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._reading, self._autocommit, self._writing, self._upkeep = databases
        self._version_batcher = VersionBatcher(self._read_versions)
        self._health = WriteHealth()
        self._writer = Writer(self._writing, self._health)

    def start(self) -> None:
        self._writer.start()

    async def close(self) -> None:
        await self._writer.close()
        await asyncio.gather(*(database.close() for database in {*self._databases}))

    async def check(self) -> None:
        """Raise StoreUnavailableError if the store cannot read now, or could not write."""
        await self.version("none")
        if problem := self._health.problem:
            raise StoreUnavailableError(str(problem), problem.detail)

    async def apply(self, *changes: Change) -> None:
        """Write all of the changes or none; return once they are durable."""
        await self._writer.apply(*changes)

    async def load(self, match: str) -> StoredMatch | None:
        """Return the match with its seats and moves, or None."""
        return await self._reading.run(lambda connection: _read_match(connection, match))

    async def version(self, match: str) -> int | None:
        """Return the version of the match, or None if there is no such match."""
        return await self._version_batcher.version(match)

    async def _read_versions(self, ids: Collection[str]) -> dict[str, int]:
        return await self._autocommit.run(lambda connection: select_versions(connection, ids))

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """Return the versions of the matches that exist."""
        return await self._reading.run(lambda connection: select_versions(connection, ids))

    async def with_agent_due(self, before: float | None = None) -> Sequence[str]:
        """Return the matches in which it is an agent's turn, and has been since before that uptime if one is given."""
        since = [] if before is None else [matches.c.turn_started < before]
        return await self._ids(select(matches.c.id).where(and_(matches.c.agent_due, UNFINISHED, *since)))

    async def out_of_time(self, now: float) -> Sequence[str]:
        """Return the running matches whose mover's time is up at that uptime."""
        late = matches.c.turn_started + matches.c.time_limit < now
        running = and_(UNFINISHED, matches.c.time_limit.is_not(None), matches.c.started.is_not(None))
        return await self._ids(select(matches.c.id).where(and_(running, late)))

    async def public_matches(self, limit: int) -> Sequence[str]:
        """Return the public matches that are being played, the most recently active first."""
        return await self._ids(PUBLIC, limit)

    async def record_uptime(self, seconds: float) -> float | None:
        """Record how long the service has been up; return the longest uptime that any process recorded.

        Return None if another session has locked the record.
        """
        try:
            recorded, full = await self._upkeep.run(
                lambda connection: (_record_uptime(connection, seconds), space_error(connection))
            )
        except IntegrityError:  # another process recorded the first uptime at the same moment
            return await self.record_uptime(seconds)
        except StoreUnavailableError as error:
            self._health.uptime_failed(error)
            raise
        if full:
            self._health.uptime_failed(full)
        else:
            self._health.uptime_recorded()
        return recorded

    async def purge(self, before: int) -> int:
        """Remove the unfinished matches that were last active before that time; return how many."""
        idle = and_(UNFINISHED, matches.c.touched < before)
        some = delete(matches).where(idle, matches.c.id.in_(select(matches.c.id).where(idle).limit(QUERY_LIMIT)))
        count = 0
        # In small batches, so that no move waits for all of them.
        while removed := await self._upkeep.run(lambda connection: connection.execute(some).rowcount):
            count += removed
        return count

    async def _ids(self, query: "Select[Any]", limit: int = QUERY_LIMIT) -> Sequence[str]:
        limited = query.limit(limit)
        return await self._reading.run(lambda connection: list(connection.execute(limited).scalars()))


class VersionBatcher:
    """Asks for the versions of matches that are wanted at the same time in one query."""

    def __init__(self, ask: Callable[[Collection[str]], Awaitable[dict[str, int]]]) -> None:
        self._ask = ask
        self._one_at_a_time = asyncio.Lock()
        self._wanted: set[str] = set()
        self._next: asyncio.Task[dict[str, int]] | None = None  # the query that has not been sent yet

    async def version(self, match: str) -> int | None:
        """Return the version of the match at the time of this call, or a later one."""
        self._wanted.add(match)
        if self._next is None:
            self._next = asyncio.create_task(self._query())
            self._next.add_done_callback(_retrieve_exception)
        return (await asyncio.shield(self._next)).get(match)

    async def _query(self) -> dict[str, int]:
        async with self._one_at_a_time:
            wanted, self._wanted, self._next = self._wanted, set(), None
            return await self._ask(wanted)


def _retrieve_exception(task: "asyncio.Task[dict[str, int]]") -> None:
    """Keep asyncio from logging an error that no caller waits for any more."""
    with suppress(asyncio.CancelledError):
        task.exception()


def _record_uptime(connection: Connection, seconds: float) -> float | None:
    recorded = connection.execute(select(uptime.c.seconds)).scalar()
    if recorded is None:
        connection.execute(insert(uptime).values(id=1, seconds=seconds))
    elif seconds > recorded:
        unlocked = select(uptime.c.id).where(uptime.c.seconds < seconds).with_for_update(skip_locked=True)
        done = connection.execute(update(uptime).where(uptime.c.id.in_(unlocked)).values(seconds=seconds))
        return seconds if done.rowcount else None
    return max(seconds, recorded or 0.0)


def _read_match(connection: Connection, match: str) -> StoredMatch | None:
    row = connection.execute(select(*_MATCH).where(matches.c.id == match)).one_or_none()
    if row is None:
        return None
    one, two = connection.execute(select(*_SEAT).where(seats.c.match == match).order_by(seats.c.seat)).all()
    played = connection.execute(select(*_MOVE).where(moves.c.match == match).order_by(moves.c.ply))
    removed = connection.execute(
        select(*_UNDONE).where(undone.c.match == match).order_by(undone.c.version, undone.c.ply)
    )
    return StoredMatch(
        MatchRow(*row),
        (SeatRow(*one), SeatRow(*two)),
        [MoveRow(*move) for move in played],
        [MoveRow(*move) for move in removed],
    )
