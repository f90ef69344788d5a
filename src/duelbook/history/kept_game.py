"""A game of the history, without its moves: who played, how it ended for the person, and whether it counts."""

from datetime import UTC, datetime
from enum import StrEnum

from msgspec import Struct

from duelbook.game import OutcomeName, Reason
from duelbook.games import GAMES, title
from duelbook.records.record import Person


class OwnResult(StrEnum):
    """How a game ended for the person who played it against an agent, as `--result` takes it."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    UNFINISHED = "unfinished"
    NONE = "none"  # of two people or two agents, or nobody has won


class KeptGame(Struct, frozen=True):
    """One game of the history: the columns of the table that lists need."""

    number: int
    version: int
    game: str
    name1: str
    agent1: str
    name2: str
    agent2: str
    person: int | None  # the only person: 0 for Player 1, 1 for Player 2, or None if there are two or none
    opponent: str  # the agent that the person played against; `human` for two people, and empty for two agents
    first: int  # who moved first: 0 for Player 1, 1 for Player 2
    moves: int
    outcome: OutcomeName
    winner: int | None  # 0 for Player 1, 1 for Player 2, or None
    result: OwnResult
    reason: Reason
    changed: datetime  # when it was last played
    helped: bool  # values or hints were shown
    imported: bool

    @property
    def people(self) -> tuple[Person, Person]:
        """Player 1 and Player 2."""
        return Person(self.name1, self.agent1), Person(self.name2, self.agent2)

    @property
    def finished(self) -> bool:
        """True once the game is over, for whatever reason."""
        return self.result is not OwnResult.UNFINISHED


def read_time(text: str) -> datetime:
    """Return the time that the history holds. A time without a zone is taken as UTC."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def game_title(game: str) -> str:
    """Return the title of a game, or its name if it is not installed any more."""
    return title(game) if game in GAMES else game
