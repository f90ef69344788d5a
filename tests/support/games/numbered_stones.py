"""Numbered Stones: Last Stone that finds the classes of its states in a table. Both seats play alike."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.games.last_stone import LastStone, State


@dataclass(frozen=True)
class NumberedStones(LastStone):
    def canonical(self, state: State) -> State:
        return {0: state, 1: state._replace(mover=0)}[state.mover]  # a dict does not compile

    def class_table(self) -> Sequence[int]:
        return array("q", range(10, 11 + self.stones))

    def class_of(self, state: State, table: Sequence[int]) -> State:
        return State(0, table[state.stones])

    def profile_of(self, state: State, table: Sequence[int]) -> State:
        return state
