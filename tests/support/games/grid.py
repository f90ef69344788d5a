"""Grid: take cells of a board in turn; who takes a cell beside two of their own wins.

Its two masks have as many bits as the board has cells: more than compiled code has room for from 8 x 8 on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.features import Bits, Seat
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

Cells = Annotated[int, Bits(lambda game: game.size * game.size)]


class State(NamedTuple):
    mover: Seat
    mine: Annotated[Cells, "the mover's cells"]
    theirs: Annotated[Cells, "the opponent's cells"]


@dataclass(frozen=True)
class Grid:
    size: Annotated[int, Limits(2, 12), "cells in a row and in a column"] = 9

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.size * self.size

    def initial(self) -> State:
        return State(0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        free = ((1 << (self.size * self.size)) - 1) & ~(state.mine | state.theirs)
        return each_bit(0 if has_three(state.theirs, self.size) else free)

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.theirs, state.mine | 1 << move)

    def outcome(self, state: State) -> Outcome:
        if has_three(state.theirs, self.size):
            return won_by(1 - state.mover)
        full = (state.mine | state.theirs) == (1 << (self.size * self.size)) - 1
        return Outcome.DRAW if full else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return f"{chr(ord('A') + move % self.size)}{move // self.size + 1}"

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        rows = range(self.size)
        cells = [[row * self.size + column for column in rows] for row in rows]
        return "\n".join(
            " ".join("X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in row) for row in cells
        )


def has_three(cells: int, size: int) -> bool:
    return bool(cells & cells >> size & cells >> (2 * size))
