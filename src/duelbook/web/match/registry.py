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
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change
from duelbook.web.db.writer import ConflictError
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem, unavailable

WARM = 2000  # matches that are kept in memory
TRIES = 5  # to change a match that others change too

log = logging.getLogger("duelbook.web")

Step = Callable[[ServedMatch], Sequence[Change]]


@dataclass
class _Entry:
    served: ServedMatch | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class MatchRegistry:
    """Reads and changes matches; whoever works on one holds its lock until the change is durable."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock = clock
        self.listeners: list[Callable[[ServedMatch], None]] = []  # told after a change is durable; they never wait
        self.watchers: list[Callable[[ServedMatch], None]] = []  # told that, and of changes that other processes made
        self._store = store
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def read(self, match: str) -> ServedMatch:
        """Answer the match as the store has it now."""
        return await self.change(match, lambda _: ())

    async def in_public(self, most: int) -> Sequence[ServedMatch]:
        """Answer the public matches that are being played, those first that were touched last."""
        ids = await self._store.public_matches(most)
        return [served for served in await asyncio.gather(*map(self._played, ids)) if served]

    async def _played(self, match: str) -> ServedMatch | None:
        """Answer the match if it is there, and not over when somebody looks."""
        try:
            served = await self.read(match)
        except Problem:
            return None
        return None if served.match.over else served

    async def change(self, match: str, step: Step) -> ServedMatch:
        """Take the step and answer the match once that is durable; what the step refuses changes nothing.

        A step may be tried on a match that is no longer up to date; if so, it is taken again on the newer one. The
        store finds that out when something is written; what writes nothing, or is refused, asks for it.
        """
        async with self._held(match) as entry:
            for _ in range(TRIES):
                warm = entry.served is not None
                served = entry.served = entry.served or await self._load(match)
                try:
                    if await self._take(served, step) or not warm or await self._is_newest(served):
                        return served
                    entry.served = None
                except (Problem, RefusedError):
                    if not warm or await self._is_newest(served):
                        raise
                    entry.served = None
                except ConflictError:
                    entry.served = None
                except BaseException:  # whether it was written is not known
                    entry.served = None
                    raise
            raise unavailable("too many others change this match; try again in a moment")

    async def add(self, served: ServedMatch) -> None:
        """Put a new match into the store."""
        await self._store.apply(served.created())
        await self.adopt(served)

    async def adopt(self, served: ServedMatch) -> None:
        """Keep a new match warm that is in the store already."""
        async with self._held(served.row.id) as entry:
            entry.served = served
        self._tell(served)

    async def changed_elsewhere(self, match: str, version: int) -> None:
        """Catch up with a change that another process made, and tell who watches it here."""
        async with self._held(match) as entry:
            if entry.served is None or entry.served.row.version < version:
                entry.served = await self._load(match)
            for watcher in self.watchers:  # also if a request has caught up before, which tells nobody
                watcher(entry.served)

    async def _take(self, served: ServedMatch, step: Step) -> bool:
        """Take the step; tell whether something was written."""
        if served.timed_out:
            await self._store.apply(served.run_out_of_time())
            self._tell(served)
        changes = step(served)
        if changes:
            await self._store.apply(*changes)
            self._tell(served)
        return bool(changes)

    def _tell(self, served: ServedMatch) -> None:
        for listener in (*self.watchers, *self.listeners):
            listener(served)

    async def _load(self, match: str) -> ServedMatch:
        kept = await self._store.load(match)
        if kept is None:
            raise Problem("not-found", "there is no such match")
        try:
            served = ServedMatch(kept, self.clock)
        except (LookupError, TypeError, ValueError) as error:
            log.error("a match is damaged", extra={"match": match, "why": str(error)})
            raise Problem("fault", "this match is damaged; `duelbook db check` says how") from error
        if uses_word_list(served.game) and served.game.digest != kept.match.dictionary:  # WC-2
            raise Problem("other-words", "this match was begun with another word list than the one here")
        return served

    async def _is_newest(self, served: ServedMatch) -> bool:
        return await self._store.version(served.row.id) == served.row.version

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
            if entry.served is None and not entry.users:
                self._entries.pop(match, None)
            self._trim()

    def _trim(self) -> None:
        while len(self._entries) > WARM:
            match, entry = next(iter(self._entries.items()))
            if entry.users:
                self._entries.move_to_end(match)
                return
            del self._entries[match]
