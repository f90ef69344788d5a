"""What the history adds up to: games that fit a filter, tallies, streaks, and the rating, which is that of the page."""

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from duelbook import make
from duelbook.agents.levels import RATINGS
from duelbook.game import Outcome, Reason
from duelbook.history.database import DamagedHistoryError
from duelbook.history.kept_game import Filter, OwnResult
from duelbook.history.statistics import ResultCounts, Streaks
from duelbook.history.store import History
from duelbook.match import Match
from duelbook.records import Person
from duelbook.records.record import HUMAN

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
PLAYED = {"won": True, "lost": False}


class Player:
    """Somebody whose games are in a history: each is played a minute after the one before."""

    def __init__(self, folder: Path) -> None:
        self.history = History(folder / "history.sqlite")
        self.now = NOON

    def play(
        self,
        *results: str,
        against: str = "easy",
        game: str = "charge",
        helped: bool = False,
        imported: bool = False,
        day: int | None = None,
    ) -> None:
        """Keep a game of Red against Blue for each result of Red."""
        for result in results:
            match = Match(make(game))
            if result in PLAYED:
                match.resign(PLAYED[result])
            record = match.record((Person("Red"), Person("Blue", against)), 0)
            if result == "drawn":
                record = replace(record, outcome=Outcome.DRAW, reason=Reason.RULES)
            slot = self.history.keep(None, record, helped=helped, imported=imported)
            self.now = self.now + MINUTE if day is None else NOON + timedelta(days=day)
            with sqlite3.connect(self.history.path) as connection:
                connection.execute("UPDATE games SET changed = ? WHERE number = ?", [self.now.isoformat(), slot.number])


@pytest.fixture
def red(tmp_path: Path) -> Player:
    return Player(tmp_path)


def test_a_filter_takes_games_by_game_opponent_result_and_time(red: Player) -> None:
    red.play("won", "unfinished")
    red.play("won", game="flag-chase", against="search:4")
    red.play("lost", against="searcher")
    red.play("won", against=HUMAN)

    def numbers(wanted: Filter, limit: int | None = None) -> list[int]:
        found = [game.number for game in red.history.games(wanted, limit)]
        assert limit or red.history.count(wanted) == len(found)
        return found

    assert numbers(Filter()) == [5, 4, 3, 2, 1]
    assert numbers(Filter(), limit=2) == [5, 4]
    assert numbers(Filter(game="flag-chase")) == numbers(Filter(opponent="search:4")) == [3]
    assert numbers(Filter(opponent="search")) == [3], "an agent with any parameter"
    assert numbers(Filter(opponent="search:")) == []
    assert numbers(Filter(opponent=HUMAN)) == numbers(Filter(result=OwnResult.NONE)) == [5]
    assert numbers(Filter(game="charge", result=OwnResult.WON)) == [1]
    assert numbers(Filter(since=NOON + 2 * MINUTE, until=NOON + 4 * MINUTE)) == [3, 2]
    elsewhere = timezone(timedelta(hours=14))
    assert numbers(Filter(since=(NOON + 4 * MINUTE).astimezone(elsewhere))) == [5, 4]
    assert (red.history.game_names(), red.history.opponents()[:2]) == (["charge", "flag-chase"], ["easy", HUMAN])


def test_results_are_counted_by_game_and_opponent_and_games_without_one_are_left_out(red: Player) -> None:
    red.play("won", "lost", "drawn", "unfinished")
    red.play("won", against="beginner", game="flag-chase")
    red.play("unfinished", against="greedy")
    red.play("lost", against="a program")
    red.play("won", against=HUMAN)
    found = red.history.statistics()
    assert (found.games, found.unfinished) == (8, 2)
    assert found.totals == {"the computer": ResultCounts(2, 2, 1)}
    assert {heading: [*tallies.items()] for heading, tallies in found.groups.items()} == {
        "game": [("Charge", ResultCounts(1, 2, 1)), ("Flag Chase", ResultCounts(1, 0, 0))],
        "opponent": [
            ("beginner", ResultCounts(1, 0, 0)),
            ("easy", ResultCounts(1, 1, 1)),
            ("a program", ResultCounts(0, 1, 0)),
        ],
        "game and opponent": [
            ("Charge, easy", ResultCounts(1, 1, 1)),
            ("Charge, a program", ResultCounts(0, 1, 0)),
            ("Flag Chase, beginner", ResultCounts(1, 0, 0)),
        ],
    }
    assert red.history.statistics(Filter(game="flag-chase")).groups.keys() == {"game", "opponent"}


