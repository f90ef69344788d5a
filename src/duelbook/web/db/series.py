"""Matches of several games: the points so far, and the game that follows."""

from typing import Any, NamedTuple, get_args

from duelbook.game import Outcome
from duelbook.web.db.tables import MatchRow
from duelbook.web.schemas.matches import BestOf

SERIES_LENGTHS: tuple[int, ...] = get_args(BestOf)  # even, so that both players move first equally often; or one

Points = tuple[float, float]


class SeriesStanding(NamedTuple):
    """Where a series stands: the points by seat, with those of a game that is over, and whether it is decided."""

    points: Points
    decided: bool


def points_of(outcome: Outcome) -> Points:
    """Return the points of a game that is over: one for a win, half a point for a draw."""
    if outcome == Outcome.DRAW:
        return 0.5, 0.5
    return float(outcome == Outcome.FIRST_WINS), float(outcome == Outcome.SECOND_WINS)


def standing(row: MatchRow) -> SeriesStanding:
    """Return where the series of a match stands."""
    won = points_of(Outcome(row.outcome)) if row.outcome != Outcome.UNDECIDED else (0.0, 0.0)
    points = row.first_points + won[0], row.second_points + won[1]
    if row.outcome == Outcome.UNDECIDED:
        return SeriesStanding(points, False)
    return SeriesStanding(points, row.game_number >= row.best_of or max(points) > row.best_of / 2)


def next_game(row: MatchRow) -> dict[str, Any]:
    """Return the columns of the game after this one, in which both players have the other seat.

    A series that is decided is followed by a new one. Single games have no end: their points add up.
    """
    (first, second), decided = standing(row)
    number = row.game_number + 1
    if decided and row.best_of > 1:
        number, first, second = 1, 0.0, 0.0
    return {"best_of": row.best_of, "game_number": number, "first_points": second, "second_points": first}
