"""Confidence intervals."""

import pytest

from duelbook.intervals import wilson


def test_intervals_are_wilsons() -> None:
    assert wilson(0, 100) == pytest.approx((0, 0.037), abs=0.001)
    assert wilson(50, 100) == pytest.approx((0.404, 0.596), abs=0.001)
