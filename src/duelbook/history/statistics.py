"""What the games of the history add up to: results by game and by opponent, streaks, and wins of two people."""

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from duelbook.agents.levels import RATINGS
from duelbook.history.kept_game import WANTED, Filter, game_title

AGAINST = ("the computer", "people over the network")
HAS_RESULT = "result IN ('won', 'lost', 'drawn')"
IS_ONLINE = "substr(opponent, 1, 7) = 'online:'"
LEVELS = " ".join(f"WHEN '{name}' THEN {rating}" for name, rating in RATINGS.items())
STRENGTH = f"CASE opponent {LEVELS} ELSE 9999 END"  # which puts the weakest level first, and the other agents last

COUNTS = f"""SELECT count(*), coalesce(sum(result = 'unfinished'), 0),
    coalesce(sum(opponent = 'human' AND result <> 'unfinished'), 0),
    count(DISTINCT game) > 1 AND count(DISTINCT opponent) > 1
    FROM games WHERE {WANTED}"""
TALLIES = f"""SELECT {{keys}}, sum(result = 'won'), sum(result = 'lost'), sum(result = 'drawn')
    FROM games WHERE {WANTED} AND {HAS_RESULT} GROUP BY {{keys}} ORDER BY {{keys}}"""
STREAKS = f"""WITH
    results AS (
        SELECT result = 'won' AS won, sum(result <> 'won') OVER (ORDER BY changed, number) AS streak
        FROM games WHERE {WANTED} AND {HAS_RESULT}
    ),
    streaks AS (SELECT streak, sum(won) AS length FROM results GROUP BY streak)
    SELECT coalesce((SELECT length FROM streaks ORDER BY streak DESC LIMIT 1), 0), coalesce(max(length), 0)
    FROM streaks"""
WINS = f"""WITH
    pairs AS (SELECT * FROM games WHERE {WANTED} AND opponent = 'human' AND result <> 'unfinished'),
    seats AS (
        SELECT name1 AS name, winner IS 0 AS won, changed, number, 1 AS seat FROM pairs
        UNION ALL SELECT name2, winner IS 1, changed, number, 2 FROM pairs
    ),
    places AS (SELECT name, won, row_number() OVER (ORDER BY changed DESC, number DESC, seat) AS place FROM seats)
    SELECT name, sum(won) FROM places GROUP BY name ORDER BY min(place)"""


class ResultCounts(NamedTuple):
    """How games ended for the person who played them."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn


class Streaks(NamedTuple):
    """Games won in a row: up to now, and the most ever."""

    now: int
    best: int


class Statistics(NamedTuple):
    """What games add up to. Only groups with a result for one person have a tally."""

    games: int
    unfinished: int
    totals: dict[str, ResultCounts]  # by AGAINST
    streaks: Streaks
    groups: dict[str, dict[str, ResultCounts]]  # by game, by opponent, and by both if there are several of each
    two_people: int  # finished games of two people at one keyboard
    wins: dict[str, int]  # of these people, by name; those who played last come first


def statistics_of(connection: sqlite3.Connection, wanted: Filter) -> Statistics:
    """Return what the games that fit the filter add up to."""
    values = wanted.values()

    def tallies(*keys: str) -> Iterator[tuple[list[Any], ResultCounts]]:
        for *group, won, lost, drawn in connection.execute(TALLIES.format(keys=", ".join(keys)), values):
            yield group, ResultCounts(won, lost, drawn)

    connection.execute("BEGIN")  # all numbers are of the same games, whatever other terminals do
    games, unfinished, two_people, has_several = connection.execute(COUNTS, values).fetchone()
    groups = {
        "game": {game_title(game): tally for [game], tally in tallies("game")},
        "opponent": {opponent: tally for [_, opponent], tally in tallies(STRENGTH, "opponent")},
    }
    if has_several:
        both = tallies("game", STRENGTH, "opponent")
        groups["game and opponent"] = {f"{game_title(game)}, {opponent}": tally for [game, _, opponent], tally in both}
    return Statistics(
        games=games,
        unfinished=unfinished,
        totals={AGAINST[is_online]: tally for [is_online], tally in tallies(IS_ONLINE)},
        streaks=Streaks(*connection.execute(STREAKS, values).fetchone()),
        groups=groups,
        two_people=two_people,
        wins=dict(connection.execute(WINS, values).fetchall()),
    )
