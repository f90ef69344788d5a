"""What an agent is: a program that chooses moves, and the ways in which it can fail to."""

from enum import StrEnum
from typing import Protocol

from duelbook.errors import PicklableError, RefusedError
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch


class Agent(Protocol):
    """A player that is a program."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        """Return a legal move for the mover, or raise Forfeit if there is none to play."""
        ...

    def close(self) -> None:
        """Release what the agent holds, such as a process."""
        ...


class ForfeitKind(StrEnum):
    """Why an agent forfeited a match."""

    ILLEGAL = "illegal"  # the agent's answer is not a legal move
    TIMEOUT = "timeout"  # the agent did not answer in time
    ERROR = "error"  # the agent crashed


class Forfeit(PicklableError):  # noqa: N818 - this is how a match ends, not a fault of the program
    """The agent gives up the match. The message says what happened in one sentence."""

    def __init__(self, kind: ForfeitKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class StoppedError(RefusedError):
    """The agent cannot continue through no fault of its own: nobody loses, and the match stays unfinished."""
