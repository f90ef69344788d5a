"""Charge: play cards to reach exactly 15 charge points before your opponent does."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, NamedTuple

from duelbook.features import Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, won_by
from duelbook.options import Limits, check_options
from duelbook.text import plural


class Refresh(IntEnum):
    """When a player may give up a turn to get the Charge Cards back (CH-1)."""

    NO_CHARGES = 0
    EMPTY_HAND = 1


class Side(NamedTuple):
    """The points and cards of one player."""

    points: Annotated[int, UpTo("goal"), "points"]
    charges: Annotated[int, UpTo("charge_cards"), "Charge Cards"]
    blocks: Annotated[int, UpTo("block_cards"), "Block Cards"]
    steals: Annotated[int, UpTo("steal_cards"), "Steal Cards"]


class State(NamedTuple):
    """Whose turn it is, both sides, and what the last turn left behind."""

    mover: Seat
    mine: Annotated[Side, "the mover's"]
    theirs: Annotated[Side, "the opponent's"]
    blocked: Annotated[int, UpTo(1), "1 if the opponent has blocked this turn"]  # CH-2
    gain: Annotated[
        int, UpTo("biggest_charge"), "points the opponent gained with a Charge Card on their last turn"
    ]  # CH-3


@dataclass(frozen=True)
class Charge:
    """The rules of Charge."""

    goal: Annotated[int, Limits(1, 60), "the points that win; they must be hit exactly"] = 15
    biggest_charge: Annotated[int, Limits(1, 9), "the most points that one Charge Card can add"] = 5
    charge_cards: Annotated[int, Limits(1, 9), "how many Charge Cards each player starts with"] = 5
    block_cards: Annotated[int, Limits(0, 9), "how many Block Cards each player starts with"] = 2
    steal_cards: Annotated[int, Limits(0, 9), "how many Steal Cards each player starts with"] = 1
    refresh: Annotated[
        Refresh,
        "when a player may give up a turn to get all Charge Cards back: with no Charge Card in hand (no-charges), or "
        "only with no card at all (empty-hand)",
    ] = Refresh.NO_CHARGES

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def num_moves(self) -> int:
        return self.biggest_charge + 3

    def initial(self) -> State:
        hand = Side(0, self.charge_cards, self.block_cards, self.steal_cards)
        return State(0, hand, hand, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        hand = state.mine
        mask = 0
        if state.theirs.points != self.goal:
            if hand.charges:
                mask = (1 << self.biggest_charge) - 1
            elif self.refresh == Refresh.NO_CHARGES or not (hand.blocks or hand.steals):
                mask = 4 << self.biggest_charge
            if hand.blocks:
                mask |= 1 << self.biggest_charge
            if hand.steals:
                mask |= 2 << self.biggest_charge
        return each_bit(mask)

    def play(self, state: State, move: Move) -> State:
        points, charges, blocks, steals = state.mine
        theirs = state.theirs
        blocked = gain = 0
        if move < self.biggest_charge:
            charges -= 1
            if not state.blocked:
                points += move + 1
                gain = move + 1
        elif move == self.biggest_charge:
            blocks -= 1
            blocked = 1
        elif move == self.biggest_charge + 1:
            steals -= 1
            points += state.gain
            theirs = Side(theirs.points - state.gain, theirs.charges, theirs.blocks, theirs.steals)
        else:
            charges = self.charge_cards
        if points > self.goal:
            points = gain = 0  # after an overshoot there is no gain to steal (CH-3, CH-5)
        mine = Side(points, charges, blocks, steals)
        return State(1 - state.mover, theirs, mine, blocked, gain)

    def outcome(self, state: State) -> Outcome:
        # A player reaches the goal only by moving.
        return won_by(1 - state.mover) if state.theirs.points == self.goal else Outcome.UNDECIDED

    def move_name(self, state: State, move: Move) -> str:
        if move < self.biggest_charge:
            return f"charge {move + 1}"
        return ("block", "steal", "refresh")[move - self.biggest_charge]

    def view(self, state: State) -> dict[str, Any]:
        """Return the points and cards of both players, what the last turn left, and the points after each move."""
        sides = by_seat(state.mover, state.mine, state.theirs)
        moves = self.legal_moves(state)
        return {
            "sides": [side._asdict() for side in sides],
            "goal": self.goal,
            "blocked": bool(state.blocked),
            "gain": state.gain,
            "after": {self.move_name(state, move): self.play(state, move).theirs.points for move in moves},
        }

    def render(self, state: State) -> str:
        sides = by_seat(state.mover, state.mine, state.theirs)
        lines = [
            f"{seat} player: {side.points} of {self.goal} points; {hand_text(side)}"
            for seat, side in zip(("First", "Second"), sides, strict=True)
        ]
        mover, opponent = by_seat(state.mover, "First", "Second")
        blocked = [f"{mover} player is blocked this turn."] if state.blocked else []
        gained = [f"{opponent} player has just gained {plural(state.gain, 'point')}."] if state.gain else []
        return "\n".join([*lines, *blocked, *gained])


def hand_text(side: Side) -> str:
    """Return the cards as the rule book writes them."""
    return f"Charge x{side.charges}, Block x{side.blocks}, Steal x{side.steals}"
