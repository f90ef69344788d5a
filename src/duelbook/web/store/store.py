"""The store: reads matches, and has changes written."""

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from sqlalchemy import Delete, Select, and_, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from duelbook.record import Reason
from duelbook.web.store.engine import database_url, glancing_engine, reading_engine, writing_engine
from duelbook.web.store.rows import Change, Kept, MatchRow, MoveRow, SeatRow
from duelbook.web.store.tables import matches, moves, seats, undone, uptime
from duelbook.web.store.writer import UnavailableError, Writer

AT_ONCE = 500  # matches that one question is about

VERSION = select(matches.c.version).where(matches.c.id == bindparam("same"))
UNFINISHED = matches.c.reason == Reason.UNFINISHED
_MATCH = [matches.c[name] for name in MatchRow.__dataclass_fields__]
_SEAT = [seats.c[name] for name in SeatRow.__dataclass_fields__]
_MOVE = [moves.c[name] for name in MoveRow.__dataclass_fields__]
_UNDONE = [undone.c[name] for name in MoveRow.__dataclass_fields__]


class Store:
    def __init__(self, url: str, *, megabytes: int = 0) -> None:
        self._reading = reading_engine(database_url(url))
        self._glancing = glancing_engine(database_url(url))
        self._writing = writing_engine(database_url(url), megabytes)
        self._writer = Writer(self._writing)

    def start(self) -> None:
        self._writer.start()

    async def close(self) -> None:
        await self._writer.close()
        await self._glancing.dispose()
        await self._reading.dispose()
        await self._writing.dispose()

    async def apply(self, *changes: Change) -> None:
        """Write the changes, all or none; returns once they are durable."""
        await self._writer.apply(*changes)

    async def load(self, match: str) -> Kept | None:
        """Answer all that is kept of a match."""
        async with self._reader() as connection:
            return await read_match(connection, match)

    async def is_there(self) -> bool:
        """Tell whether the database can be reached."""
        try:
            await self.version("none")
        except UnavailableError:
            return False
        return True

    async def version(self, match: str) -> int | None:
        """Answer the version that the match is at."""
        async with _Reader(self._glancing.connect()) as connection:
            return (await connection.execute(VERSION, {"same": match})).scalar()

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """Answer the versions that the matches are at."""
        found: dict[str, int] = {}
        wanted = list(ids)
        async with self._reader() as connection:
            for start in range(0, len(wanted), AT_ONCE):
                some = wanted[start : start + AT_ONCE]
                rows = await connection.execute(select(matches.c.id, matches.c.version).where(matches.c.id.in_(some)))
                found.update((row.id, row.version) for row in rows)
        return found

    async def with_agent_due(self, before: float | None = None) -> Sequence[str]:
        """Answer the matches in which a computer has to move, for some time if so asked."""
        since = [] if before is None else [matches.c.turn_started < before]
        return await self._ids(select(matches.c.id).where(and_(matches.c.agent_due, UNFINISHED, *since)))

    async def out_of_time(self, now: float) -> Sequence[str]:
        """Answer the matches whose mover's time is up."""
        late = matches.c.turn_started + matches.c.time_limit < now
        running = and_(UNFINISHED, matches.c.time_limit.is_not(None), matches.c.started.is_not(None))
        return await self._ids(select(matches.c.id).where(and_(running, late)))

    async def beat(self, seconds: float) -> float:
        """Note how long the service has been up; answer the longest that any process noted."""
        try:
            try:
                return await self._beat(seconds)
            except IntegrityError:  # another process was first to note something
                return await self._beat(seconds)
        except (SQLAlchemyError, OSError) as error:
            raise UnavailableError(str(error)) from error

    async def _beat(self, seconds: float) -> float:
        async with self._writing.begin() as connection:
            noted = (await connection.execute(select(uptime.c.seconds))).scalar()
            if noted is None:
                await connection.execute(insert(uptime).values(id=1, seconds=seconds))
            elif seconds > noted:
                await connection.execute(update(uptime).where(uptime.c.seconds < seconds).values(seconds=seconds))
            return max(seconds, noted or 0.0)

    async def purge(self, before: int) -> int:
        """Remove the unfinished matches that nobody touched since then; answer how many."""
        idle = and_(UNFINISHED, matches.c.touched < before)
        some = delete(matches).where(idle, matches.c.id.in_(select(matches.c.id).where(idle).limit(AT_ONCE)))
        count = 0
        while gone := await self._removed(some):  # a few at a time, so that nobody's move waits for all of them
            count += gone
        return count

    async def _removed(self, statement: Delete) -> int:
        try:
            async with self._writing.begin() as connection:
                return int((await connection.execute(statement)).rowcount)
        except (SQLAlchemyError, OSError) as error:
            raise UnavailableError(str(error)) from error

    async def _ids(self, question: "Select[Any]") -> Sequence[str]:
        async with self._reader() as connection:
            return list((await connection.execute(question.limit(AT_ONCE))).scalars())

    def _reader(self) -> "_Reader":
        return _Reader(self._reading.begin())


class _Reader:
    """A connection that reads; whatever the database cannot do is an UnavailableError."""

    def __init__(self, context: AbstractAsyncContextManager[AsyncConnection]) -> None:
        self._context = context

    async def __aenter__(self) -> AsyncConnection:
        try:
            return await self._context.__aenter__()
        except (SQLAlchemyError, OSError) as error:
            raise UnavailableError(str(error)) from error

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> None:
        try:
            await self._context.__aexit__(kind, error, traceback)
        except (SQLAlchemyError, OSError) as failure:
            raise UnavailableError(str(failure)) from failure
        if isinstance(error, SQLAlchemyError | OSError):
            raise UnavailableError(str(error)) from error


async def read_match(connection: AsyncConnection, match: str) -> Kept | None:
    """Answer the match with its seats and moves."""
    row = (await connection.execute(select(*_MATCH).where(matches.c.id == match))).one_or_none()
    if row is None:
        return None
    one, two = (await connection.execute(select(*_SEAT).where(seats.c.match == match).order_by(seats.c.seat))).all()
    played = await connection.execute(select(*_MOVE).where(moves.c.match == match).order_by(moves.c.ply))
    back = await connection.execute(
        select(*_UNDONE).where(undone.c.match == match).order_by(undone.c.version, undone.c.ply)
    )
    return Kept(
        MatchRow(*row),
        (SeatRow(*one), SeatRow(*two)),
        [MoveRow(*move) for move in played],
        [MoveRow(*move) for move in back],
    )
