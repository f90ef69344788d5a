"""Number Row: take a number from either end of a shuffled row, in turn; the higher sum wins."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.errors import RefusedError
from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, won_by
from duelbook.options import Drawn, Limits, check_options

LEFT, RIGHT = 0, 1


class State(NamedTuple):
    """Whose turn it is, how many numbers were taken from each end, and the sums of the numbers."""

    mover: Seat
    left: Annotated[int, UpTo("length"), "numbers taken from the left"]
    right: Annotated[int, UpTo("length"), "numbers taken from the right"]
    mine: Annotated[int, UpTo(lambda game: game.length * game.length), "the mover's sum"]
    theirs: Annotated[int, UpTo(lambda game: game.length * game.length), "the opponent's sum"]


def shuffled(game: "NumberRow", rng: random.Random) -> tuple[int, ...]:
    """Return the numbers of a row in random order."""
    return tuple(rng.sample(range(1, game.length + 1), game.length))


@dataclass(frozen=True)
class NumberRow:
    """The rules of Number Row."""

    length: Annotated[int, Limits(1, 12), "how many numbers there are"] = 8
    row: Annotated[tuple[int, ...], Drawn(shuffled), UpTo("length"), "the numbers, from left to right"] = ()

    def __post_init__(self) -> None:
        check_options(self)
        numbers = tuple(range(1, self.length + 1))
        if not self.row:  # neither drawn nor given
            object.__setattr__(self, "row", numbers)
        if sorted(self.row) != list(numbers):
            raise RefusedError(f"row must hold each number from 1 to {self.length} once.")

    @property
    def num_moves(self) -> int:
        return 2

    def initial(self) -> State:
        return State(0, 0, 0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        for move in range(self.count_legal(state)):
            yield move

    def count_legal(self, state: State) -> int:
        return min(self.length - state.left - state.right, 2)  # of the last number, only one end is counted

    def nth_legal(self, state: State, n: int) -> Move:
        return n

    def play(self, state: State, move: Move) -> State:
        if move == LEFT:
            taken = self.row[state.left]
            return State(1 - state.mover, state.left + 1, state.right, state.theirs, state.mine + taken)
        taken = self.row[self.length - 1 - state.right]
        return State(1 - state.mover, state.left, state.right + 1, state.theirs, state.mine + taken)

    def outcome(self, state: State) -> Outcome:
        if state.left + state.right < self.length:
            return Outcome.UNDECIDED
        if state.mine == state.theirs:
            return Outcome.DRAW
        return won_by(state.mover if state.mine > state.theirs else 1 - state.mover)

    def move_name(self, state: State, move: Move) -> str:
        return ("left", "right")[move]

    def render(self, state: State) -> str:
        left = " ".join(map(str, self.row[state.left : self.length - state.right])) or "empty"
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return f"Row: {left}\nFirst player: {first}\nSecond player: {second}"
