"""Which games of the history are wanted: by game, opponent, result and time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from duelbook.errors import RefusedError
from duelbook.history.kept_game import KeptGame, Result
from duelbook.text import shorten


@dataclass(frozen=True)
class Filter:
    """What a game must have; None for what does not matter."""

    game: str | None = None
    opponent: str | None = None  # an agent, by its whole name or without what follows the colon
    result: Result | None = None
    since: datetime | None = None
    until: datetime | None = None

    def fits(self, game: KeptGame) -> bool:
        """Return True if the game has all that is wanted."""
        return (
            self.game in (None, game.game)
            and self.opponent in (None, *opponent_names(game))
            and self.result in (None, game.result)
            and (self.since is None or game.changed >= self.since)
            and (self.until is None or game.changed < self.until)
        )

    def of(self, games: Iterable[KeptGame]) -> list[KeptGame]:
        """Return the games that fit, in the same order."""
        return [game for game in games if self.fits(game)]


def opponent_names(game: KeptGame) -> tuple[str, str]:
    """Return the opponent by its whole name, and without what follows the colon."""
    return game.opponent, game.opponent.partition(":")[0]


def read_day(text: str) -> datetime:
    """Return when a day begins on this machine, or the given moment. Raise RefusedError if the text is neither."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError) as error:
        raise RefusedError(f"A day must be written like 2026-11-17, not '{shorten(text)}'.") from error
