"""A game of ours in OpenSpiel without what it need not do, for comparisons with OpenSpiel's own algorithms."""

from duelbook.envs.openspiel import SpielGame, SpielState, game_type
from duelbook.game import AnyGame

MOST_PLIES = 10_000  # beyond any line without repetition: the games have cycles


class PlainGame(SpielGame):
    """The rules without a limit that play would notice."""

    def __init__(self, rules: AnyGame) -> None:
        super().__init__(game_type("plain", {}), rules, {}, MOST_PLIES)

    def new_initial_state(self) -> "PlainState":
        return PlainState(self)


class PlainState(SpielState):
    """A state that is written fast, since OpenSpiel tells states apart by their texts."""

    def __str__(self) -> str:
        return str(self.snapshot.state)
