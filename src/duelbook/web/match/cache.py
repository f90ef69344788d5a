"""The matches that this process keeps in memory, each with the lock under which it is read and changed."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.match.served_match import ServedMatch

MAX_CACHED_MATCHES = 2000
LOCK_SECONDS = 5.0  # to wait for the changes and reads of a match that came before
TRUST_SECONDS = 1.0  # after a match was written or checked, for which a socket may be opened without asking the store


@dataclass
class Entry:
    """A match in memory, if it was loaded, and what is known of its newest version."""

    served: ServedMatch | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    newest: int = 0  # the latest version that other processes are known to have made
    checked_at: float = -TRUST_SECONDS  # when the store was last known to hold this version, by the event loop

    @property
    def newest_served(self) -> ServedMatch | None:
        """The match unless it is known to be out of date."""
        return None if self.served is None or self.served.row.version < self.newest else self.served

    @property
    def is_recent(self) -> bool:
        """Whether the store was known to hold this version a moment ago, and nothing is being changed."""
        now = asyncio.get_running_loop().time()
        return self.served is not None and now < self.checked_at + TRUST_SECONDS and not self.lock.locked()

    def note_checked(self) -> None:
        """Note that the store holds this version now."""
        self.checked_at = asyncio.get_running_loop().time()


class MatchCache:
    """The entries by match, the most recently used last."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, match: str) -> Entry | None:
        return self._entries.get(match)

    def note_used(self, match: str) -> None:
        """Keep the entry longer than those that are not used."""
        if match in self._entries:
            self._entries.move_to_end(match)

    def locked(self, match: str) -> "LockedEntry":
        """Return a context manager that holds the lock of the match, and gives its entry."""
        entry = self._entries.get(match)
        if entry is None:
            entry = self._entries[match] = Entry()
        self._entries.move_to_end(match)
        return LockedEntry(self, match, entry)

    def release(self, match: str, entry: Entry) -> None:
        """Forget the entry if nothing is cached in it, and the oldest entries if there are too many."""
        if entry.served is None and not entry.users:
            self._entries.pop(match, None)
        while len(self._entries) > MAX_CACHED_MATCHES:
            oldest, other = next(iter(self._entries.items()))
            if other.users:
                self._entries.move_to_end(oldest)
                return
            del self._entries[oldest]


class LockedEntry:
    """An entry while its lock is held. A class, since every move enters one."""

    __slots__ = ("_cache", "_entry", "_match")

    def __init__(self, cache: MatchCache, match: str, entry: Entry) -> None:
        self._cache = cache
        self._match = match
        self._entry = entry
        entry.users += 1

    async def __aenter__(self) -> Entry:
        try:
            if self._entry.users == 1:  # nobody else can hold the lock
                await self._entry.lock.acquire()
            else:
                await _acquire_in_time(self._entry.lock)
        except BaseException:
            self._leave()
            raise
        return self._entry

    async def __aexit__(self, *_: object) -> None:
        self._entry.lock.release()
        self._leave()

    def _leave(self) -> None:
        self._entry.users -= 1
        self._cache.release(self._match, self._entry)


async def _acquire_in_time(lock: asyncio.Lock) -> None:
    try:
        async with asyncio.timeout(LOCK_SECONDS):
            await lock.acquire()
    except TimeoutError as error:
        raise StoreUnavailableError("a match is busy", "This match is busy. Try again in a moment.") from error
