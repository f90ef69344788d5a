"""Drop Four: drop discs into columns, and be the first with four in a line.

With its usual options it has some 10^12 states: too many to solve, and a state does not fit into 62 bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.features import Bits, Seat
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

Discs = Annotated[int, Bits(lambda game: game.columns * (game.rows + 1))]  # each column has a spare bit at the top


class State(NamedTuple):
    mover: Seat
    mine: Annotated[Discs, "the mover's discs, column by column from the bottom"]
    theirs: Annotated[Discs, "the opponent's discs"]


@dataclass(frozen=True)
class DropFour:
    columns: Annotated[int, Limits(1, 8), "columns"] = 7
    rows: Annotated[int, Limits(1, 6), "rows"] = 6
    line: Annotated[int, Limits(2, 6), "discs in a line that win"] = 4

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.columns

    def initial(self) -> State:
        return State(0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        mask = 0
        if not has_line(state.theirs, self.rows + 1, self.line):
            for column in range(self.columns):
                if not (state.mine | state.theirs) >> (column * (self.rows + 1) + self.rows - 1) & 1:
                    mask |= 1 << column
        return each_bit(mask)

    def play(self, state: State, move: Move) -> State:
        cell = 1 << (move * (self.rows + 1))
        while (state.mine | state.theirs) & cell:
            cell <<= 1
        return State(1 - state.mover, state.theirs, state.mine | cell)

    def outcome(self, state: State) -> Outcome:
        if has_line(state.theirs, self.rows + 1, self.line):
            return won_by(1 - state.mover)
        for column in range(self.columns):
            if not (state.mine | state.theirs) >> (column * (self.rows + 1) + self.rows - 1) & 1:
                return Outcome.UNDECIDED
        return Outcome.DRAW

    def move_name(self, state: State, move: Move) -> str:
        return f"column {move + 1}"

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        cells = [[column * (self.rows + 1) + row for column in range(self.columns)] for row in range(self.rows)]
        return "\n".join(
            " ".join("X" if first >> cell & 1 else "O" if second >> cell & 1 else "." for cell in row)
            for row in reversed(cells)
        )


def has_line(discs: int, height: int, line: int) -> bool:
    """Return True if the discs contain a line of this length; columns are `height` bits apart."""
    for step in (1, height - 1, height, height + 1):
        found = discs
        for _ in range(line - 1):
            found &= found >> step
        if found:
            return True
    return False
