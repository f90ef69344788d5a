"""Claims: a player whose opponent stays away can claim the win, after a warning and a fair time to come back.

The warning is stored, and the time is that of the service's clock, so no restart shortens it. Whoever comes back ends
it: the process that has the player's socket removes the warning from the store. So a process that does not know who is
present elsewhere cannot let a player lose who is there.
"""

import asyncio
import logging
import math
from collections.abc import Callable

from duelbook.game import Player
from duelbook.text import plural
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.tables import Change
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem
from duelbook.web.tasks import cancel_all, start

RECONNECT_SECONDS = 15.0  # after a start, in which players may still be on their way back

log = logging.getLogger("duelbook.web")

Present = Callable[[str], int]  # the seats of a match whose players are present, as a bit mask


class Claims:
    """Warns absent players, and ends the matches of those who do not come back."""

    def __init__(self, registry: MatchRegistry, present: Present, present_here: Present, seconds: float) -> None:
        self._registry = registry
        self._present = present
        self._present_here = present_here  # of those, the ones with a socket in this process
        self._seconds = seconds
        self._ready_at = 0.0  # on the clock of the event loop
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to take claims, once players have had the time to connect again."""
        self._ready_at = asyncio.get_running_loop().time() + min(RECONNECT_SECONDS, self._seconds)

    async def close(self) -> None:
        await cancel_all(self._tasks)

    def claim(self, served: ServedMatch, seat: Player) -> Change:
        """Warn the absent opponent, or win the match if they were warned and have not come back in time."""
        self._check_absence(served, seat)
        if served.row.claim_by != seat:
            return served.warn(seat, self._seconds)
        if left := math.ceil(served.claim_seconds_left or 0.0):
            raise served.problem(
                "not-now", f"Your opponent can still come back. Claim the win in {plural(left, 'second')}."
            )
        if asyncio.get_running_loop().time() < self._ready_at:
            raise served.problem("not-now", "The service has just started. Your opponent may be on the way back.")
        return served.lose_by_absence()

    def _check_absence(self, served: ServedMatch, seat: Player) -> None:
        """Raise a problem if the opponent of that seat, for whom the match waits, is present."""
        if self._present(served.row.id) & 1 << (1 - seat):
            raise served.problem(  # presence lingers, so that a page can be reloaded
                "not-now",
                "Your opponent seems to be here, so there is nothing to claim. "
                "If they have just left, try again in a few seconds.",
            )

    def notice(self, served: ServedMatch) -> None:
        """Remove a warning of somebody who is present. A watcher of the registry."""
        if served.row.claim_by is not None:
            warned = 1 - served.row.claim_by
            if self._present_here(served.row.id) & 1 << warned:
                start(self._remove_warning(served.row.id, warned), self._tasks)

    def welcome(self, match: str) -> None:
        """Remove the warning of a player who has just opened a socket."""
        if served := self._registry.cached(match):
            self.notice(served)

    async def _remove_warning(self, match: str, warned: Player) -> None:
        def step(served: ServedMatch) -> tuple[Change, ...]:
            return (served.drop_claim(),) if served.row.claim_by == 1 - warned else ()

        try:
            await self._registry.change(match, step)
        except (Problem, StoreUnavailableError) as error:  # the next look at the match tries again
            log.warning("a warning could not be removed", extra={"match": match, "why": str(error)})
