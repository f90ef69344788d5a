"""Ratings compared with cases that can be calculated by hand."""

import math

import numpy as np
import pytest

from duelbook.arena.ratings import fit, ratings


def elo(odds: float) -> float:
    return 400 * math.log10(odds)


def test_two_agents_differ_by_their_odds_with_one_more_draw() -> None:
    one, two = ratings(2, {(0, 1): [np.array([2.0, 1.0])]}, seed=1)
    assert one.rating - two.rating == pytest.approx(elo(3.5 / 1.5), abs=0.11)
    assert one.rating == -two.rating


def test_odds_multiply_along_a_chain_of_agents() -> None:
    """0 beats 1 three to one, 1 beats 2 two to one, and 0 beats 2 six to one."""
    matches = {(0, 1): 4 * 35 - 1, (1, 2): 3 * 35 - 1, (0, 2): 7 * 35 - 1}
    points = {(0, 1): 3 * 35 - 0.5, (1, 2): 2 * 35 - 0.5, (0, 2): 6 * 35 - 0.5}
    zero, one, two = fit(3, points, matches)
    assert zero - one == pytest.approx(elo(3))
    assert one - two == pytest.approx(elo(2))
    assert zero + one + two == pytest.approx(0)


def test_an_agent_that_wins_everything_has_a_rating() -> None:
    best, worst = ratings(2, {(0, 1): [np.full(10, 2.0)]}, seed=1)
    assert best.rating - worst.rating == pytest.approx(elo(20.5 / 0.5), abs=0.11)
    assert (best.low, best.high) == (best.rating, best.rating), "all pairs have the same result"


def test_the_interval_contains_the_rating_and_narrows_with_more_pairs() -> None:
    few, many = ([2.0, 1.0, 0.0, 2.0] * times for times in (2, 50))
    spans = []
    for scores in (few, many):
        one, _ = ratings(2, {(0, 1): [np.array(scores)]}, seed=1)
        assert one.low < one.rating < one.high
        spans.append(one.high - one.low)
    assert spans[1] < spans[0] / 3


def test_the_interval_of_many_pairs_agrees_with_theory() -> None:
    """The delta method gives the deviation of the log odds for pairs of mean 1.25 and variance 0.6875."""
    scores = np.array([2.0, 1.0, 0.0, 2.0] * 100)
    one, _ = ratings(2, {(0, 1): [scores]}, seed=1)
    share = scores.mean() / 2
    deviation = math.sqrt(scores.var() / len(scores)) / 2 / (share * (1 - share)) * 400 / math.log(10) / 2
    assert one.high - one.low == pytest.approx(2 * 1.96 * deviation, rel=0.1)


def test_the_same_seed_gives_the_same_interval() -> None:
    pairs = {(0, 1): [np.array([2.0, 1.0, 0.0, 2.0, 2.0] * 20)]}
    assert ratings(2, pairs, seed=1) == ratings(2, pairs, seed=1) != ratings(2, pairs, seed=2)
