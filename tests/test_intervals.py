"""Confidence intervals."""

import pytest

from duelbook.intervals import Cluster, Share, difference, share, wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 5, 0, 0.4345), (5, 5, 0.5655, 1), (0, 100, 0, 0.0370), (50, 100, 0.4038, 0.5962)],
)
def test_intervals_are_wilsons(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """His example of 1998: 56 of 70 and 48 of 80, by method 10."""
    one, two = (Share(points / games, *wilson(points, games)) for points, games in ((56, 70), (48, 80)))
    assert difference(one, two) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    assert difference(two, one) == pytest.approx((-0.2, -0.3339, -0.0524), abs=1e-4)


def test_a_difference_to_a_share_without_an_interval_has_none() -> None:
    assert difference(Share(0.75, 0.5, 1), Share(0.5, None, None)) == (0.25, None, None)


def test_a_share_of_nothing_is_none_and_of_one_cluster_has_no_interval() -> None:
    assert share(0, 0, []) is None
    assert share(1, 2, [Cluster(1, 2)]) == (0.5, None, None)
