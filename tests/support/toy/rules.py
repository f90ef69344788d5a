"""Staircase: climb one or two steps of the same stairs in turn; the player who reaches the top wins."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from duelbook.errors import check_range
from duelbook.game import Move, Outcome, Player, won_by


class State(NamedTuple):
    mover: Player
    step: int


@dataclass(frozen=True)
class Staircase:
    steps: int = 7

    def __post_init__(self) -> None:
        check_range("steps", self.steps, 1, 50)

    @property
    def num_moves(self) -> int:
        return 2

    def initial(self) -> State:
        return State(0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        for move in range(min(2, self.steps - state.step)):
            yield move

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, state.step + move + 1)

    def outcome(self, state: State) -> Outcome:
        return won_by(1 - state.mover) if state.step == self.steps else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        return f"climb {move + 1}"

    def render(self, state: State) -> str:
        return f"Step {state.step} of {self.steps}"
