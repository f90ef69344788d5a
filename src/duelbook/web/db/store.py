"""The store: reads matches from the database, and passes changes to the writer."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Any, TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    false,
    insert,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError

from duelbook.game import Reason
from duelbook.web.db.batcher import QUERY_LIMIT, Batcher
from duelbook.web.db.changes import select_versions
from duelbook.web.db.database import Databases
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.health import WriteHealth
from duelbook.web.db.match_queries import MatchQueries, line_of_undone_move, match_queries, select_matches
from duelbook.web.db.row_parameters import packed_rows
from duelbook.web.db.sqlite_file import mark_uptime, space_error
from duelbook.web.db.tables import (
    IS_DUE,
    IS_OPEN,
    Change,
    MoveRow,
    StoredMatch,
    matches,
    uptime,
)
from duelbook.web.db.writer import Writer

PURGE_BATCH = 100  # matches that one transaction removes
MAX_PRESENT = 10_000  # matches with players who are present among which some are looked for
MAX_PURGED = 1000  # matches that one run removes: a mistake is noticed in the log before everything is gone

# Statements are built once: that takes longer than running them.
READ_UPTIME = select(uptime.c.seconds)
_BEHIND = select(uptime.c.id).where(uptime.c.seconds < bindparam("now")).with_for_update(skip_locked=True)
RECORD_UPTIME = update(uptime).where(uptime.c.id.in_(_BEHIND)).values(seconds=bindparam("now"))

Ts = TypeVarTuple("Ts")


class Store:
    """Matches in an SQLite or PostgreSQL database."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._reading, self._autocommit, self._writing, self._upkeep = databases
        self._version_batcher = Batcher(self._read_versions)
        self._match_batcher = Batcher(self._read_matches, at_once=2)  # a connection may be lost
        self._health = WriteHealth()
        self._writer = Writer(self._writing, self._health)

    def start(self) -> None:
        self._writer.start()

    @property
    def waiting(self) -> int:
        """How many changes wait to be written."""
        return self._writer.waiting

    async def close(self) -> None:
        await self._writer.close()
        await asyncio.gather(*(database.close() for database in {*self._databases}))

    async def check(self) -> None:
        """Raise StoreUnavailableError if the store cannot read now, or could not write."""
        if problem := self._health.problem:
            raise StoreUnavailableError(str(problem), problem.detail)
        await self.version("none")

    async def apply(self, *changes: Change) -> None:
        """Write all of the changes or none; return once they are durable."""
        await self._writer.apply(*changes)

    async def load(self, match: str, ply: int = 0) -> StoredMatch | None:
        """Return the match with its seats and moves or, with a ply, without seats and with the moves from it on."""
        return await self._match_batcher.get((match, ply))

    async def _read_matches(self, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], StoredMatch]:
        return await self._reading.run(lambda connection: select_matches(connection, wanted))

    async def line_of_undone_move(self, match: str, seat: int, key: str) -> Sequence[MoveRow] | None:
        """Return the moves right after a move that was taken back since, or None if the key is not that of one."""
        return await self._reading.run(lambda connection: line_of_undone_move(connection, match, seat, key))

    async def version(self, match: str) -> int | None:
        """Return the version of the match, or None if there is no such match."""
        return await self._version_batcher.get(match)

    async def _read_versions(self, ids: Collection[str]) -> dict[str, int]:
        return await self._autocommit.run(lambda connection: select_versions(connection, ids))

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """Return the versions of the matches that exist."""
        wanted, found = list(ids), dict[str, int]()
        for start in range(0, len(wanted), QUERY_LIMIT):
            some = wanted[start : start + QUERY_LIMIT]
            found |= await self._reading.run(partial(select_versions, ids=some))
        return found

    def with_agent_due(self, before: float | None = None) -> AsyncIterator[Sequence[str]]:
        """Yield all matches in which it is an agent's turn, and has been since before that uptime if one is given."""
        since = [] if before is None else [matches.c.due < before]
        return self._pages(matches.c.agent_due == true(), *since)

    def out_of_time(self, now: float) -> AsyncIterator[Sequence[str]]:
        """Yield all running matches in which a person's time is up at that uptime."""
        return self._pages(matches.c.agent_due == false(), matches.c.due < now)

    async def _pages(self, *conditions: "ColumnElement[bool]") -> AsyncIterator[Sequence[str]]:
        """Yield the ids of all matches that are due under these conditions, the longest due first, page by page."""
        due = select(matches.c.due, matches.c.id).where(IS_DUE, *conditions)
        due = due.order_by(matches.c.due, matches.c.id).limit(QUERY_LIMIT)
        page = await self._read(due)
        while page:
            yield [match for _, match in page]
            if len(page) < QUERY_LIMIT:
                return
            later = due.where(tuple_(matches.c.due, matches.c.id) > tuple_(*page[-1]))
            page = await self._read(later)

    async def _read(self, query: "Select[*Ts]") -> "Sequence[Row[*Ts]]":
        return await self._reading.run(lambda connection: connection.execute(query).all())

    async def being_played(self, present: Mapping[str, int], limit: int) -> Sequence[str]:
        """Return the public matches whose players are all among those present, the most recently active first."""
        return await self._among(present, limit, lambda queries: queries.being_played)

    async def open_challenges(self, present: Mapping[str, int], limit: int) -> Sequence[str]:
        """Return the open challenges among the matches whose players are present, the most recently active first."""
        return await self._among(present, limit, lambda queries: queries.open_challenges)

    async def _among(
        self, present: Mapping[str, int], limit: int, query: "Callable[[MatchQueries], Select[str, int, float]]"
    ) -> Sequence[str]:
        """Return the matches that the query finds among these, looked up by their ids, some at a time."""
        wanted = [{"id": match, "present": seats} for match, seats in list(present.items())[-MAX_PRESENT:]]
        found: list[tuple[int, float, str]] = []
        for start in range(0, len(wanted), QUERY_LIMIT):
            rows = packed_rows(wanted[start : start + QUERY_LIMIT])

            def read(connection: Connection, rows: dict[str, str] = rows) -> Sequence[Any]:
                return connection.execute(query(match_queries(connection.dialect.name)).limit(limit), rows).all()

            found += [(active, turn, match) for match, active, turn in await self._reading.run(read)]
        return [match for _, _, match in sorted(found, reverse=True)[:limit]]

    async def all_open_challenges(self) -> AsyncIterator[Sequence[tuple[str, int]]]:
        """Yield all open challenges, each with the seat of its maker, page by page."""
        some = select(matches.c.id, matches.c.creator).where(IS_OPEN).order_by(matches.c.id).limit(QUERY_LIMIT)
        page = await self._read(some)
        while page:
            yield [(match, creator) for match, creator in page]
            if len(page) < QUERY_LIMIT:
                return
            page = await self._read(some.where(matches.c.id > page[-1].id))

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

    async def purge(self, before: float, *, finished: bool = False) -> int:
        """Remove matches that were last active before that uptime, unfinished or finished ones; return how many.

        At most MAX_PURGED are removed, in small batches, so that no move waits for all of them.
        """
        count = 0
        for reason in [one for one in Reason if (one is not Reason.UNFINISHED) == finished]:
            # Compared with a whole number, like the column itself: PostgreSQL uses no index for another type.
            old = select(matches.c.id).where(matches.c.reason == reason, matches.c.active_at < ceil(before))
            some = old.order_by(matches.c.active_at).limit(PURGE_BATCH).with_for_update(skip_locked=True)
            removed = PURGE_BATCH
            while removed == PURGE_BATCH and count < MAX_PURGED:
                removed = await self._upkeep.run(partial(_remove, query=some))
                count += removed
        return count


def _remove(connection: Connection, query: "Select[str]") -> int:
    """Remove the matches that the query finds."""
    found = connection.execute(query).scalars().all()
    connection.execute(delete(matches).where(matches.c.id.in_(found)))
    return len(found)


def _record_uptime(connection: Connection, seconds: float) -> float | None:
    recorded = connection.execute(READ_UPTIME).scalar()
    if recorded is None:
        connection.execute(insert(uptime).values(id=1, seconds=seconds))
    elif seconds > recorded:
        mark_uptime(connection, seconds)
        return seconds if connection.execute(RECORD_UPTIME, {"now": seconds}).rowcount else None
    return max(seconds, recorded or 0.0)
