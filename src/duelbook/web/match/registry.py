"""The registry of matches: each is read from memory, checked against the store, and changed under its lock."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from duelbook.errors import RefusedError
from duelbook.game import Player, uses_word_list
from duelbook.game_errors import game_error
from duelbook.games import GAMES
from duelbook.match import Clock
from duelbook.web.db.errors import ConflictError
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change, MoveRow, StoredMatch
from duelbook.web.match.cache import Entry, MatchCache
from duelbook.web.match.served_match import ServedMatch, stored_game
from duelbook.web.match.shown import broken_game_problem
from duelbook.web.problems import Problem, unavailable

UNSERVABLE_SECONDS = 600.0  # after which a damaged match is tried again, though nobody asks for it
MAX_UNSERVABLE = 10_000  # such matches that are remembered
MAX_TRIES = 5  # to change a match that other processes change too

log = logging.getLogger("duelbook.web")

Step = Callable[[ServedMatch], Sequence[Change]]
LookUp = Callable[[ServedMatch], Awaitable[None]]


class MatchRegistry:
    """Reads and changes matches. The lock of a match is held until its change is durable."""

    def __init__(self, store: Store, clock: Clock, *, is_shared: bool = True) -> None:
        self.clock = clock
        self._is_shared = is_shared  # whether other processes tell this one what they change
        self.listeners: list[Callable[[ServedMatch], None]] = []  # called when a change of this process is durable
        self.watchers: list[Callable[[ServedMatch], None]] = []  # called then, and for changes of other processes
        self._store = store
        self._cache = MatchCache()
        self._unservable: dict[str, float] = {}  # since when, on the clock of the event loop; the oldest come first

    def __len__(self) -> int:
        """Return how many matches are held in memory."""
        return len(self._cache)

    async def read(self, match: str) -> ServedMatch:
        """Return the match as the store has it now. Nothing is written."""
        if served := await self._read_unlocked(match):
            return served
        async with self._cache.locked(match) as entry:
            if entry.served is None or not await self._is_newest(entry.served):
                return await self._update(match, entry)
            return entry.served

    async def read_recent(self, match: str) -> ServedMatch:
        """Return the match for a socket that is being opened, which is sent whatever changes from now on.

        A process that has no others to hear from need not ask the store for what it has just written or read.
        """
        entry = None if self._is_shared else self._cache.get(match)
        if entry and entry.served and entry.is_recent:
            return entry.served
        return await self.read(match)

    async def _read_unlocked(self, match: str) -> ServedMatch | None:
        """Return the match if it is cached, is the newest, and is not being changed: readers then need no turns."""
        entry = self._cache.get(match)
        if entry is None or entry.served is None or entry.lock.locked():
            return None
        version = await self._store.version(match)
        served = entry.served
        if served is None or entry.lock.locked() or served.row.version != version:
            return None
        entry.note_checked()
        self._cache.note_used(match)
        return served

    def cached(self, match: str) -> ServedMatch | None:
        """Return the match as this process knows it, if it does."""
        entry = self._cache.get(match)
        return entry.served if entry else None

    async def change(self, match: str, step: Step, look_up: LookUp | None = None) -> ServedMatch:
        """Take the step and return the match once the change is durable; a step that raises changes nothing.

        Before each time that the step is taken, `look_up` may ask the store what it needs.

        A person whose time is up has lost before the step is taken. The step may meet a match that is out of date;
        then it is taken again on the newer one. A write finds that out by itself; a step that writes nothing, or
        raises, asks the store.
        """
        async with self._cache.locked(match) as entry:
            for _ in range(MAX_TRIES):
                cached = entry.newest_served
                served = cached or await self._update(match, entry)
                try:
                    if look_up:
                        await look_up(served)
                    if await self._take(entry, served, step) or not cached or await self._is_newest(served):
                        return served
                    entry.newest = served.row.version + 1
                except (Problem, RefusedError):
                    if not cached or await self._is_newest(served):
                        raise
                    entry.newest = served.row.version + 1
                except ConflictError:
                    entry.served = None
                except BaseException:  # whether the change was written is unknown
                    entry.served = None
                    raise
            raise unavailable("This match is changed too often at the moment. Try again in a second.")

    async def line_of_undone_move(self, match: str, seat: Player, key: str) -> Sequence[MoveRow] | None:
        """Return the moves right after a move that was taken back since, or None if the key is not that of one."""
        return await self._store.line_of_undone_move(match, seat, key)

    async def end_if_out_of_time(self, match: str, version: int = 0, turn_started: float = 0.0) -> None:
        """End the match if the mover's time is up. The turn of that version is known to have begun at that uptime."""

        async def look_up(served: ServedMatch) -> None:
            if served.row.version == version:
                served.start_turn(turn_started)

        await self.change(match, lambda _: (), look_up)

    async def add(self, served: ServedMatch) -> None:
        """Put a new match into the store."""
        await self._store.apply(served.create())
        await self.adopt(served)

    async def adopt(self, served: ServedMatch) -> None:
        """Cache a new match that is already in the store."""
        async with self._cache.locked(served.row.id) as entry:
            entry.served = served
            entry.note_checked()
        self.notify(served)

    async def refresh(self, match: str, version: int) -> None:
        """Load a change that another process made, and notify the watchers."""
        async with self._cache.locked(match) as entry:
            entry.newest = max(entry.newest, version)
            served = entry.newest_served or await self._update(match, entry)
            _call(self.watchers, served)  # even if a request loaded it before: that notifies no watcher

    def expect(self, match: str, version: int) -> None:
        """Note that another process has made that version. The match is read again before it is changed here."""
        if entry := self._cache.get(match):
            entry.newest = max(entry.newest, version)

    async def _take(self, entry: Entry, served: ServedMatch, step: Step) -> bool:
        """Take the step; return True if it wrote something."""
        if served.is_out_of_time:
            await self._write(entry, served, (served.run_out_of_time(),))
        changes = step(served)
        if changes:
            await self._write(entry, served, changes)
        return bool(changes)

    async def _write(self, entry: Entry, served: ServedMatch, changes: Sequence[Change]) -> None:
        await self._store.apply(*changes)
        entry.note_checked()
        self.notify(served)

    def notify(self, served: ServedMatch) -> None:
        served.change_is_durable()
        _call((*self.watchers, *self.listeners), served)

    async def _update(self, match: str, entry: Entry) -> ServedMatch:
        """Return and cache the match as the store has it now. If only moves are new, only those are read and played."""
        served, entry.served = entry.served, None
        if served is None or not await self._catch_up(served):
            served = await self._load(match)
        entry.served, entry.newest = served, served.row.version
        entry.note_checked()
        return served

    async def _catch_up(self, served: ServedMatch) -> bool:
        if len(served.moves) < 2:
            return False
        later = await self._store.load(served.row.id, len(served.moves) - 1)
        try:
            return later is not None and served.catch_up(later)
        except (LookupError, TypeError, ValueError):  # loading all of it tells what is damaged
            return False

    async def _load(self, match: str) -> ServedMatch:
        stored = await self._store.load(match)
        if stored is None:
            raise Problem("not-found", "There is no such match.")
        self._unservable.pop(match, None)
        try:
            return self._serve(stored)
        except Problem:
            self._unservable[match] = asyncio.get_running_loop().time()
            if len(self._unservable) > MAX_UNSERVABLE:
                del self._unservable[next(iter(self._unservable))]
            raise

    def is_unservable(self, match: str) -> bool:
        """Return True if the match was damaged, or had another word list or no game, when it was loaded lately."""
        since = self._unservable.get(match)
        return since is not None and asyncio.get_running_loop().time() - since < UNSERVABLE_SECONDS

    def _serve(self, stored: StoredMatch) -> ServedMatch:
        match = stored.match.id
        if stored.match.game not in GAMES:  # its package is not installed any more
            log.warning("the game of a match is not installed", extra={"match": match, "game": stored.match.game})
            raise Problem("no-game", f"The game {stored.match.game} is not installed here. Its matches wait for it.")
        try:
            game = stored_game(stored.match.game, stored.match.options)
            try:
                served = ServedMatch(stored, self.clock)
            except Exception as error:
                if broken := game_error(error, type(game)):
                    raise broken_game_problem(broken) from error
                raise
        except (LookupError, TypeError, ValueError) as error:
            log.error("a match is damaged", extra={"match": match, "why": str(error)})
            raise Problem("fault", "This match is damaged. The operator can run: duelbook db check") from error
        if uses_word_list(served.game) and served.game.digest != stored.match.dictionary:  # WC-2
            raise Problem("other-words", "This match began with another word list, not the one installed here.")
        return served

    async def _is_newest(self, served: ServedMatch) -> bool:
        return await self._store.version(served.row.id) == served.row.version


def _call(listeners: Iterable[Callable[[ServedMatch], None]], served: ServedMatch) -> None:
    """Tell all the listeners of a change. One that fails must not make a durable change look like a failure."""
    for listener in listeners:
        try:
            listener(served)
        except Exception:
            log.exception("a listener failed", extra={"match": served.row.id})
