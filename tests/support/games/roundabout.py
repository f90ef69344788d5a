"""Roundabout: agree to a draw at once, or drive round in circles for ever."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from duelbook.game import Move, Outcome, Player, each_bit

START, DRAWN, ROUND = 0, 1, 2


class State(NamedTuple):
    mover: int
    place: int


@dataclass(frozen=True)
class Roundabout:
    num_moves: int = 2

    def initial(self) -> State:
        return State(0, START)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit((3, 0, 1)[state.place])

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, DRAWN if move else ROUND)

    def outcome(self, state: State) -> Outcome:
        return Outcome.DRAW if state.place == DRAWN else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return ("drive", "draw")[move]

    def render(self, state: State) -> str:
        return f"Place: {state.place}"
