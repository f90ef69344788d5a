"""Flag Chase: run from your end of the track and be the first on the flag in the middle."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

MAX_ROW_CELLS = 9  # of a drawing, which then fits on a narrow terminal


class State(NamedTuple):
    """Whose turn it is, and how far each player has come."""

    mover: Seat
    mine: Annotated[int, UpTo(lambda game: game.cells // 2), "cells the mover has moved from their end"]
    theirs: Annotated[int, UpTo(lambda game: game.cells // 2), "cells the opponent has moved from theirs"]


@dataclass(frozen=True)
class FlagChase:
    """The rules of Flag Chase."""

    cells: Annotated[
        int, Limits(3, 99), "how many cells the track has; an odd number, so that the flag is in the middle"
    ] = 5
    stride: Annotated[int, Limits(1, 9), "the most cells that a player can move in one turn"] = 2

    def __post_init__(self) -> None:
        check_options(self)
        if self.cells % 2 == 0:
            raise RefusedError(
                f"cells must be an odd number from 3 to 99, so that the flag stands in the middle, not {self.cells}."
            )

    @property
    def num_moves(self) -> int:
        return self.stride

    def initial(self) -> State:
        return State(0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        decided = state.theirs == self.cells // 2
        return each_bit(0 if decided else (1 << self.stride) - 1)

    def play(self, state: State, move: Move) -> State:
        # The opponent always stands beyond the flag, so the flag comes first (FC-1).
        covered = min(state.mine + move + 1, self.cells // 2)
        return State(1 - state.mover, state.theirs, covered)

    def outcome(self, state: State) -> Outcome:
        # A player reaches the flag only by moving.
        return won_by(1 - state.mover) if state.theirs == self.cells // 2 else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return str(move + 1)

    def view(self, state: State) -> dict[str, Any]:
        """Return the cells of both tokens and of the flag, counted from 1, and where each legal move leads."""
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return {
            "cells": self.cells,
            "flag": self.cells // 2 + 1,
            "tokens": [first + 1, self.cells - second],
            "reach": [self._cell(self.play(state, move).theirs, state.mover) for move in self.legal_moves(state)],
        }

    def _cell(self, covered: int, seat: Player) -> int:
        return self.cells - covered if seat else covered + 1

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return drawing(self, first, second)


def drawing(game: FlagChase, left: int, right: int) -> str:
    """Return the track with the numbers of its cells; a long one in several rows, whose cells have the same width."""
    tokens = _tokens(game, left, right)
    numbers = [str(cell) for cell in range(1, game.cells + 1)]
    if game.cells <= MAX_ROW_CELLS:
        return f"{_row(numbers)}\n{_row(tokens)}"
    length = math.ceil(game.cells / math.ceil(game.cells / MAX_ROW_CELLS))
    return "\n".join(
        _row([f"{text:>2}" for text in texts[start : start + length]])
        for start in range(0, game.cells, length)
        for texts in (numbers, tokens)
    )


def track(game: FlagChase, left: int, right: int) -> str:
    """Return the track as the rule book draws it; a long one with the numbers of its cells."""
    return _row(_tokens(game, left, right)) if game.cells <= MAX_ROW_CELLS else drawing(game, left, right)


def _tokens(game: FlagChase, left: int, right: int) -> list[str]:
    """Return what is on each cell: P1 has come `left` cells from the left, P2 `right` from the right."""
    cells = [" "] * game.cells
    cells[game.cells // 2] = "F"
    for token, cell in (("P1", left), ("P2", game.cells - 1 - right)):
        cells[cell] = f"{token}/F" if cells[cell] == "F" else token
    return cells


def _row(cells: list[str]) -> str:
    return "".join(f"[{cell}]" for cell in cells)
