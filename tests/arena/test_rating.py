"""Ratings, against cases that can be worked out by hand."""

import math

import numpy as np
import pytest

from duelbook.arena.rating import fitted, ratings


def elo(odds: float) -> float:
    return 400 * math.log10(odds)


def test_two_agents_are_as_far_apart_as_their_odds_say_with_one_more_draw() -> None:
    one, two = ratings(2, {(0, 1): [np.array([2.0, 1.0])]}, seed=1)
    assert one.rating - two.rating == pytest.approx(elo(3.5 / 1.5), abs=0.11)
    assert one.rating == -two.rating


def test_odds_multiply_along_a_chain_of_agents() -> None:
    """0 beats 1 three to one, 1 beats 2 two to one, so 0 is six to one against 2; none of it is at odds."""
    games = {(0, 1): 4 * 35 - 1, (1, 2): 3 * 35 - 1, (0, 2): 7 * 35 - 1}
    points = {(0, 1): 3 * 35 - 0.5, (1, 2): 2 * 35 - 0.5, (0, 2): 6 * 35 - 0.5}
    zero, one, two = fitted(3, points, games)
    assert zero - one == pytest.approx(elo(3))
    assert one - two == pytest.approx(elo(2))
    assert zero + one + two == pytest.approx(0)


def test_whoever_wins_everything_is_rated_too() -> None:
    best, worst = ratings(2, {(0, 1): [np.full(10, 2.0)]}, seed=1)
    assert best.rating - worst.rating == pytest.approx(elo(20.5 / 0.5), abs=0.11)
    assert (best.low, best.high) == (best.rating, best.rating), "every pair ended alike"


def test_the_interval_holds_the_rating_and_narrows_with_more_pairs() -> None:
    few, many = ([2.0, 1.0, 0.0, 2.0] * times for times in (2, 50))
    spans = []
    for scores in (few, many):
        one, _ = ratings(2, {(0, 1): [np.array(scores)]}, seed=1)
        assert one.low < one.rating < one.high
        spans.append(one.high - one.low)
    assert spans[1] < spans[0] / 3


def test_the_interval_of_many_pairs_is_that_of_theory() -> None:
    """With n pairs of mean 1.25 and variance 0.6875 out of 2, the log odds vary as the delta method says."""
    scores = np.array([2.0, 1.0, 0.0, 2.0] * 100)
    one, _ = ratings(2, {(0, 1): [scores]}, seed=1)
    share = scores.mean() / 2
    deviation = math.sqrt(scores.var() / len(scores)) / 2 / (share * (1 - share)) * 400 / math.log(10) / 2
    assert one.high - one.low == pytest.approx(2 * 1.96 * deviation, rel=0.1)


def test_the_same_seed_gives_the_same_interval() -> None:
    pairs = {(0, 1): [np.array([2.0, 1.0, 0.0, 2.0, 2.0] * 20)]}
    assert ratings(2, pairs, seed=1) == ratings(2, pairs, seed=1) != ratings(2, pairs, seed=2)
