"""Intervals: for a proportion, for the difference of two, and for what rests on few observations."""

import math
from collections.abc import Iterable, Sequence
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

    The more the observations of a cluster are alike, the fewer they count for. That is estimated from the clusters.
    """
    filled = [cluster for cluster in clusters if cluster.size]
    if len(filled) < 2:
        return None
    count = sum(cluster.size for cluster in filled)
    mean = sum(cluster.points for cluster in filled) / count
    size, expected = mean_size(filled), count * mean * (1 - mean)
    if size == 1:
        return wilson(share * count, count)
    if not expected:  # whether they are alike cannot be seen
        return wilson(share * len(filled), len(filled))
    seen = sum((cluster.points - cluster.size * mean) ** 2 for cluster in filled) * len(filled) / (len(filled) - 1)
    alike = min(1.0, max(0.0, (seen / expected - 1) / (size - 1)))
    effective = count / (1 + (size - 1) * alike)
    return wilson(share * effective, effective, deviations_if(alike, size, len(filled) - 1))


def mean_size(clusters: Iterable[Cluster]) -> float:
    """Return the size of the cluster of an observation, on average over the observations."""
    sizes = [cluster.size for cluster in clusters]
    return sum(size**2 for size in sizes) / sum(sizes)


def deviations_if(alike: float, size: float, free: int) -> float:
    """Return how many standard deviations an interval has on each side, with clusters of this size.

    What observations count for is estimated, so these are the deviations of Student's distribution. Its free values are
    more than those of a sum of squares: `alike` is at most 1, and the nearer it is, the less can its estimate vary.
    """
    if alike in (0, 1):
        return STANDARD_DEVIATIONS
    return student_deviations(free / ((1 - 1 / size) * (1 - alike)))


class Share(NamedTuple):
    """A proportion with the ends of its 95% interval, which are None if nothing can be said about it."""

    rate: float
    low: float | None
    high: float | None


def share(part: float, whole: float, clusters: Sequence[Cluster]) -> Share | None:
    """Return the proportion with its interval, or None if there is nothing to count."""
    return Share(part / whole, *(clustered(part / whole, clusters) or (None, None))) if whole else None


def difference(one: Share, two: Share) -> Share:
    """Return how much larger the first proportion is, with its 95% interval if both have one.

    This is Newcombe's method: the distances to the ends of both intervals are squared and added.
    """
    apart = one.rate - two.rate
    if one.low is None or one.high is None or two.low is None or two.high is None:
        return Share(apart, None, None)
    below = math.hypot(one.rate - one.low, two.high - two.rate)
    above = math.hypot(one.high - one.rate, two.rate - two.low)
    return Share(apart, apart - below, apart + above)


def student_deviations(free: float) -> float:
    """Return how many standard deviations 95% lie within on each side, if these are estimated from so many free values.

    This is the quantile of Student's distribution: exact for one and two, rounded down to them below three, and else to
    three digits by its expansion.
    """
    if free < 3:
        return (12.7062, 4.3027)[int(free) - 1]
    normal = STANDARD_DEVIATIONS
    first = (normal**3 + normal) / 4
    second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    third = (3 * normal**7 + 19 * normal**5 + 17 * normal**3 - 15 * normal) / 384
    return normal + first / free + second / free**2 + third / free**3
