"""The levels, novice to expert: a strong player that sometimes plays a random move."""

import random

from duelbook.agents.estimate import estimate_moves
from duelbook.agents.perfect import PerfectAgent
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from duelbook.solve import try_solve

LEVEL_SKILL = {"novice": 0.0, "casual": 0.4, "club": 0.7, "expert": 0.9}  # the share of moves that are the best


class LevelAgent:
    """Plays the best move with the probability `skill`, otherwise any legal move.

    The best move is a perfect one; in a game that is too large to solve it is the one that a search prefers.
    """

    def __init__(self, rng: random.Random, skill: float) -> None:
        self._rng = rng
        self._skill = skill
        self._perfect = PerfectAgent(rng)
        self._random = RandomAgent(rng)

    def choose(self, match: ReadOnlyMatch) -> Move:
        if self._rng.random() >= self._skill:
            return self._random.choose(match)
        if try_solve(match.game):
            return self._perfect.choose(match)
        return estimate_moves(match.game, match.state, self._rng)[0].move

    def close(self) -> None:
        pass
