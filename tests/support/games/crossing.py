"""Crossing: two tokens on a board; who reaches the opposite row or catches the other token wins.

A token steps one or two cells in any direction, also back, so that play can return to most states. Nothing is ever used
up, and there are up to sixteen moves: the solver cannot divide the game into parts, and each state has many moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

LAST = UpTo(lambda game: game.size - 1)


class State(NamedTuple):
    mover: Seat
    row: Annotated[int, LAST, "the row of the mover's token; the first player's home is row 0"]
    column: Annotated[int, LAST, "its column"]
    their_row: Annotated[int, LAST, "the row of the opponent's token"]
    their_column: Annotated[int, LAST, "its column"]


@dataclass(frozen=True)
class Crossing:
    size: Annotated[int, Limits(3, 60), "cells in a row and in a column"] = 5
    well: Annotated[int, Limits(0, 1), "1 if whoever steps on the cell in the middle draws"] = 1
    num_moves: int = 16

    def __post_init__(self) -> None:
        check_options(self)

    def initial(self) -> State:
        return State(0, 0, 0, self.size - 1, self.size - 1)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        mask = 0
        if not is_over(self.size, self.well, state):
            for move in range(16):
                row, column = state.row + row_step(move), state.column + column_step(move)
                if 0 <= row < self.size and 0 <= column < self.size:
                    mask |= 1 << move
        return each_bit(mask)

    def play(self, state: State, move: Move) -> State:
        row, column = state.row + row_step(move), state.column + column_step(move)
        return State(1 - state.mover, state.their_row, state.their_column, row, column)

    def outcome(self, state: State) -> Outcome:
        if not is_over(self.size, self.well, state):
            return Outcome.UNDECIDED
        caught = state.row == state.their_row and state.column == state.their_column
        crossed = state.their_row == (self.size - 1 if state.mover == 1 else 0)
        return won_by(1 - state.mover) if caught or crossed else Outcome.DRAW

    def move_name(self, state: State, move: Move) -> str:
        return f"{state.row + row_step(move) + 1} {state.column + column_step(move) + 1}"

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state[1:3], state[3:5])
        cells = [[(row, column) for column in range(self.size)] for row in range(self.size)]
        return "\n".join(
            " ".join("X" if cell == first else "O" if cell == second else "." for cell in row) for row in cells
        )


def row_step(move: Move) -> int:
    number = move % 8 if move % 8 < 4 else move % 8 + 1  # of nine neighbours; the one in the middle is left out
    return (number // 3 - 1) * (1 + move // 8)


def column_step(move: Move) -> int:
    number = move % 8 if move % 8 < 4 else move % 8 + 1
    return (number % 3 - 1) * (1 + move // 8)


def is_over(size: int, well: int, state: State) -> bool:
    if state.row == state.their_row and state.column == state.their_column:
        return True
    if state.their_row == (size - 1 if state.mover == 1 else 0):
        return True
    return well == 1 and state.their_row == size // 2 and state.their_column == size // 2
