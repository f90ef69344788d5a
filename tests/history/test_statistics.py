"""What the history adds up to: tallies, streaks, and the rating, which is that of the page."""

from datetime import UTC, datetime, timedelta

import pytest

from duelbook.agents.levels import RATINGS
from duelbook.game import Reason
from duelbook.history.kept_game import KeptGame
from duelbook.history.rating import rating_of
from duelbook.history.statistics import (
    Streaks,
    Tally,
    streaks,
    tallies,
    tally,
    tally_computer,
    tally_online,
    wins_by_name,
)
from duelbook.records.record import HUMAN, Person

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def game(outcome: str, agent: str = "easy", *, day: int = 0, helped: bool = False, imported: bool = False) -> KeptGame:
    return KeptGame(
        number=1,
        version=1,
        game="charge",
        people=(Person("Red"), Person("Blue", agent)),
        first=0,
        moves=9,
        outcome=outcome,  # type: ignore[arg-type]
        reason=Reason.UNFINISHED if outcome == "none" else Reason.RULES,
        changed=NOON + timedelta(days=day),
        helped=helped,
        imported=imported,
    )


def test_results_are_counted_by_opponent_and_games_without_one_are_left_out() -> None:
    games = [game("first"), game("second"), game("draw"), game("none"), game("first", "hard"), game("first", HUMAN)]
    assert tally(games) == Tally(2, 1, 1)
    assert tallies(games, lambda one: one.opponent) == {"easy": Tally(1, 1, 1), "hard": Tally(1, 0, 0)}


def test_people_over_the_network_are_no_computers() -> None:
    games = [game("first"), game("second", "online:Ann"), game("draw", "online:easy"), game("first", HUMAN)]
    assert tally_computer(games) == Tally(1, 0, 0)
    assert tally_online(games) == Tally(0, 1, 1)


def test_a_streak_ends_with_a_game_that_is_not_won() -> None:
    latest_first = [
        game(outcome) for outcome in ("first", "none", "first", "draw", "first", "first", "first", "second")
    ]
    assert streaks(latest_first) == Streaks(now=2, best=3)


def test_two_people_are_counted_by_name() -> None:
    games = [game(outcome, HUMAN) for outcome in ("first", "first", "second", "draw", "none")]
    assert wins_by_name([*games, game("first")]) == {"Red": 2, "Blue": 1}


class TestRating:
    def test_only_finished_games_against_levels_without_help_count(self) -> None:
        others = [game("none"), game("first", "greedy"), game("first", HUMAN), game("first", helped=True)]
        assert rating_of([*others, game("first", imported=True)], NOON) is None
        rated = rating_of([*others, game("first")], NOON)
        assert rated
        assert rated.games == 1

    def test_it_is_glickmans(self) -> None:
        """By the formulas of the paper for one win of a new player; the volatility hardly changes."""
        from math import exp, pi, sqrt

        scale = 173.7178
        weight = 1 / sqrt(1 + 3 * (30 / scale) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (0 - (RATINGS["hard"] - 1500) / scale)))
        information = weight**2 * expected * (1 - expected)
        deviation = 1 / sqrt(1 / ((350 / scale) ** 2 + 0.06**2) + information)
        rated = rating_of([game("first", "hard")], NOON)
        assert rated
        assert rated.rating == pytest.approx(1500 + scale * deviation**2 * weight * (1 - expected), abs=0.1)
        assert rated.deviation == pytest.approx(scale * deviation, abs=0.1)
        assert str(rated) == f"{rated.rating:.0f} ± {2 * rated.deviation:.0f}"

    def test_the_uncertainty_shrinks_with_games_and_grows_with_days_up_to_that_of_a_new_player(self) -> None:
        games = [game("first" if number % 2 else "second", "medium", day=number) for number in range(10)]
        deviations = [
            rating.deviation for days in (9, 100, 36_000) if (rating := rating_of(games, NOON + timedelta(days=days)))
        ]
        assert deviations[0] < deviations[1] < deviations[2] == 350

    def test_a_clock_that_was_wrong_takes_no_longer(self) -> None:
        early = datetime(1, 1, 2, tzinfo=UTC) - NOON
        assert rating_of([game("first", day=early.days), game("first")], NOON)
