"""Confidence intervals."""

import pytest

from duelbook.intervals import Cluster, Difference, Share, difference, paired_difference, share, wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 5, 0, 0.4345), (5, 5, 0.5655, 1), (0, 100, 0, 0.0370), (50, 100, 0.4038, 0.5962)],
)
def test_intervals_are_wilsons(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """His example of 1998: 56 of 70 and 48 of 80, by method 10."""
    one, two = (Share(points / games, *wilson(points, games)) for points, games in ((56, 70), (48, 80)))
    assert difference(one, two)[:3] == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    assert difference(two, one)[:3] == pytest.approx((-0.2, -0.3339, -0.0524), abs=1e-4)
    better, worse = difference(one, two).better, difference(two, one).better
    assert better
    assert worse
    assert 0.99 < better == pytest.approx(1 - worse)


def test_a_difference_to_a_share_without_an_interval_has_none() -> None:
    assert difference(Share(0.75, 0.5, 1), Share(0.5, None, None)) == Difference(0.25)


def test_the_interval_of_a_paired_difference_is_that_of_bonett_and_price() -> None:
    """Their formula with 4 and 15 discordant pairs of 50, and with those alone that one side wins."""
    pairs = [1.0] * 15 + [-1.0] * 4 + [0.0] * 31
    assert paired_difference(11 / 50, [[one] for one in pairs])[:3] == pytest.approx((0.22, 0.0487, 0.3744), abs=1e-4)
    found = paired_difference(20 / 340, [[float(number < 20)] for number in range(340)])
    assert found.low == pytest.approx(0.0323, abs=1e-4)
    assert found.better
    assert found.better > 0.99999, "the exact test of McNemar has p = 0.000002"


def test_agents_that_do_the_same_everywhere_are_hardly_apart() -> None:
    assert paired_difference(0, [[0.0]] * 340) == pytest.approx((0, -0.0081, 0.0081, 0.5), abs=1e-4)
    few = paired_difference(0, [[0.0]] * 8)
    assert few.low == pytest.approx(-0.2772, abs=1e-4), "eight pairs do not show much"


def test_pairs_that_are_alike_count_for_fewer() -> None:
    apart = [1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0] * 4
    single, doubled = (paired_difference(0.2, [[one] * times for one in apart]) for times in (1, 2))
    assert doubled == pytest.approx(single, abs=1e-9)
    halves = paired_difference(0.2, [[one] for one in apart * 2])
    assert halves.low
    assert single.low
    assert halves.low > single.low


def test_one_cluster_of_pairs_tells_nothing() -> None:
    assert paired_difference(0.5, [[1.0, 0.0]]) == Difference(0.5)


def test_a_share_of_nothing_is_none_and_of_one_cluster_has_no_interval() -> None:
    assert share(0, 0, []) is None
    assert share(1, 2, [Cluster(1, 2)]) == (0.5, None, None)
