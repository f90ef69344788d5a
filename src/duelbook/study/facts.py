"""Facts: what can be proven about a move, as data. `reasons` finds them, and `wording` puts them into words.

Every fact is about one move in one position, and is said of the player who makes it. Names of moves stand for moves.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeVar

from msgspec import Meta, Struct

from duelbook.game import SeatName

FactT = TypeVar("FactT")
ValueName = Literal["win", "draw", "loss"]
OwnMoves = Annotated[
    int | None, Meta(description="moves of that player until the end, with this one; null in a draw without end")
]


class Fact(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What all facts have: the player, the move, and where it is made."""

    player: SeatName
    after: Annotated[list[str], Meta(description="moves from the position at hand to the one that this is about")]
    move: str


class Result(Fact, kw_only=True, frozen=True, tag="result"):
    """What the move leads to if both players play their best."""

    value: ValueName
    own_moves: OwnMoves
    at_once: Annotated[bool, Meta(description="the move ends the game")]
    again: Annotated[bool, Meta(description="the same player moves again")]
    keeping: Annotated[int, Meta(description="legal moves with this value")]
    lasting: Annotated[int, Meta(description="legal moves with this value after which the game lasts as long")]
    legal: Annotated[int, Meta(description="legal moves")]


class Estimate(Fact, kw_only=True, frozen=True, tag="estimate"):
    """What a search thinks of the move in a game that is too large to be solved."""

    score: Annotated[float, Meta(description="the expected share of the points, from 0 to 1")]
    proven: Annotated[ValueName | None, Meta(description="what the search has proven, if anything")]
    at_once: Annotated[bool, Meta(description="the move ends the game")]


class OnlyMove(Fact, kw_only=True, frozen=True, tag="only move"):
    """No other move has this value."""

    others: Annotated[ValueName, Meta(description="the best value of the other moves")]


class Threat(Fact, kw_only=True, frozen=True, tag="threat"):
    """How the opponent wins with their next move after other moves."""

    winning: Annotated[list[str], Meta(description="after each of those moves one of these wins; empty if many do")]
    losing: Annotated[int, Meta(description="other moves after which the opponent wins at once")]
    others: Annotated[int, Meta(description="other legal moves")]
    stopped: Annotated[bool, Meta(description="the opponent cannot win at once after this move")]


class Mistake(Fact, kw_only=True, frozen=True, tag="mistake"):
    """How the opponent wins after another move, where this one holds the draw."""

    other: Annotated[str, Meta(description="the move that loses the soonest")]
    reply: Annotated[str, Meta(description="with which the opponent wins, now or later")]
    reply_moves: Annotated[int, Meta(description="moves of the opponent until the end, with the reply")]


class Forcing(Fact, kw_only=True, frozen=True, tag="forcing"):
    """The opponent has to answer a threat: after every other reply the player wins at once."""

    winning: Annotated[list[str], Meta(description="after every other reply one of these wins at once")]
    replies: Annotated[list[str], Meta(description="the replies that stop it")]
    then: Annotated[str | None, Meta(description="the best move after the only such reply")]


class AnyReply(Fact, kw_only=True, frozen=True, tag="any reply"):
    """Whatever the opponent replies, one of a few moves wins."""

    winning: list[str]
    at_once: Annotated[bool, Meta(description="with that move; if not, it keeps the win")]


class EachReply(Fact, kw_only=True, frozen=True, tag="each reply"):
    """The best move after each reply of the opponent; there are few."""

    answers: Annotated[dict[str, str], Meta(description="by reply")]
    at_once: Annotated[bool, Meta(description="each of them wins at once")]


class BestLine(Fact, kw_only=True, frozen=True, tag="line"):
    """How play goes on with best moves, beginning with this one; cut to what a person can follow."""

    moves: list[str]
    players: Annotated[list[SeatName], Meta(description="who makes each of them")]
    winner: Annotated[SeatName | None, Meta(description="who wins with the last move; null if the line stops before")]


class Trap(Fact, kw_only=True, frozen=True, tag="trap"):
    """Every move loses, but after this one few replies win for the opponent."""

    winning: Annotated[list[str], Meta(description="the replies that win; empty if there are many")]
    count: Annotated[int, Meta(description="replies that win")]
    replies: Annotated[int, Meta(description="legal replies")]


class Effect(Fact, kw_only=True, frozen=True, tag="effect"):
    """What the move does, in words of the game that follow the name of the move."""

    text: str


AnyFact = Result | Estimate | OnlyMove | Threat | Mistake | Forcing | AnyReply | EachReply | BestLine | Trap | Effect


def find(facts: Sequence[AnyFact], kind: type[FactT]) -> FactT | None:
    """Return the fact of this kind, if there is one."""
    return next((fact for fact in facts if isinstance(fact, kind)), None)


class Comment(NamedTuple):
    """What there is to say about a move: as text, and as facts about the position before it."""

    text: str
    facts: tuple[AnyFact, ...]


class TurningPoint(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The last move of a game that gave something away."""

    ply: Annotated[int, Meta(description="the number of the move, from 1")]
    player: SeatName
    move: str
    before: Annotated[ValueName, Meta(description="of the position before the move, for the player")]
    after: Annotated[ValueName, Meta(description="of the position after the move, for the same player")]
