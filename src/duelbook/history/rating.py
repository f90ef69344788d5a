"""The rating of the person who plays: Glicko-2, from games against the levels, by the same rules as on the page.

Only games without help count, and only those against the levels, whose ratings are fixed. A day is a rating period.
"""

import sqlite3
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from glicko2 import Player

from duelbook.agents.levels import RATINGS

NEW_RATING, MAX_DEVIATION, NEW_VOLATILITY = 1500.0, 350.0, 0.06
LEVEL_DEVIATION = 30.0  # of the rating of a level, which was measured
MAX_DAYS = 36_500  # a wrong clock must not take longer
LEVELS = ", ".join(f"'{name}'" for name in RATINGS)
RATED = f"""SELECT substr(changed, 1, 10) AS day, opponent,
    CASE result WHEN 'won' THEN 1.0 WHEN 'drawn' THEN 0.5 ELSE 0.0 END AS score
    FROM games WHERE opponent IN ({LEVELS}) AND result IN ('won', 'drawn', 'lost') AND NOT helped AND NOT imported
    ORDER BY changed DESC, number DESC"""


class Rating(NamedTuple):
    """A rating, its deviation, and the number of games that it follows from."""

    rating: float
    deviation: float
    games: int

    def __str__(self) -> str:
        """Return `1560 ± 120`: the rating, and twice its deviation."""
        return f"{self.rating:.0f} ± {2 * self.deviation:.0f}"


def rating_of(connection: sqlite3.Connection, now: datetime) -> Rating | None:
    """Return the rating that follows from the games of the history, or None if none of them counts."""
    days: dict[date, list[sqlite3.Row]] = {}
    for game in connection.execute(RATED):
        days.setdefault(date.fromisoformat(game["day"]), []).append(game)
    if not days:
        return None
    first = min(days)
    last = max(*days, now.astimezone(UTC).date())
    player = Player(NEW_RATING, MAX_DEVIATION, NEW_VOLATILITY)
    for number in range(min((last - first).days, MAX_DAYS) + 1):
        played = days.get(first + timedelta(days=number), [])
        if played:
            opponents = [float(RATINGS[game["opponent"]]) for game in played]
            player.update_player(opponents, [LEVEL_DEVIATION] * len(played), [game["score"] for game in played])
        else:
            player.did_not_compete()
            player.rd = min(MAX_DEVIATION, player.rd)
    return Rating(player.rating, player.rd, sum(map(len, days.values())))
