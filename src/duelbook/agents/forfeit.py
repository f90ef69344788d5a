"""Forfeits: an agent that has no move to answer loses the match, and says why."""

from enum import StrEnum

from duelbook.errors import RefusedError


class ForfeitKind(StrEnum):
    ILLEGAL = "illegal"  # what it answered is no legal move
    TIMEOUT = "timeout"  # it did not answer in time
    ERROR = "error"  # it broke down


class Forfeit(Exception):  # noqa: N818 - it is how a match ends, not a fault of ours
    """The agent gives the match up; the message says what happened in one sentence."""

    def __init__(self, kind: ForfeitKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class StoppedError(RefusedError):
    """The agent cannot go on through no fault of its own: nobody loses, and whoever plays the match leaves it there."""
