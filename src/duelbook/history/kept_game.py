"""A game of the history without its moves, and which games are wanted: by game, opponent, result and time."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from msgspec import Struct

from duelbook.errors import RefusedError
from duelbook.game import OutcomeName, Reason
from duelbook.games import GAMES, title
from duelbook.records.record import Person
from duelbook.text import shorten

WANTED = """(:game IS NULL OR game = :game)
    AND (:opponent IS NULL OR :opponent IN (opponent, substr(opponent, 1, instr(opponent || ':', ':') - 1)))
    AND (:result IS NULL OR result = :result)
    AND (:since IS NULL OR changed >= :since)
    AND (:until IS NULL OR changed < :until)"""  # the condition of a query that has the values of a filter


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


@dataclass(frozen=True)
class Filter:
    """What a game must have; None for what does not matter."""

    game: str | None = None
    opponent: str | None = None  # an agent, by its whole name or without what follows the colon
    result: OwnResult | None = None
    since: datetime | None = None
    until: datetime | None = None

    def values(self) -> dict[str, str | None]:
        """Return the parameters of WANTED. Times are in UTC, as in the history, so that SQL can compare them."""
        return {
            "game": self.game,
            "opponent": self.opponent,
            "result": self.result,
            "since": self.since.astimezone(UTC).isoformat() if self.since else None,
            "until": self.until.astimezone(UTC).isoformat() if self.until else None,
        }


ALL_GAMES = Filter()


def read_day(text: str) -> datetime:
    """Return when a day begins on this machine, or the given moment. Raise RefusedError if the text is neither."""
    try:
        return datetime.fromisoformat(text).astimezone().astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise RefusedError(f"A day must be written like 2026-11-17, not '{shorten(text)}'.") from error


def read_time(text: str) -> datetime:
    """Return the time that the history holds. A time without a zone is taken as UTC."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def game_title(game: str) -> str:
    """Return the title of a game, or its name if it is not installed any more."""
    return title(game) if game in GAMES else game
