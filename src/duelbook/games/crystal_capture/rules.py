"""Crystal Capture: take numbered crystals from one pool to hold exactly 15 points first."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from duelbook.errors import check_range
from duelbook.features import Bits, Seat, UpTo
from duelbook.game import PASS, Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options

MAX_CRYSTALS = 30


class Deadlock(IntEnum):
    """Who wins if neither player can capture another crystal (CC-2)."""

    CLOSEST = 0
    DRAW = 1


class State(NamedTuple):
    """Whose turn it is, the crystals in the pool, and the points of both players."""

    mover: Seat
    pool: Annotated[int, Bits("crystals"), "the crystals that are left; bit 0 is crystal 1"]
    mine: Annotated[int, UpTo("goal"), "the mover's points"]
    theirs: Annotated[int, UpTo("goal"), "the opponent's points"]


@dataclass(frozen=True)
class CrystalCapture:
    """The rules of Crystal Capture."""

    crystals: Annotated[
        int, Limits(1, MAX_CRYSTALS), "how many crystals are in the pool; they are worth 1, 2, 3 and so on"
    ] = 9
    goal: Annotated[int, "the points that win; at most the sum of all crystals"] = 15
    deadlock: Annotated[
        Deadlock,
        "who wins if neither player can capture another crystal: the higher total, and the second player if the totals "
        "are equal (closest), or nobody (draw)",
    ] = Deadlock.CLOSEST

    def __post_init__(self) -> None:
        check_options(self)
        check_range("goal", self.goal, 1, self.crystals * (self.crystals + 1) // 2)

    @property
    def num_moves(self) -> int:
        return self.crystals + 1

    def initial(self) -> State:
        return State(0, (1 << self.crystals) - 1, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        mask = 0
        if state.theirs != self.goal:
            mask = capturable(state.pool, self.goal - state.mine)
            if not mask and capturable(state.pool, self.goal - state.theirs):
                mask = 1 << self.crystals  # the pass (CC-1)
        return each_bit(mask)

    def play(self, state: State, move: Move) -> State:
        if move == self.crystals:
            return State(1 - state.mover, state.pool, state.theirs, state.mine)
        pool = state.pool & ~(1 << move)
        return State(1 - state.mover, pool, state.theirs, state.mine + move + 1)

    def outcome(self, state: State) -> Outcome:
        if state.theirs == self.goal:
            return won_by(1 - state.mover)
        if capturable(state.pool, self.goal - min(state.mine, state.theirs)):
            return Outcome.UNDECIDED
        if self.deadlock == Deadlock.DRAW:
            return Outcome.DRAW
        if state.mine == state.theirs:
            return Outcome.SECOND_WINS
        return won_by(state.mover if state.mine > state.theirs else 1 - state.mover)

    def move_name(self, state: State, move: Move) -> str:
        return PASS if move == self.crystals else str(move + 1)

    def view(self, state: State) -> dict[str, Any]:
        """Return the crystals that are left, the points of the first and the second player, and the goal."""
        totals = by_seat(state.mover, state.mine, state.theirs)
        return {"pool": pool_numbers(state), "totals": list(totals), "goal": self.goal}

    def render(self, state: State) -> str:
        points = by_seat(state.mover, state.mine, state.theirs)
        return (
            f"Available Crystals: {pool_text(state)}\n"
            f"First player: {points[0]} of {self.goal} points\n"
            f"Second player: {points[1]} of {self.goal} points"
        )


def capturable(pool: int, room: int) -> int:
    """Return the crystals of the pool that are worth at most `room` points, as a mask."""
    return pool & ((1 << min(room, MAX_CRYSTALS)) - 1)


def pool_numbers(state: State) -> list[int]:
    """Return the crystals that are left. Faster than `each_bit`, for the views that players are sent."""
    return [number for number, bit in enumerate(bin(state.pool)[:1:-1], start=1) if bit == "1"]


def pool_text(state: State) -> str:
    """Return the crystals that are left as text."""
    return str(pool_numbers(state))[1:-1] or "none"
