"""Named levels: a perfect player who now and then plays like a beginner."""

import random

from duelbook.agents.perfect import Perfect
from duelbook.agents.random_agent import Chance
from duelbook.game import Move
from duelbook.match import MatchView

SKILL = {"novice": 0.0, "casual": 0.4, "club": 0.7, "expert": 0.9}  # how often the perfect move is found


class Level:
    """Plays the perfect move as often as its skill says, and any legal move else."""

    exact = True  # needs a game that can be solved

    def __init__(self, rng: random.Random, skill: float) -> None:
        self._rng = rng
        self._skill = skill
        self._perfect = Perfect(rng)
        self._chance = Chance(rng)

    def choose(self, match: MatchView) -> Move:
        sees = self._rng.random() < self._skill
        return (self._perfect if sees else self._chance).choose(match)

    def close(self) -> None:
        pass
