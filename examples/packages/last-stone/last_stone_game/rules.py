"""Last Stone: take stones from one pile in turn; the player who takes the last stone wins."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, won_by
from duelbook.options import Limits, check_options


class State(NamedTuple):
    """Whose turn it is, and the stones that are left."""

    mover: Seat
    stones: Annotated[int, UpTo("stones"), "stones that are left"]


@dataclass(frozen=True)
class LastStone:
    """The rules of Last Stone."""

    stones: Annotated[int, Limits(1, 99), "stones in the pile"] = 13
    most: Annotated[int, Limits(1, 9), "the most stones that a player can take in one turn"] = 3

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.most  # move 0 takes 1 stone, move 1 takes 2, and so on

    def initial(self) -> State:
        return State(0, self.stones)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        for move in range(min(self.most, state.stones)):
            yield move

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.stones - move - 1)

    def outcome(self, state: State) -> Outcome:
        return won_by(1 - state.mover) if state.stones == 0 else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return f"take {move + 1}"

    def render(self, state: State) -> str:
        return f"Stones: {'o' * state.stones or 'none'} ({state.stones})"
