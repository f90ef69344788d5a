"""The matches of this process: kept warm in memory, checked against the store, changed one step at a time."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from duelbook.errors import RefusedError
from duelbook.game import uses_word_list
from duelbook.match import Clock
from duelbook.web.db.rows import Change
from duelbook.web.db.store import Store
from duelbook.web.db.writer import ConflictError
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem, unavailable

WARM = 2000  # matches that are kept in memory
TRIES = 5  # to change a match that others change too

log = logging.getLogger("duelbook.web")

Step = Callable[[ServedMatch], Sequence[Change]]


@dataclass
class _Entry:
    hosted: ServedMatch | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Matches:
    """Reads and changes matches; whoever works on one holds its lock until the change is durable."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock = clock
        self.listeners: list[Callable[[ServedMatch], None]] = []  # told after a change is durable; they never wait
        self.watchers: list[Callable[[ServedMatch], None]] = []  # told that, and of changes that other processes made
        self._store = store
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def look(self, match: str) -> ServedMatch:
        """Answer the match as the store has it now."""
        return await self.change(match, lambda _: ())

    async def in_public(self, most: int) -> Sequence[ServedMatch]:
        """Answer the public matches that are being played, those first that were touched last."""
        ids = await self._store.played_in_public(most)
        return [hosted for hosted in await asyncio.gather(*map(self._played, ids)) if hosted]

    async def _played(self, match: str) -> ServedMatch | None:
        """Answer the match if it is there, and not over when somebody looks."""
        try:
            hosted = await self.look(match)
        except Problem:
            return None
        return None if hosted.match.over else hosted

    async def change(self, match: str, step: Step) -> ServedMatch:
        """Take the step and answer the match once that is durable; what the step refuses changes nothing.

        A step may be tried on a match that is no longer up to date; if so, it is taken again on the newer one. The
        store finds that out when something is written; what writes nothing, or is refused, asks for it.
        """
        async with self._held(match) as entry:
            for _ in range(TRIES):
                warm = entry.hosted is not None
                hosted = entry.hosted = entry.hosted or await self._load(match)
                try:
                    if await self._take(hosted, step) or not warm or await self._is_newest(hosted):
                        return hosted
                    entry.hosted = None
                except (Problem, RefusedError):
                    if not warm or await self._is_newest(hosted):
                        raise
                    entry.hosted = None
                except ConflictError:
                    entry.hosted = None
                except BaseException:  # whether it was written is not known
                    entry.hosted = None
                    raise
            raise unavailable("too many others change this match; try again in a moment")

    async def add(self, hosted: ServedMatch) -> None:
        """Put a new match into the store."""
        await self._store.apply(hosted.created())
        await self.adopt(hosted)

    async def adopt(self, hosted: ServedMatch) -> None:
        """Keep a new match warm that is in the store already."""
        async with self._held(hosted.row.id) as entry:
            entry.hosted = hosted
        self._tell(hosted)

    async def changed_elsewhere(self, match: str, version: int) -> None:
        """Catch up with a change that another process made, and tell who watches it here."""
        async with self._held(match) as entry:
            if entry.hosted is None or entry.hosted.row.version < version:
                entry.hosted = await self._load(match)
            for watcher in self.watchers:  # also if a request has caught up before, which tells nobody
                watcher(entry.hosted)

    async def _take(self, hosted: ServedMatch, step: Step) -> bool:
        """Take the step; tell whether something was written."""
        if hosted.timed_out:
            await self._store.apply(hosted.run_out_of_time())
            self._tell(hosted)
        changes = step(hosted)
        if changes:
            await self._store.apply(*changes)
            self._tell(hosted)
        return bool(changes)

    def _tell(self, hosted: ServedMatch) -> None:
        for listener in (*self.watchers, *self.listeners):
            listener(hosted)

    async def _load(self, match: str) -> ServedMatch:
        kept = await self._store.load(match)
        if kept is None:
            raise Problem("not-found", "there is no such match")
        try:
            hosted = ServedMatch(kept, self.clock)
        except (LookupError, TypeError, ValueError) as error:
            log.error("a match is damaged", extra={"match": match, "why": str(error)})
            raise Problem("fault", "this match is damaged; `duelbook db check` says how") from error
        if uses_word_list(hosted.game) and hosted.game.digest != kept.match.dictionary:  # WC-2
            raise Problem("other-words", "this match was begun with another word list than the one here")
        return hosted

    async def _is_newest(self, hosted: ServedMatch) -> bool:
        return await self._store.version(hosted.row.id) == hosted.row.version

    @asynccontextmanager
    async def _held(self, match: str) -> AsyncIterator[_Entry]:
        entry = self._entries.setdefault(match, _Entry())
        self._entries.move_to_end(match)
        entry.users += 1
        try:
            async with entry.lock:
                yield entry
        finally:
            entry.users -= 1
            if entry.hosted is None and not entry.users:
                self._entries.pop(match, None)
            self._trim()

    def _trim(self) -> None:
        while len(self._entries) > WARM:
            match, entry = next(iter(self._entries.items()))
            if entry.users:
                self._entries.move_to_end(match)
                return
            del self._entries[match]
