"""How often 95% intervals hold the truth: `python -m benchmarks.coverage [TOURNAMENTS]`.

Two agents are compared in pairs, of which a known share goes to either of them, and how often they are told apart is
compared with the exact test of McNemar, which needs independent pairs. Scores are simulated with a known share of
points, with matches that depend on their opening more or less. Then tournaments are simulated with known ratings, and
rated. Matches from one opening are independent, or always end alike, or half of the pairs do, or they are split: the
stronger side of the opening wins.

Few matches have few different results, so the share of intervals that hold jumps up and down with the true rating. Each
simulated tournament therefore draws the true rating of every agent around its place in the grid, and a cell has the
mean over that neighbourhood.
"""

import math
import sys
from collections.abc import Callable
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.arena.ratings import ELO_SCALE, Meetings, rate
from duelbook.intervals import Cluster, clustered, paired_difference

TOURNAMENTS = 500  # of each cell with the most agents; the others have more, for as many intervals
SERIES = 2000  # of each cell of the grid of scores
SIZES, OPENINGS, SHARES, CORRELATIONS = (2, 6), (5, 15, 50), (0.5, 0.8, 0.95), (0.0, 0.2, 0.5, 1.0)
COMPARED = ((10, 1), (20, 1), (60, 1), (340, 1), (15, 2), (50, 2), (10, 6), (50, 6))  # openings, and pairs from each
DISCORDANT = ((0.02, 0.02), (0.06, 0.0), (0.1, 0.1), (0.2, 0.05), (0.4, 0.1))  # the shares that go to each of two
AGENTS, PAIRS, DISTANCES = (2, 4, 8), (5, 15, 50), (0, 100, 200, 400)
NEIGHBOURHOOD = 50  # rating points on each side of an agent's place: half of the smallest distance
WANTED = (0.93, 0.97)
LARGEST_SPREAD = 1600  # between the best and the worst agent; farther apart, hardly any match is lost

Scores = NDArray[np.int64]  # the points of the first agent in each pair of matches
Simulate = Callable[[np.random.Generator, float, int], Scores]


