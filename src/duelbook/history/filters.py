"""Which games of the history are wanted: by game, opponent, result and time."""

from dataclasses import dataclass
from datetime import UTC, datetime

from duelbook.errors import RefusedError
from duelbook.history.kept_game import OwnResult
from duelbook.text import shorten

WANTED = """(:game IS NULL OR game = :game)
    AND (:opponent IS NULL OR :opponent IN (opponent, substr(opponent, 1, instr(opponent || ':', ':') - 1)))
    AND (:result IS NULL OR result = :result)
    AND (:since IS NULL OR changed >= :since)
    AND (:until IS NULL OR changed < :until)"""  # the condition of a query that has the values of a filter


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
