"""What the players of a match may do: one rule for each action, the same at one keyboard and in a service."""

from collections.abc import Callable, Collection, Mapping
from typing import Literal, NamedTuple

from duelbook.game import Player
from duelbook.match import Match

ActionName = Literal["play", "undo", "agree", "decline", "resign", "claim"]


class Standing(NamedTuple):
    """A match that goes on, as far as it decides what its players may do."""

    match: Match
    people: Collection[Player]  # the seats that people have
    time_limit: float | None = None  # seconds for each turn
    asking: Player | None = None  # the seat that asks to take moves back
    is_remote: bool = False  # the players are at different screens


def undo_target(on: Standing, seat: Player) -> int | None:
    """Return the ply from which on moves are taken back if this player asks for that, or None.

    That is their own last choice; of two people at one keyboard, the last choice of either.
    """
    return on.match.last_choice([seat] if on.is_remote else on.people)


def _play(on: Standing, seat: Player) -> str:
    return "" if on.match.mover == seat else "It is your opponent's turn."


def _undo(on: Standing, seat: Player) -> str:
    if on.is_remote and on.time_limit is not None:
        return "Moves cannot be taken back in a match with a time limit."
    if undo_target(on, seat) is None:
        return "You have no move to take back."
    return "Your opponent asks to take a move back. Agree or decline first." if on.asking == 1 - seat else ""


def _agree(on: Standing, seat: Player) -> str:
    return "" if on.asking == 1 - seat else "Your opponent does not ask to take a move back."


def _claim(on: Standing, seat: Player) -> str:
    if not on.is_remote:
        return "Your opponent is at the same screen."
    if on.time_limit is not None:
        return "This match has a clock: an opponent who stays away loses on time."
    if len(on.people) < 2:
        return "A computer does not stay away."
    return "It is your turn. A win can be claimed only on your opponent's turn." if on.match.mover == seat else ""


def _always(on: Standing, seat: Player) -> str:
    return ""


RULES: Mapping[ActionName, Callable[[Standing, Player], str]] = {
    "play": _play,
    "undo": _undo,
    "agree": _agree,
    "decline": _always,
    "resign": _always,
    "claim": _claim,
}


def refusal(action: ActionName, on: Standing, seat: Player) -> str:
    """Return why the player on this seat cannot do this now, in a sentence, or an empty text if they can."""
    return RULES[action](on, seat)


def permitted(on: Standing, seat: Player) -> list[ActionName]:
    """Return what the player on this seat may do now, without what would change nothing."""
    if on.match.over or seat not in on.people:
        return []
    in_vain = {"undo": on.asking == seat, "decline": on.asking is None}
    return [action for action in RULES if not in_vain.get(action) and not refusal(action, on, seat)]