def independent(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return rng.binomial(2, chance, pairs)


def alike(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return 2 * rng.binomial(1, chance, pairs)


def half_alike(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return np.where(rng.random(pairs) < 0.5, alike(rng, chance, pairs), independent(rng, chance, pairs))


def split(rng: np.random.Generator, chance: float, pairs: int) -> Scores:
    return np.where(rng.random(pairs) < abs(2 * chance - 1), 2 * (chance > 0.5), 1)


class Cell(NamedTuple):
    """The share of intervals that hold the true rating, its standard error, and the largest mean error of a rating."""

    share: float
    deviation: float
    error: float


def coverage(simulate: Simulate, agents: int, pairs: int, distance: int, tournaments: int) -> Cell:
    """Return how often intervals hold, with agents whose ratings are this distance apart."""
    rng = np.random.default_rng(agents * 1000 + pairs)
    held, errors = np.zeros(tournaments), np.zeros((tournaments, agents))
    for tournament in range(tournaments):
        truth = np.arange(agents) * distance + rng.uniform(-NEIGHBOURHOOD, NEIGHBOURHOOD, agents)
        truth = (truth - truth.mean()) / ELO_SCALE
        found = {}
        for one, two in combinations(range(agents), 2):
            scores = simulate(rng, 1 / (1 + math.exp(truth[two] - truth[one])), pairs)
            found[one, two] = Meetings(float(scores.sum()), 2 * pairs, [Cluster(float(score), 2) for score in scores])
        best, profiles = rate(agents, found)
        held[tournament] = np.mean([profile.holds(true) for profile, true in zip(profiles, truth, strict=True)])
        errors[tournament] = best - truth
    return Cell(
        float(held.mean()),
        float(held.std() / math.sqrt(tournaments)),
        float(np.abs(errors.mean(axis=0)).max() * ELO_SCALE),
    )


class Compared(NamedTuple):
    """The share of intervals that hold the true difference, and how often two tests tell the agents apart."""

    share: float
    found: float
    exact: float | None  # by McNemar's test, where pairs are independent


def compared(openings: int, size: int, one: float, two: float, correlation: float) -> Compared:
    """Return how paired differences do if these shares of the pairs go to each of two agents.

    Openings with the probability `correlation` end alike in all their pairs.
    """
    rng, held, found, exact = np.random.default_rng(1), 0, 0, 0
    for _ in range(SERIES):
        pairs = rng.choice([1.0, -1.0, 0.0], p=[one, two, 1 - one - two], size=(openings, size))
        same = rng.random(openings) < correlation
        pairs[same] = pairs[same, :1]
        apart = paired_difference(float(pairs.mean()), pairs.tolist())
        assert apart.low is not None
        assert apart.high is not None
        held += apart.low <= one - two <= apart.high
        found += apart.low > 0 or apart.high < 0
        exact += mcnemar(int((pairs > 0).sum()), int((pairs < 0).sum())) <= 0.05
    return Compared(held / SERIES, found / SERIES, exact / SERIES if size == 1 else None)


def mcnemar(one: int, two: int) -> float:
    """Return the exact p of McNemar's test, from both sides, if so many pairs go to each agent."""
    tail = sum(math.comb(one + two, more) for more in range(max(one, two), one + two + 1))
    return min(1.0, 2 * tail / float(2 ** (one + two)))


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


def remark(simulate: Simulate, cell: Cell) -> str:
    """Return why a cell is not within the wanted range, or nothing if it is."""
    low, high = WANTED
    if low <= cell.share <= high:
        return ""
    if low - 2 * cell.deviation <= cell.share <= high + 2 * cell.deviation:
        return "; within two standard errors of the wanted range"
    if cell.share < low:
        return "; so few openings often do not show that matches end alike"
    if simulate is split:
        return "; results that split vary less than intervals allow for"
    return "; so few openings hardly show whether matches end alike, and count for less"


def main() -> None:
    tournaments = int(sys.argv[1]) if len(sys.argv) > 1 else TOURNAMENTS
    print(f"Paired differences, each from {SERIES:,} simulated comparisons:")
    for (openings, size), (one, two) in product(COMPARED, DISCORDANT):
        for correlation in (0.0, 0.3, 1.0) if size > 1 else (0.0,):
            found = compared(openings, size, one, two, correlation)
            exact = "" if found.exact is None else f", by McNemar's exact test in {found.exact:.1%}"
            print(
                f"  {openings:3} openings, {size} pairs from each, {one:.0%} to one and {two:.0%} to the other, "
                f"correlation {correlation}: {found.share:.1%} held, told apart in {found.found:.1%}{exact}",
                flush=True,
            )
    print(f"Scores, for correlations of {', '.join(map(str, CORRELATIONS))} between the matches from one opening:")
    for size, openings, share in product(SIZES, OPENINGS, SHARES):
        shares = (score_coverage(share, correlation, openings, size) for correlation in CORRELATIONS)
        cells = ", ".join(f"{one:.1%}" for one in shares)
        print(f"  {openings:2} openings, {size} matches from each, {share:.0%} of the points: {cells} held", flush=True)
    low, high = WANTED
    for simulate in (independent, half_alike, alike, split):
        print(f"Matches from one opening are {simulate.__name__.replace('_', ' ')}:")
        within = []
        for agents, pairs, distance in product(AGENTS, PAIRS, DISTANCES):
            if distance * (agents - 1) <= LARGEST_SPREAD:
                cell = coverage(simulate, agents, pairs, distance, tournaments * AGENTS[-1] // agents)
                within.append(low <= cell.share <= high)
                print(
                    f"  {agents} agents, {distance:3} apart, {pairs:2} pairs: {cell.share:.1%} ± {cell.deviation:.1%} "
                    f"held, largest mean error {cell.error:.0f}{remark(simulate, cell)}",
                    flush=True,
                )
        print(f"  {sum(within)} of {len(within)} cells within {low:.0%} to {high:.0%}")


if __name__ == "__main__":
    main()
