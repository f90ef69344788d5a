"""Help in a match against an agent: hints and values. The player's clock stands still while a worker finds them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from duelbook.options import write_options
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.tables import Change
from duelbook.web.match.actions import seat_for
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem

DELIVERY_SECONDS = 1.5  # in which a client asks for a study that is ready: it does so once a second


class MatchHelp:
    """Says what players may ask about their match, and stops their clock meanwhile."""

    def __init__(self, registry: MatchRegistry, max_seconds: float) -> None:
        self._registry = registry
        self._max_seconds = max_seconds  # for which a clock stands still, should the process end before it runs again

    async def question(self, match: str, token: str | None, ply: int) -> dict[str, Any]:
        """Return the position at that ply as studies take it. Raise a problem if the player gets no help."""
        served = await self._registry.read(match)
        seat_for(served, token)
        if len(served.people) == 2:
            raise served.problem("no-help", "There is no help in a match between people. Review it when it is over.")
        if ply > len(served.moves):
            raise served.problem("ply-ahead", f"The match is only at ply {served.row.ply}, not at {ply}.")
        after = [move.move for move in served.moves[:ply]]
        return {"game": served.row.game, "options": write_options(served.game), "after": after}

    @asynccontextmanager
    async def stopped_clock(self, match: str, token: str | None, study: str) -> AsyncIterator[None]:
        """Stop the player's clock if it is their turn, once for each study of a turn: nobody stops it at will."""
        until: float | None = None

        def stop(served: ServedMatch) -> tuple[Change, ...]:
            nonlocal until
            until = None
            is_running = served.seconds_left is not None and served.match.mover == seat_for(served, token)
            if not is_running or (served.row.ply, study) in served.clock_stops:
                return ()
            served.clock_stops.add((served.row.ply, study))
            change = served.stop_clock(self._max_seconds)
            until = change.match.stopped_until
            return (change,)

        def go_on(served: ServedMatch) -> tuple[Change, ...]:
            return (served.stop_clock(DELIVERY_SECONDS),) if served.row.stopped_until == until else ()

        await self._registry.change(match, stop)
        try:
            yield
        finally:
            if until is not None:
                with suppress(StoreUnavailableError, Problem):  # it runs again by itself
                    await self._registry.change(match, go_on)
