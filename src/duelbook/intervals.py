"""Intervals: Wilson's for a proportion, and how wide an interval is that rests on few observations."""

import math
from collections.abc import Sequence
from typing import NamedTuple

STANDARD_DEVIATIONS = 1.959964  # on each side, for 95%


def wilson(points: float, games: float, deviations: float = STANDARD_DEVIATIONS) -> tuple[float, float]:
    """Return the 95% interval for the share of points in some games; a draw is half a point."""
    share, square = points / games, deviations**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = share * (1 - share) / games + square / (4 * games**2)
    margin = deviations * math.sqrt(spread) / (1 + square / games)
    return max(0.0, middle - margin), min(1.0, middle + margin)


class Cluster(NamedTuple):
    """Observations that may depend on each other: their points, and how many there are."""

    points: float
    size: int


def clustered(share: float, clusters: Sequence[Cluster]) -> tuple[float, float] | None:
    """Return the 95% interval for a share of points; None if there is only one cluster, which tells nothing about it.

    The more the observations of a cluster are alike, the fewer they count for. That is estimated from the clusters, so
    the interval is as wide as Student's distribution asks for.
    """
    filled = [cluster for cluster in clusters if cluster.size]
    if len(filled) < 2:
        return None
    count = sum(cluster.size for cluster in filled)
    mean = sum(cluster.points for cluster in filled) / count
    expected = count * mean * (1 - mean)
    if not expected:  # whether they are alike cannot be seen
        return wilson(share * len(filled), len(filled))
    seen = sum((cluster.points - cluster.size * mean) ** 2 for cluster in filled) * len(filled) / (len(filled) - 1)
    if seen <= expected:
        return wilson(share * count, count)
    effective = count * expected / seen
    return wilson(share * effective, effective, student_deviations(len(filled) - 1))


def student_deviations(free: int) -> float:
    """Return how many standard deviations 95% lie within on each side, if these are estimated from so many free values.

    This is the quantile of Student's distribution: exact for one and two, and else to three digits by its expansion.
    """
    if free < 3:
        return (12.7062, 4.3027)[free - 1]
    normal = STANDARD_DEVIATIONS
    first = (normal**3 + normal) / 4
    second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    third = (3 * normal**7 + 19 * normal**5 + 17 * normal**3 - 15 * normal) / 384
    return normal + first / free + second / free**2 + third / free**3
