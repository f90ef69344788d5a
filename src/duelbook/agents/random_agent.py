"""The random agent."""

import random

from duelbook.agents.agent import evenly
from duelbook.game import Move, offered_moves
from duelbook.match import ReadOnlyMatch


class RandomAgent:
    """Plays any legal move, each with the same probability."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, match: ReadOnlyMatch) -> Move:
        return self._rng.choice(offered_moves(match.game, match.state))

    def probabilities(self, match: ReadOnlyMatch) -> dict[Move, float]:
        return evenly(offered_moves(match.game, match.state))

    def close(self) -> None:
        pass
