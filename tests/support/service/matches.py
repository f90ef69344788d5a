"""The part of a process that serves matches, without its event sources: on a store, by a clock that a test sets."""

from collections.abc import Coroutine
from typing import Any

from duelbook.match import Clock
from duelbook.play.actions import ActionName
from duelbook.web.db.store import Store
from duelbook.web.match.actions import MatchActions
from duelbook.web.match.claims import Claims
from duelbook.web.match.lobby import Lobby
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.schemas.matches import Action, Join, NewMatch, SeatedView

CLAIM_SECONDS = 100.0


class MatchProcess:
    """What a process has for its matches. All players are people."""

    def __init__(self, store: Store, clock: Clock, *, is_shared: bool = True) -> None:
        self.store = store
        self.registry = MatchRegistry(store, clock, is_shared=is_shared)
        self.claims = Claims(self.registry, lambda _: 0, lambda _: 0, CLAIM_SECONDS)
        self.actions = MatchActions(self.registry, self.claims)
        self.lobby = Lobby(self.registry, lambda _: None, _prepare, lambda _: 0)

    async def new_pair(self, game: str = "crystal-capture", **request: Any) -> tuple[SeatedView, SeatedView]:
        first = await self.lobby.create(NewMatch(game=game, opponent="friend", seat="first", **request))
        return first, await self.lobby.join(first.id, Join())


def act(actions: MatchActions, seat: SeatedView, action: ActionName, **fields: Any) -> Coroutine[Any, Any, ServedMatch]:
    return actions.act(seat.id, seat.token, Action(action=action, **fields))


async def _prepare(*_: Any) -> bool:
    return True
