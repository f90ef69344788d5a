"""The part of a process that serves matches, without its event sources: on a store, by a clock that a test sets."""

from typing import Any

from duelbook.match import Clock
from duelbook.web.db.store import Store
from duelbook.web.match.actions import MatchActions
from duelbook.web.match.lobby import Lobby
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.schemas.matches import Join, NewMatch, SeatedView


class MatchProcess:
    """What a process has for its matches. All players are people."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.registry = MatchRegistry(store, clock)
        self.actions = MatchActions(self.registry)
        self.lobby = Lobby(self.registry, lambda _: None, _prepare, lambda _: 0)

    async def new_pair(self, game: str = "crystal-capture", **request: Any) -> tuple[SeatedView, SeatedView]:
        """Create a match and join it; return both seats, the one that moves first before the other."""
        first = await self.lobby.create(NewMatch(game=game, opponent="friend", seat="first", **request))
        return first, await self.lobby.join(first.id, Join())


async def _prepare(*_: Any) -> bool:
    """Prepare no agent."""
    return True
