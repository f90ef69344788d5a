"""Open challenges: matches whose free seat is offered to everybody while their maker waits."""

import asyncio
from collections.abc import Callable

from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change
from duelbook.web.match.actions import seat_for
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem

EXPIRY_SECONDS = 30.0  # after which the challenge of a maker who has left is withdrawn


class Challenges:
    """Offers and withdraws challenges."""

    def __init__(self, registry: MatchRegistry, store: Store, present: Callable[[str], int]) -> None:
        self._registry = registry
        self._store = store
        self._present = present  # the seats of a match whose players are present, as a bit mask
        self._absent_since: dict[str, float] = {}  # the challenges whose makers have left, by the event loop

    async def offer(self, match: str, token: str | None, is_open: bool) -> ServedMatch:
        """Offer the free seat of a match to everybody, or withdraw the offer."""

        def step(served: ServedMatch) -> tuple[Change, ...]:
            seat_for(served, token)
            if not any(not seat.is_taken and not seat.reserved for seat in served.seats):
                raise served.problem("seat-taken", "The other seat is not free, so it cannot be offered.")
            return () if served.row.open == is_open else (served.offer(is_open),)

        return await self._registry.change(match, step)

    async def expire(self) -> None:
        """Withdraw the challenges of makers who left some time ago. They can offer them again."""
        now = asyncio.get_running_loop().time()
        absent: dict[str, float] = {}
        async for page in self._store.all_open_challenges():
            for match, creator in page:
                if not self._present(match) & 1 << creator:
                    absent[match] = self._absent_since.get(match, now)
        self._absent_since = absent
        for match, since in absent.items():
            if now - since > EXPIRY_SECONDS and not self._registry.is_unservable(match):
                await self._withdraw(match)

    async def _withdraw(self, match: str) -> None:
        def step(served: ServedMatch) -> tuple[Change, ...]:
            return (served.offer(False),) if served.row.open else ()

        try:
            await self._registry.change(match, step)
        except Problem:  # it was removed, or cannot be served
            return
