"""What a check finds: a fault, or a reason for which there is nothing to check."""

from typing import NamedTuple

from duelbook.game import AnyGame, Move


class Fault(NamedTuple):
    """A sentence about what is wrong, and the moves that show it (None if no position does)."""

    reason: str
    moves: tuple[Move, ...] | None
    game: AnyGame | None = None  # that is at fault, if it is another one than that of the sample


class Skipped(Exception):  # noqa: N818 - not a fault
    """The check does not apply; the message says why."""
