"""How often 95% intervals hold the truth: `python -m benchmarks.coverage [TOURNAMENTS]`.

Scores are simulated with a known share of points, with matches that depend on their opening more or less. Then
tournaments are simulated with known ratings, and rated. Matches from one opening are independent, or always end alike,
or are split: the stronger side of the opening wins.
"""

import math
import sys
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from duelbook.arena.ratings import ELO_SCALE, Meetings, ratings
from duelbook.intervals import Cluster, clustered

TOURNAMENTS = 300  # of each cell of the grid
SERIES = 2000  # of each cell of the grid of scores
SIZES, OPENINGS, SHARES, CORRELATIONS = (2, 6), (5, 15, 50), (0.5, 0.8, 0.95), (0.0, 0.2, 0.5, 1.0)
AGENTS, PAIRS, DISTANCES = (2, 4, 8), (5, 15, 50), (0, 100, 200, 400)
LARGEST_SPREAD = 1600  # between the best and the worst agent; farther apart, hardly any match is lost

Scores = NDArray[np.int64]  # the points of the first agent in each pair of matches
Simulate = Callable[[np.random.Generator, float, int], Scores]


def independent(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return rng.binomial(2, chance, pairs)


def alike(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return 2 * rng.binomial(1, chance, pairs)


def split(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return np.where(rng.random(pairs) < abs(2 * chance - 1), 2 * (chance > 0.5), 1)


def coverage(simulate: Simulate, agents: int, pairs: int, distance: int, tournaments: int) -> tuple[float, float]:
    """Return the share of intervals that hold the true rating, and the largest mean error of a rating."""
    rng = np.random.default_rng(agents * 1000 + pairs)
    truth = (np.arange(agents) - (agents - 1) / 2) * distance
    held, error = 0, np.zeros(agents)
    for _ in range(tournaments):
        found = {}
        for one, two in combinations(range(agents), 2):
            chance = 1 / (1 + math.exp((truth[two] - truth[one]) / ELO_SCALE))
            scores = simulate(rng, chance, pairs)
            found[one, two] = Meetings(float(scores.sum()), 2 * pairs, [Cluster(float(score), 2) for score in scores])
        for agent, rated in enumerate(ratings(agents, found)):
            assert rated.low is not None
            assert rated.high is not None
            held += rated.low <= truth[agent] <= rated.high
            error[agent] += rated.rating - truth[agent]
    return held / tournaments / agents, float(np.abs(error).max() / tournaments)


def opening_scores(rng: np.random.Generator, share: float, correlation: float, openings: int, size: int) -> Scores:
    """Return the points from each opening, in matches whose results have this correlation."""
    if correlation == 1:
        return size * rng.binomial(1, share, openings)
    if correlation == 0:
        return rng.binomial(size, share, openings)
    weight = 1 / correlation - 1
    return rng.binomial(size, rng.beta(share * weight, (1 - share) * weight, openings))


def score_coverage(share: float, correlation: float, openings: int, size: int) -> float:
    """Return how often the interval of a score holds the true share of points."""
    rng, held = np.random.default_rng(1), 0
    for _ in range(SERIES):
        scores = opening_scores(rng, share, correlation, openings, size)
        interval = clustered(float(scores.sum()) / (openings * size), [Cluster(float(one), size) for one in scores])
        assert interval
        held += interval[0] <= share <= interval[1]
    return held / SERIES


def main() -> None:
    tournaments = int(sys.argv[1]) if len(sys.argv) > 1 else TOURNAMENTS
    print(f"Scores, for correlations of {', '.join(map(str, CORRELATIONS))} between the matches from one opening:")
    for size, openings, share in product(SIZES, OPENINGS, SHARES):
        shares = (score_coverage(share, correlation, openings, size) for correlation in CORRELATIONS)
        cells = ", ".join(f"{one:.1%}" for one in shares)
        print(f"  {openings:2} openings, {size} matches from each, {share:.0%} of the points: {cells} held", flush=True)
    for simulate in (independent, alike, split):
        print(f"Matches from one opening are {simulate.__name__}:")
        for agents, pairs, distance in product(AGENTS, PAIRS, DISTANCES):
            if distance * (agents - 1) <= LARGEST_SPREAD:
                share, error = coverage(simulate, agents, pairs, distance, tournaments)
                print(
                    f"  {agents} agents, {distance:3} apart, {pairs:2} pairs: {share:.1%} held, "
                    f"largest mean error {error:.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
