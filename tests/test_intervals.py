"""Confidence intervals."""

import pytest

from duelbook.intervals import wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 5, 0, 0.4345), (5, 5, 0.5655, 1), (0, 100, 0, 0.0370), (50, 100, 0.4038, 0.5962)],
)
def test_intervals_are_wilsons(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)
