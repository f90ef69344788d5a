"""Intervals: for a proportion, for the difference of two, paired or not, and for what rests on few observations."""

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


class Difference(NamedTuple):
    """How much larger one proportion is than another, with the ends of its 95% interval, if anything can be said."""

    rate: float
    low: float | None = None
    high: float | None = None
    better: float | None = None  # the probability that the first is larger; 97.5% where the interval begins at 0


def difference(one: Share, two: Share) -> Difference:
    """Return the difference of two independent proportions, with its 95% interval if both have one.

    This is Newcombe's method: the distances to the ends of both intervals are squared and added.
    """
    apart = one.rate - two.rate
    if one.low is None or one.high is None or two.low is None or two.high is None:
        return Difference(apart)
    below = math.hypot(one.rate - one.low, two.high - two.rate)
    above = math.hypot(one.high - one.rate, two.rate - two.low)
    return Difference(apart, apart - below, apart + above, _normal(apart / (below if apart > 0 else above or 1)))


def paired_difference(rate: float, clusters: Iterable[Sequence[float]]) -> Difference:
    """Return the mean of paired differences, each from -1 to 1, with its 95% interval.

    `rate` is that mean. The differences of a cluster may depend on each other; the more they are alike, the fewer they
    count for. This is the method of Bonett and Price (2012): one more difference of 1 and one of -1 are added, so
    that the interval also holds where few differ, or none. One cluster tells nothing about others.
    """
    filled = [cluster for cluster in clusters if cluster]
    if len(filled) < 2:
        return Difference(rate)
    count = sum(map(len, filled))
    size = mean_size(Cluster(sum(cluster), len(cluster)) for cluster in filled)
    mean = sum(map(sum, filled)) / count
    squares = sum(one * one for cluster in filled for one in cluster)
    alike, spread = 0.0, squares - count * mean**2
    if size > 1 and spread < 1e-9:  # whether they are alike cannot be seen
        alike = 1.0
    elif size > 1:
        seen = sum((sum(cluster) - len(cluster) * mean) ** 2 for cluster in filled) * len(filled) / (len(filled) - 1)
        alike = min(1.0, max(0.0, (seen / spread - 1) / (size - 1)))
    effective = count / (1 + (size - 1) * alike)
    middle = rate * effective / (effective + 2)
    variance = (squares / count * effective + 2) / (effective + 2) - middle**2
    margin = deviations_if(alike, size, len(filled) - 1) * math.sqrt(variance / (effective + 2))
    low, high = max(-1.0, middle - margin), min(1.0, middle + margin)
    return Difference(rate, low, high, _normal(middle / margin))


def _normal(margins: float) -> float:
    """Return the probability that a number is above 0 whose estimate is this number of 95% margins above it."""
    return (1 + math.erf(margins * STANDARD_DEVIATIONS / math.sqrt(2))) / 2


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
