"""Rude Stones: Last Stone in which it is rude to take two of six, and whoever takes three at once loses."""

from collections.abc import Iterator
from dataclasses import dataclass

from duelbook.game import Move, Outcome, each_bit, won_by
from tests.support.games.last_stone import LastStone, State

LOST = -1  # stones that are left after three were taken


@dataclass(frozen=True)
class RudeStones(LastStone):
    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit((1 << min(self.most, max(0, state.stones))) - 1)

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, LOST if move == 2 else state.stones - move - 1)

    def outcome(self, state: State) -> Outcome:
        if state.stones == LOST:
            return won_by(state.mover)
        return Outcome.UNDECIDED if state.stones else won_by(1 - state.mover)

    def offends(self, state: State, move: Move) -> bool:
        return state.stones == 6 and move == 1
