"""Slow Stones: Last Stone with a large pile, and a pause for each state in which half of it is gone.

Solving it takes as long as a test wants, but hardly any work, and reports its first states at once.
"""

import time
from dataclasses import dataclass
from typing import Annotated

from duelbook.game import Move
from duelbook.options import Limits
from tests.support.games.last_stone import LastStone, State


@dataclass(frozen=True)
class SlowStones(LastStone):
    stones: Annotated[int, Limits(1, 100_000), "stones in the pile"] = 9000
    most: Annotated[int, Limits(1, 9), "the most stones that a player can take in one turn"] = 1
    pause: Annotated[int, Limits(1, 1_000_000), "microseconds for each of these states"] = 300

    def canonical(self, state: State) -> State:
        """Return the state itself. Only the solver asks."""
        if 2 * state.stones < self.stones:
            time.sleep(self.pause / 1_000_000)
        return state


@dataclass(frozen=True)
class SlowPuzzles(SlowStones):
    """A small pile: it is solved soon, but looking for a puzzle takes seconds, whether it has been solved or not."""

    stones: Annotated[int, Limits(1, 100_000), "stones in the pile"] = 60
    pause: Annotated[int, Limits(1, 1_000_000), "microseconds for each of these states"] = 3_000


@dataclass(frozen=True)
class SlowNames(LastStone):
    """A game that is solved at once, and whose moves take a second to be written."""

    def move_name(self, state: State, move: Move) -> str:
        time.sleep(1)
        return super().move_name(state, move)
