"""The levels, novice to expert: a perfect player that sometimes plays a random move."""

import random

from duelbook.agents.perfect import PerfectAgent
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch

LEVEL_SKILL = {"novice": 0.0, "casual": 0.4, "club": 0.7, "expert": 0.9}  # the share of moves that are perfect


class LevelAgent:
    """Plays a perfect move with the probability `skill`, otherwise any legal move."""

    def __init__(self, rng: random.Random, skill: float) -> None:
        self._rng = rng
        self._skill = skill
        self._perfect = PerfectAgent(rng)
        self._random = RandomAgent(rng)

    def choose(self, match: ReadOnlyMatch) -> Move:
        agent = self._perfect if self._rng.random() < self._skill else self._random
        return agent.choose(match)

    def close(self) -> None:
        pass
