"""A played game as data: what was played by whom and how it ended. States are recomputed, never stored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Move, Outcome, parse_move

HUMAN = "human"
SEATS = ("first", "second")
LARGEST_SEED = 2**63 - 1
LONGEST_TURN = 86_400  # seconds, which is a day
TIME_LIMITS = f"a number of seconds above 0 and up to {LONGEST_TURN}"


class Reason(StrEnum):
    """Why a match is over, or that it is not."""

    RULES = "rules"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    PLY_LIMIT = "ply limit"
    UNFINISHED = "unfinished"


class RecordError(RefusedError):
    """A record that is refused; the message names the place."""


@dataclass(frozen=True)
class Person:
    """Player 1 or Player 2: a name, and who plays: `human` or an agent."""

    name: str
    agent: str = HUMAN


@dataclass(frozen=True)
class Record:
    game: AnyGame
    people: tuple[Person, Person]  # Player 1 and Player 2
    first: int  # which of them moves first: 0 or 1
    moves: tuple[str, ...]  # by name
    outcome: Outcome
    reason: Reason
    seed: int | None = None
    time_limit: float | None = None  # seconds for each turn
    started: str | None = None  # ISO 8601, UTC
    ended: str | None = None
    seconds: tuple[float, ...] = ()  # what each move took; empty when nobody measured


def is_time_limit(seconds: float) -> bool:
    return 0 < seconds <= LONGEST_TURN


def replay(game: AnyGame, names: Iterable[str]) -> Iterator[tuple[Move, Any]]:
    """Answer each move with the state that follows it, or refuse the record at the first illegal one."""
    state = game.initial()
    for number, name in enumerate(names, 1):
        try:
            move = parse_move(game, state, name)
        except IllegalMoveError as error:
            raise RecordError(f"move {number}: {error}") from error
        state = game.play(state, move)
        yield move, state


def state_after(game: AnyGame, names: Iterable[str]) -> Any:
    """Answer the state after the named moves, or refuse the first illegal one."""
    state = game.initial()
    for _, following in replay(game, names):
        state = following
    return state


def check_result(record: Record) -> None:
    """Refuse a result that does not follow from the moves, or that its reason does not allow."""
    state = state_after(record.game, record.moves)
    follows = record.game.outcome(state)
    if not _agrees(record, follows, record.game.mover(state)):
        raise RecordError(
            f"result: {result_name(record.outcome)} by {record.reason} does not follow from the moves; "
            f"by the rules it is {result_name(follows)} then"
        )


def _agrees(record: Record, follows: Outcome, mover: int) -> bool:
    match record.reason:
        case Reason.RULES:
            return record.outcome == follows != Outcome.UNDECIDED
        case Reason.RESIGNATION:
            return follows == Outcome.UNDECIDED and record.outcome in (0, 1)
        case Reason.TIME | Reason.FORFEIT:  # of the mover, whose time runs and who has to answer
            return follows == Outcome.UNDECIDED and record.outcome == 1 - mover
        case Reason.PLY_LIMIT | Reason.UNFINISHED:
            return follows == record.outcome == Outcome.UNDECIDED


def result_name(outcome: Outcome) -> str:
    """Answer how a record writes an outcome."""
    return (*SEATS, "draw", "none")[outcome]
