"""The rating of the person who plays: Glicko-2, from games against the levels, by the same rules as on the page.

Only games without help count, and only those against the levels, whose ratings are fixed. A day is a rating period.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from glicko2 import Player

from duelbook.agents.levels import RATINGS
from duelbook.history.kept_game import KeptGame, Result

NEW_RATING, MAX_DEVIATION, NEW_VOLATILITY = 1500.0, 350.0, 0.06
LEVEL_DEVIATION = 30.0  # of the rating of a level, which was measured
MAX_DAYS = 36_500  # a wrong clock must not take longer
SCORES = {Result.WON: 1.0, Result.DRAWN: 0.5, Result.LOST: 0.0}


class Rating(NamedTuple):
    """A rating, its deviation, and the number of games that it follows from."""

    rating: float
    deviation: float
    games: int

    def __str__(self) -> str:
        """Return `1560 ± 120`: the rating, and twice its deviation."""
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"


def counts(game: KeptGame) -> bool:
    """Return True if the game counts for the rating."""
    return game.opponent in RATINGS and game.result in SCORES and not game.helped and not game.imported


def rating_of(games: Iterable[KeptGame], now: datetime) -> Rating | None:
    """Return the rating that follows from the games, or None if none of them counts."""
    days: dict[date, list[KeptGame]] = {}
    for game in filter(counts, games):
        days.setdefault(game.changed.astimezone(UTC).date(), []).append(game)
    if not days:
        return None
    first = min(days)
    last = max(*days, now.astimezone(UTC).date())
    player = Player(NEW_RATING, MAX_DEVIATION, NEW_VOLATILITY)
    for number in range(min((last - first).days, MAX_DAYS) + 1):
        played = days.get(first + timedelta(days=number), [])
        if played:
            opponents = [float(RATINGS[game.opponent]) for game in played]
            player.update_player(opponents, [LEVEL_DEVIATION] * len(played), [SCORES[game.result] for game in played])
        else:
            player.did_not_compete()
            player.rd = min(MAX_DEVIATION, player.rd)
    return Rating(player.rating, player.rd, sum(map(len, days.values())))
