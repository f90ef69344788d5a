"""A game of the history, without its moves: who played, how it ended for the person, and whether it counts."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from duelbook.game import SEAT_NAMES, OutcomeName, Reason
from duelbook.records.record import HUMAN, Person, only_person


class Result(StrEnum):
    """How a game ended for the person who played it against an agent, as `--result` takes it."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    UNFINISHED = "unfinished"
    NONE = "none"  # of two people or two agents, or nobody has won


@dataclass(frozen=True)
class KeptGame:
    """One game of the history."""

    number: int
    version: int
    game: str
    people: tuple[Person, Person]  # Player 1 and Player 2
    first: int  # which of them moved first: 0 or 1
    moves: int
    outcome: OutcomeName
    reason: Reason
    changed: datetime  # when it was last played
    helped: bool  # values or hints were shown
    imported: bool

    @property
    def person(self) -> int | None:
        """The only person of the game: 0 for Player 1, 1 for Player 2, or None if there are two or none."""
        return only_person(self.people)

    @property
    def opponent(self) -> str:
        """The agent that the person played against; `human` for two people, and an empty text for two agents."""
        if self.person is not None:
            return self.people[1 - self.person].agent
        return HUMAN if self.people[0].agent == HUMAN else ""

    @property
    def finished(self) -> bool:
        """True once the game is over, for whatever reason."""
        return self.reason is not Reason.UNFINISHED

    @property
    def winner(self) -> int | None:
        """Who won: 0 for Player 1, 1 for Player 2, or None."""
        return SEAT_NAMES.index(self.outcome) ^ self.first if self.outcome in SEAT_NAMES else None

    @property
    def result(self) -> Result:
        """How the game ended for the person who played it."""
        if not self.finished:
            return Result.UNFINISHED
        if self.person is None or self.outcome == "none":
            return Result.NONE
        if self.outcome == "draw":
            return Result.DRAWN
        return Result.WON if self.winner == self.person else Result.LOST


def read_time(text: str) -> datetime:
    """Return the time that the history holds. A time without a zone is taken as UTC."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
