"""Agents from outside: some that can be used, and some that cannot."""

import random
from typing import ClassVar

from duelbook.agents import NumberParameter, StoppedError, TextParameter
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch


class Biggest(RandomAgent):
    """Plays the last legal move.

    In Crystal Capture, that is the biggest crystal.
    """

    def choose(self, match: ReadOnlyMatch) -> Move:
        return max(match.game.legal_moves(match.state))


class Nth(RandomAgent):
    """Plays the move with this number, as far as there are so many."""

    parameter: ClassVar = NumberParameter("N", 1, 9)

    def __init__(self, rng: random.Random, number: int) -> None:
        super().__init__(rng)
        self._number = number

    def choose(self, match: ReadOnlyMatch) -> Move:
        return [*match.game.legal_moves(match.state)][: self._number][-1]


class Named(RandomAgent):
    parameter: ClassVar = TextParameter("WORD", "named:word")

    def __init__(self, rng: random.Random, word: str) -> None:
        super().__init__(rng)


class Stopping(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        raise StoppedError("The weights are gone.")


class Leaving(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        raise SystemExit(4)


class Rude(Biggest):
    """Has attributes of its own under names that Duelbook uses, and fails when its match is over."""

    introduction = "Rude"
    last_turn = 7

    def end_match(self, match: ReadOnlyMatch) -> None:
        raise OSError("It does not want to know.")

    def close(self) -> None:
        raise OSError("It cannot even be closed.")


class Unmakeable(RandomAgent):
    def __init__(self, rng: random.Random) -> None:
        raise FileNotFoundError("no weights\nhere")


class NoArguments(RandomAgent):
    def __init__(self) -> None: ...


class Half:
    def choose(self, match: ReadOnlyMatch) -> Move:
        return 0


class WrongParameter(RandomAgent):
    parameter: ClassVar = 7


class Colourful(RandomAgent):
    """Plays in \x1b[31mred.\x1b[0m"""
