"""Pits: empty one pit after the other, and the player with more stones wins.

A pit whose stones are a multiple of three earns another turn, and equal numbers are a draw: both test what assumes
that players take turns strictly, or that somebody wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from duelbook.features import Bits, Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options


class State(NamedTuple):
    mover: Seat
    full: Annotated[int, Bits("pits"), "the pits that hold stones; bit 0 is pit 1, which holds one stone"]
    mine: Annotated[int, UpTo(lambda game: total(game.pits)), "the mover's stones"]
    theirs: Annotated[int, UpTo(lambda game: total(game.pits)), "the opponent's stones"]


@dataclass(frozen=True)
class Pits:
    pits: Annotated[int, Limits(1, 20), "pits; the first holds one stone, the second two, and so on"] = 7

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.pits

    def initial(self) -> State:
        return State(0, (1 << self.pits) - 1, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit(state.full if not decided(self.pits, state) else 0)

    def play(self, state: State, move: Move) -> State:
        full, mine = state.full & ~(1 << move), state.mine + move + 1
        if (move + 1) % 3 == 0:
            return State(state.mover, full, mine, state.theirs)
        return State(1 - state.mover, full, state.theirs, mine)

    def outcome(self, state: State) -> Outcome:
        if not decided(self.pits, state):
            return Outcome.UNDECIDED
        if state.mine == state.theirs:
            return Outcome.DRAW
        return won_by(state.mover if state.mine > state.theirs else 1 - state.mover)

    def move_name(self, state: State, move: Move) -> str:
        return f"pit {move + 1}"

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        pits = " ".join(str(pit + 1) if state.full >> pit & 1 else "-" for pit in range(self.pits))
        return f"Pits: {pits}\nFirst player: {first}\nSecond player: {second}"


def total(pits: int) -> int:
    return pits * (pits + 1) // 2


def decided(pits: int, state: State) -> bool:
    return not state.full or 2 * max(state.mine, state.theirs) > total(pits)
