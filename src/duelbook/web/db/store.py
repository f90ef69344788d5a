"""The store: reads matches, and has changes written."""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from duelbook.records.record import Reason
from duelbook.web.db.engine import READERS, database_url, glancing_engine, reading_engine, writing_engine
from duelbook.web.db.glances import VersionBatcher
from duelbook.web.db.rows import Change, MatchRow, MoveRow, SeatRow, StoredMatch
from duelbook.web.db.tables import BEGUN_IN_PUBLIC, matches, moves, seats, undone, uptime
from duelbook.web.db.threads import Threads
from duelbook.web.db.unpacking import given, packed
from duelbook.web.db.writer import StoreUnavailableError, Writer

AT_ONCE = 500  # matches that one question is about

UNFINISHED = matches.c.reason == Reason.UNFINISHED
PUBLIC = (
    select(matches.c.id)
    .where(BEGUN_IN_PUBLIC, UNFINISHED)
    .order_by(matches.c.touched.desc(), matches.c.turn_started.desc())  # the first is to the minute
)
_MATCH = [matches.c[name] for name in MatchRow.__dataclass_fields__]
_SEAT = [seats.c[name] for name in SeatRow.__dataclass_fields__]
_MOVE = [moves.c[name] for name in MoveRow.__dataclass_fields__]
_UNDONE = [undone.c[name] for name in MoveRow.__dataclass_fields__]

T = TypeVar("T")


class Store:
    def __init__(self, url: str, *, megabytes: int = 0) -> None:
        self._reading = Threads(reading_engine(database_url(url)), READERS)
        self._glancing = Threads(glancing_engine(database_url(url)), READERS)
        self._glances = VersionBatcher(self._glance)
        self._writing = Threads(writing_engine(database_url(url), megabytes), 1)
        self._writer = Writer(self._writing)

    def start(self) -> None:
        self._writer.start()

    async def close(self) -> None:
        await self._writer.close()
        await self._glancing.close()
        await self._reading.close()
        await self._writing.close()

    async def apply(self, *changes: Change) -> None:
        """Write the changes, all or none; returns once they are durable."""
        await self._writer.apply(*changes)

    async def load(self, match: str) -> StoredMatch | None:
        """Answer all that is kept of a match."""
        return await _asked(self._reading, lambda connection: read_match(connection, match))

    async def is_there(self) -> bool:
        """Tell whether the database can be reached."""
        try:
            await self.version("none")
        except StoreUnavailableError:
            return False
        return True

    async def version(self, match: str) -> int | None:
        """Answer the version that the match is at."""
        return await self._glances.version(match)

    async def _glance(self, ids: Collection[str]) -> dict[str, int]:
        return await _asked(self._glancing, lambda connection: _versions(connection, ids))

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """Answer the versions that the matches are at."""
        return await _asked(self._reading, lambda connection: _versions(connection, ids))

    async def with_agent_due(self, before: float | None = None) -> Sequence[str]:
        """Answer the matches in which a computer has to move, for some time if so asked."""
        since = [] if before is None else [matches.c.turn_started < before]
        return await self._ids(select(matches.c.id).where(and_(matches.c.agent_due, UNFINISHED, *since)))

    async def out_of_time(self, now: float) -> Sequence[str]:
        """Answer the matches whose mover's time is up."""
        late = matches.c.turn_started + matches.c.time_limit < now
        running = and_(UNFINISHED, matches.c.time_limit.is_not(None), matches.c.started.is_not(None))
        return await self._ids(select(matches.c.id).where(and_(running, late)))

    async def played_in_public(self, most: int) -> Sequence[str]:
        """Answer the public matches that are being played, those first that were touched last."""
        return await self._ids(PUBLIC, most)

    async def beat(self, seconds: float) -> float:
        """Note how long the service has been up; answer the longest that any process noted."""
        try:
            return await _asked(self._writing, lambda connection: _note(connection, seconds))
        except IntegrityError:  # another process was first to note something
            return await _asked(self._writing, lambda connection: _note(connection, seconds))

    async def purge(self, before: int) -> int:
        """Remove the unfinished matches that nobody touched since then; answer how many."""
        idle = and_(UNFINISHED, matches.c.touched < before)
        some = delete(matches).where(idle, matches.c.id.in_(select(matches.c.id).where(idle).limit(AT_ONCE)))
        count = 0
        # A few at a time, so that nobody's move waits for all of them.
        while gone := await _asked(self._writing, lambda connection: connection.execute(some).rowcount):
            count += gone
        return count

    async def _ids(self, question: "Select[Any]", most: int = AT_ONCE) -> Sequence[str]:
        some = question.limit(most)
        return await _asked(self._reading, lambda connection: list(connection.execute(some).scalars()))


async def _asked(threads: Threads, work: Callable[[Connection], T]) -> T:
    """Answer what the work answers; whatever the database cannot do is an StoreUnavailableError."""
    try:
        return await threads.run(work)
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError) as error:
        raise StoreUnavailableError(str(error)) from error


@cache
def _question(dialect: str) -> "Select[str, int]":
    return select(matches.c.id, matches.c.version).where(matches.c.id.in_(select(given(dialect, [matches.c.id]))))


def _versions(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    rows = connection.execute(_question(connection.dialect.name), packed([{"id": match} for match in ids]))
    return dict(iter(rows))


def _note(connection: Connection, seconds: float) -> float:
    noted = connection.execute(select(uptime.c.seconds)).scalar()
    if noted is None:
        connection.execute(insert(uptime).values(id=1, seconds=seconds))
    elif seconds > noted:
        connection.execute(update(uptime).where(uptime.c.seconds < seconds).values(seconds=seconds))
    return max(seconds, noted or 0.0)


def read_match(connection: Connection, match: str) -> StoredMatch | None:
    """Answer the match with its seats and moves."""
    row = connection.execute(select(*_MATCH).where(matches.c.id == match)).one_or_none()
    if row is None:
        return None
    one, two = connection.execute(select(*_SEAT).where(seats.c.match == match).order_by(seats.c.seat)).all()
    played = connection.execute(select(*_MOVE).where(moves.c.match == match).order_by(moves.c.ply))
    back = connection.execute(select(*_UNDONE).where(undone.c.match == match).order_by(undone.c.version, undone.c.ply))
    return StoredMatch(
        MatchRow(*row),
        (SeatRow(*one), SeatRow(*two)),
        [MoveRow(*move) for move in played],
        [MoveRow(*move) for move in back],
    )
