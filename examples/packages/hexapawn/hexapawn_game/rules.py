"""Hexapawn: bring a pawn across the board, or leave the opponent without a move."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from duelbook.features import Bits, Seat
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

AHEAD = 1  # a move is pawn * 3 + 0 to capture towards column a, + 1 to go ahead, + 2 to capture towards the last column


class Stuck(IntEnum):
    """What happens to a player who cannot move. In text: `loses` and `draws`."""

    LOSES = 0
    DRAWS = 1


class State(NamedTuple):
    """Whose turn it is, and the pawns. Bit 0 is the cell a1, bit 1 is b1, and so on, row by row."""

    mover: Seat
    mine: Annotated[int, Bits(lambda game: game.size * game.size), "the mover's pawns"]
    theirs: Annotated[int, Bits(lambda game: game.size * game.size), "the opponent's pawns"]


@dataclass(frozen=True)
class Hexapawn:
    """The rules of Hexapawn."""

    size: Annotated[int, Limits(3, 4), "rows and columns of the board"] = 3
    stuck: Annotated[Stuck, "what happens to a player who cannot move"] = Stuck.LOSES

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.size * self.size * 3

    def initial(self) -> State:
        row = (1 << self.size) - 1
        return State(0, row, row << self.size * (self.size - 1))

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit(legal_mask(self, state))

    def play(self, state: State, move: Move) -> State:
        target = 1 << target_of(self.size, state.mover, move)
        return State(1 - state.mover, state.theirs & ~target, state.mine ^ (1 << move // 3) | target)

    def outcome(self, state: State) -> Outcome:
        if legal_mask(self, state):
            return Outcome.UNDECIDED
        if self.stuck == Stuck.DRAWS and not is_across(self.size, state):
            return Outcome.DRAW
        return won_by(1 - state.mover)

    def move_name(self, state: State, move: Move) -> str:
        return f"{self.cell_name(move // 3)} {self.cell_name(target_of(self.size, state.mover, move))}"

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        marks = ["○" if first >> cell & 1 else "●" if second >> cell & 1 else "·" for cell in range(self.size**2)]
        rows = [f"{row + 1} {' '.join(marks[row * self.size :][: self.size])}" for row in range(self.size)]
        return "\n".join([*reversed(rows), f"  {' '.join('abcd'[: self.size])}", "○ first player, ● second player"])

    def view(self, state: State) -> dict[str, Any]:
        """Return what the board draws: the names of the cells where each player's pawns stand."""
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return {"first": self.cell_names(first), "second": self.cell_names(second)}

    def cell_names(self, mask: int) -> list[str]:
        return [self.cell_name(cell) for cell in each_bit(mask)]

    def cell_name(self, cell: int) -> str:
        return f"{'abcd'[cell % self.size]}{cell // self.size + 1}"


# What compiled methods share is a function: they cannot use other methods of the class, such as `cell_name`.


def target_of(size: int, mover: Player, move: Move) -> int:
    """Return the cell where the move ends."""
    return move // 3 + (size if mover == 0 else -size) + move % 3 - 1


def is_across(size: int, state: State) -> bool:
    """Return True if the player who has just moved has a pawn on the last row."""
    row = (1 << size) - 1
    return state.theirs & (row if state.mover == 0 else row << size * (size - 1)) != 0


def legal_mask(game: Hexapawn, state: State) -> int:
    """Return the legal moves as a bit mask: ahead if the cell is free, to a side to capture."""
    mask = 0
    if is_across(game.size, state):
        return mask
    for pawn in each_bit(state.mine):
        for side in range(3):
            move = pawn * 3 + side
            target = target_of(game.size, state.mover, move)
            if side == AHEAD:
                allowed = not (state.mine | state.theirs) >> target & 1
            else:
                on_board = 0 <= pawn % game.size + side - 1 < game.size
                allowed = on_board and state.theirs >> target & 1
            if allowed:
                mask |= 1 << move
    return mask
