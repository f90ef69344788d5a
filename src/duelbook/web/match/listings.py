"""Lists of matches for visitors: those that are being played, and open challenges. Only who is present counts."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from duelbook.games import broken_game
from duelbook.web.db.store import Store
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.shown import log_once
from duelbook.web.match.view import listed_challenge, listed_match
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES, Challenge, ListedMatch

BOTH = 3  # both seats, as a bit mask
SPARE = 12  # matches that are read besides those that are listed: some may have just ended, or cannot be served

T = TypeVar("T")


class Listings:
    """Finds matches by their players who are present, wherever those are."""

    def __init__(self, registry: MatchRegistry, store: Store, present: Callable[[], Mapping[str, int]]) -> None:
        self._registry = registry
        self._store = store
        self._present = present  # the seats of all matches whose players are present

    async def being_played(self) -> Sequence[ListedMatch]:
        """Return the public matches that players who are present are playing, the most recently active first."""
        present = self._present()
        ids = await self._store.being_played(present, MAX_LISTED_MATCHES + SPARE)

        def entry(served: ServedMatch) -> ListedMatch | None:
            everybody = present[served.row.id] | served.agents == BOTH
            running = served.begun and not served.match.over and not served.is_out_of_time
            return listed_match(served) if everybody and running else None

        return await self._read(ids, entry)

    async def challenges(self) -> Sequence[Challenge]:
        """Return the open challenges of players who are present and wait for an opponent, the newest first."""
        present = self._present()
        ids = await self._store.open_challenges(present, MAX_LISTED_MATCHES + SPARE)

        def entry(served: ServedMatch) -> Challenge | None:
            return listed_challenge(served) if is_offered(served, present[served.row.id]) else None

        return await self._read(ids, entry)

    async def _read(self, ids: Sequence[str], entry: Callable[[ServedMatch], T | None]) -> Sequence[T]:
        read = await asyncio.gather(*(self._read_one(match, entry) for match in ids))
        return [one for one in read if one is not None][:MAX_LISTED_MATCHES]

    async def _read_one(self, match: str, entry: Callable[[ServedMatch], T | None]) -> T | None:
        """Return the entry of the match, or None if it was removed or cannot be served.

        The entry is made as soon as the match is read: it may change, not yet durably, before another task continues.
        """
        try:
            return entry(await self._registry.read(match))
        except Problem:
            return None
        except Exception as error:
            if broken := broken_game(error):  # the other matches can be listed
                log_once(str(broken))
                return None
            raise


def is_offered(served: ServedMatch, present: int) -> bool:
    """Return True if the match is an open challenge whose maker is among those present."""
    return served.row.open and not served.begun and bool(present & 1 << served.row.creator)
