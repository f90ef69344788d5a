"""What the players of a match may do: one rule for each action, the same at one keyboard and in a service."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from duelbook.game import Player
from duelbook.records.record import GIFT_SECONDS, MAX_GIVEN_SECONDS

if TYPE_CHECKING:
    from duelbook.play.table import Table

ActionName = Literal["play", "undo", "agree", "decline", "give", "resign", "claim"]


def _always(on: "Table", seat: Player) -> str:
    return ""


def _anywhere(on: "Table") -> str:
    return ""


class ActionRule(NamedTuple):
    """When the players may do something, and how it is called and told."""

    api: str  # what the API says about it
    why_not: "Callable[[Table, Player], str]" = _always  # why a player cannot do it now, in a sentence
    why_never: "Callable[[Table], str]" = _anywhere  # why nobody can do it in this match, in a sentence
    about: str = ""  # what the command of this name does; empty if there is no such command
    told: str = ""  # what is said when a player, `name`, has done it, which also concerns the `other` one
    is_by_waiting: bool = False  # done by the player who is not to move; at one keyboard the command is theirs


def _play(on: "Table", seat: Player) -> str:
    return "" if on.match.mover == seat else "It is your opponent's turn."


def _undo(on: "Table", seat: Player) -> str:
    if on.undo_target(seat) is None:
        return "You have no move to take back."
    return "Your opponent asks to take a move back. Agree or decline first." if on.asking == 1 - seat else ""


def _agree(on: "Table", seat: Player) -> str:
    return "" if on.asking == 1 - seat else "Your opponent does not ask to take a move back."


def _never_undo(on: "Table") -> str:
    is_timed = on.is_remote and on.time_limit is not None
    return "Moves cannot be taken back in a match with a time limit." if is_timed else ""


def _claim(on: "Table", seat: Player) -> str:
    return "It is your turn. A win can be claimed only on your opponent's turn." if on.match.mover == seat else ""


def _give(on: "Table", seat: Player) -> str:
    if on.match.mover == seat:
        return "It is your turn. Time can be given only to your opponent."
    if on.match.given_seconds < MAX_GIVEN_SECONDS:
        return ""
    return f"{MAX_GIVEN_SECONDS} seconds were given for this turn already. That is the most."


def _never_give(on: "Table") -> str:
    if on.time_limit is None:
        return "This match has no time limit."
    return "A computer is given no time." if len(on.people) < 2 else ""


def _never_claim(on: "Table") -> str:
    if len(on.people) < 2:
        return "A computer does not stay away."
    if not on.is_remote:
        return "Your opponent is at the same screen."
    is_timed = on.time_limit is not None
    return "This match has a clock: an opponent who stays away loses on time." if is_timed else ""


RULES: Mapping[ActionName, ActionRule] = {
    "play": ActionRule("makes a move", _play),
    "undo": ActionRule("asks to take your last move back", _undo, _never_undo, "take back your last move"),
    "agree": ActionRule("lets the opponent who asks for it take their move back", _agree),
    "decline": ActionRule(
        "does not, or withdraws your own request", told="{name} declines: the move is not taken back."
    ),
    "give": ActionRule(
        f"gives the opponent {GIFT_SECONDS} seconds more for their turn, up to {MAX_GIVEN_SECONDS}",
        _give,
        _never_give,
        f"the player who waits gives the other {GIFT_SECONDS} seconds more",
        f"{{name}} gives {{other}} {GIFT_SECONDS} seconds more.",
        is_by_waiting=True,
    ),
    "resign": ActionRule("gives the match up", about="give up the game"),
    "claim": ActionRule(
        "warns an absent opponent, and wins the match when they have not come back in time",
        _claim,
        _never_claim,
        "win against an opponent who stays away, after a warning",
    ),
}


def refusal(action: ActionName, on: "Table", seat: Player) -> str:
    """Return why the player on this seat cannot do this now, in a sentence, or an empty text if they can."""
    rule = RULES[action]
    return rule.why_never(on) or rule.why_not(on, seat)


def never_text(action: ActionName, on: "Table") -> str:
    """Return why this match never has the command of this action, or an empty text if it has, or nothing has one."""
    rule = RULES[action]
    return rule.why_never(on) if rule.about else ""


def action_commands(on: "Table") -> dict[str, str]:
    """Return the commands that are actions which can be possible in this match, and what they do."""
    return {name: rule.about for name, rule in RULES.items() if rule.about and not rule.why_never(on)}


def told_text(action: ActionName, name: str, other: str) -> str:
    """Return what is said when the player of this name has done it, or an empty text if the screen shows it anyway."""
    return RULES[action].told.format(name=name, other=other)


def api_text() -> str:
    """Return what the actions do, for those who send them."""
    return "; ".join(f"`{name}` {rule.api}" for name, rule in RULES.items())
