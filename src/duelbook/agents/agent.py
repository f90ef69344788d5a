"""What an agent is: a program that chooses moves, and the ways in which it can fail to."""

from collections.abc import Collection
from contextlib import suppress
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from duelbook.errors import PicklableError, RefusedError
from duelbook.game import Move
from duelbook.match import Match, ReadOnlyMatch
from duelbook.records.record import Note


class Agent(Protocol):
    """A player that is a program."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        """Return a legal move for the mover, or raise Forfeit if there is none to play."""
        ...

    def close(self) -> None:
        """Release what the agent holds, such as a process."""
        ...


class Introduction(NamedTuple):
    """Who a program says it is."""

    name: str
    author: str


class TurnReport(NamedTuple):
    """What an agent says about the last move that it chose, in its attribute `last_turn` if it has one."""

    seconds: float | None = None  # the time that counts, if it is not all that has passed
    note: Note | None = None  # what it thinks about the move


def turn_report(agent: Agent) -> TurnReport:
    """Return what the agent says about the last move that it chose."""
    report = getattr(agent, "last_turn", None)
    return report if isinstance(report, TurnReport) else TurnReport()


def tell_result(agent: Agent, match: Match) -> None:
    """Tell an agent that wants to know, by a method `end_match`, how a match has ended."""
    if end_match := getattr(agent, "end_match", None):
        with suppress(Exception):  # the match is over, and its result stands
            end_match(match)


def close_agent(agent: Agent) -> None:
    """Close the agent, which plays no more. An error that it raises then does not matter."""
    with suppress(Exception):
        agent.close()


def introduction(agent: Agent) -> Introduction | None:
    """Return who the agent says it is, in its attribute `introduction`, if it has said so."""
    found = getattr(agent, "introduction", None)
    return found if isinstance(found, Introduction) else None


@runtime_checkable
class HasProbabilities(Protocol):
    """An agent whose lots are known: `duelbook.regret` asks for them once instead of asking for many moves."""

    def probabilities(self, match: ReadOnlyMatch) -> dict[Move, float]:
        """Return the probability of each move that the agent may choose. It depends on the state only."""
        ...


def evenly(moves: Collection[Move]) -> dict[Move, float]:
    """Return the same probability for each of the moves."""
    return dict.fromkeys(moves, 1 / len(moves))


class ForfeitKind(StrEnum):
    """Why an agent forfeited a match."""

    ILLEGAL = "illegal"  # the agent's answer is a clear move that is not legal, or, of a program, no legal move
    FORMAT = "format"  # a model's reply names no move in the required form, or more than one
    REFUSAL = "refusal"  # a model, or a filter in front of it, refused to answer
    TRUNCATED = "truncated"  # a model's reply was cut off at the limit of its length
    TIMEOUT = "timeout"  # the agent did not answer in time
    ERROR = "error"  # the agent crashed


class Forfeit(PicklableError):  # noqa: N818 - this is how a match ends, not a fault of the program
    """The agent gives up the match. The message says what happened in one sentence."""

    def __init__(self, kind: ForfeitKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class StoppedError(RefusedError):
    """The agent cannot continue through no fault of its own: nobody loses, and the match stays unfinished."""


class OtherSettingsError(StoppedError):
    """The agent can only play with other settings, which are part of a run: it has to begin anew."""
