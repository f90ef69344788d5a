"""Flag Chase: run from your end of the track and be the first on the flag in the middle."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, each_bit, won_by
from duelbook.options import Limits, check_options


class State(NamedTuple):
    mover: Seat
    mine: Annotated[int, UpTo(lambda game: game.cells // 2), "cells the mover has covered from their own end"]
    theirs: Annotated[int, UpTo(lambda game: game.cells // 2), "cells the opponent has covered from theirs"]


@dataclass(frozen=True)
class FlagChase:
    """Flag Chase with its options."""

    cells: Annotated[int, Limits(3, 99), "cells of the track, an odd number"] = 5
    stride: Annotated[int, Limits(1, 9), "the most cells that one turn may cover"] = 2

    def __post_init__(self) -> None:
        check_options(self)
        if self.cells % 2 == 0:
            raise RefusedError(f"cells must be odd from 3 to 99, so that the flag has a middle, not {self.cells}")

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
        # Whoever reached the flag has just moved.
        return won_by(1 - state.mover) if state.theirs == self.cells // 2 else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return str(move + 1)

    def view(self, state: State) -> dict[str, Any]:
        """Answer where the tokens stand by seat, and the flag; cells count from 1."""
        first, second = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return {"cells": self.cells, "flag": self.cells // 2 + 1, "tokens": [first + 1, self.cells - second]}

    def render(self, state: State) -> str:
        first, second = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return f"{numbers(self)}\n{track(self, first, second)}"


def numbers(game: FlagChase) -> str:
    return "".join(f"[{cell}]" for cell in range(1, game.cells + 1))


def track(game: FlagChase, left: int, right: int) -> str:
    """Answer the track as the book draws it, with what P1 covered from the left and P2 from the right."""
    cells = [" "] * game.cells
    cells[game.cells // 2] = "F"
    for token, cell in (("P1", left), ("P2", game.cells - 1 - right)):
        cells[cell] = f"{token}/F" if cells[cell] == "F" else token
    return "".join(f"[{cell}]" for cell in cells)