def test_people_over_the_network_are_no_computers(red: Player) -> None:
    red.play("lost", against="online:Ann")
    red.play("drawn", against="online:easy")
    red.play("won")
    totals = red.history.statistics().totals
    assert [*totals.items()] == [
        ("the computer", ResultCounts(1, 0, 0)),
        ("people over the network", ResultCounts(0, 1, 1)),
    ]


def test_a_streak_ends_with_a_game_that_is_not_won(red: Player) -> None:
    assert red.history.statistics().streaks == Streaks(now=0, best=0)
    red.play("lost", "won", "won", "won", "drawn", "won", "unfinished", "won")
    assert red.history.statistics().streaks == Streaks(now=2, best=3)
    red.play("lost")
    assert red.history.statistics().streaks == Streaks(now=0, best=3)


def test_two_people_are_counted_by_name(red: Player) -> None:
    red.play("won", "won", "lost", "drawn", "unfinished", against=HUMAN)
    red.play("won")
    found = red.history.statistics()
    assert (found.two_people, found.wins) == (4, {"Red": 2, "Blue": 1})


def test_a_value_that_another_program_wrote_is_damage(red: Player) -> None:
    red.play("won")
    with sqlite3.connect(red.history.path) as connection:
        connection.execute("UPDATE games SET changed = 'yesterday'")
    for use in (red.history.games, lambda: red.history.rating(NOON)):
        with pytest.raises(DamagedHistoryError):
            use()


class TestRating:
    def test_only_finished_games_against_levels_without_help_count(self, red: Player) -> None:
        red.play("unfinished")
        red.play("won", against="greedy")
        red.play("won", against=HUMAN)
        red.play("won", helped=True)
        red.play("won", imported=True)
        assert red.history.rating(NOON) is None
        red.play("won")
        rated = red.history.rating(NOON)
        assert rated
        assert rated.games == 1

    def test_it_is_glickmans(self, red: Player) -> None:
        """By the formulas of the paper for one win of a new player; the volatility hardly changes."""
        from math import exp, pi, sqrt

        scale = 173.7178
        weight = 1 / sqrt(1 + 3 * (30 / scale) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (0 - (RATINGS["hard"] - 1500) / scale)))
        information = weight**2 * expected * (1 - expected)
        deviation = 1 / sqrt(1 / ((350 / scale) ** 2 + 0.06**2) + information)
        red.play("won", against="hard")
        rated = red.history.rating(NOON)
        assert rated
        assert rated.rating == pytest.approx(1500 + scale * deviation**2 * weight * (1 - expected), abs=0.1)
        assert rated.deviation == pytest.approx(scale * deviation, abs=0.1)
        assert str(rated) == f"{rated.rating:.0f} ± {2 * rated.deviation:.0f}"

    def test_the_uncertainty_shrinks_with_games_and_grows_with_days_up_to_that_of_a_new_player(
        self, red: Player
    ) -> None:
        for day in range(10):
            red.play("won" if day % 2 else "lost", against="medium", day=day)
        deviations = [
            rating.deviation for days in (9, 100, 36_000) if (rating := red.history.rating(NOON + timedelta(days=days)))
        ]
        assert deviations[0] < deviations[1] < deviations[2] == 350

    def test_a_clock_that_was_wrong_takes_no_longer(self, red: Player) -> None:
        red.play("won", day=(datetime(1, 1, 2, tzinfo=UTC) - NOON).days)
        red.play("won")
        assert red.history.rating(NOON)
