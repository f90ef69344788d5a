"""Ratings by the Bradley–Terry model, with intervals that hold for few matches and for agents that lie far apart.

Estimates maximise the likelihood times Jeffreys' prior, which keeps the rating of an agent that won everything finite
and all ratings nearly unbiased; an interval holds the ratings that the same function does not reject. Matches from the
same opening tend to end alike, so they count as fewer than they are. `benchmarks/coverage.py` measures how often the
intervals hold the true ratings.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.arena.tally import Meeting
from duelbook.intervals import STANDARD_DEVIATIONS, Cluster, student_deviations

ELO_SCALE = 400 / math.log(10)  # rating points per unit of the model: 400 points are odds of ten to one
STEPS = 60  # of Newton's method; it needs about six
NEAR = 1e-7  # a step that is shorter is the last
EXACT = 1e-3  # of the ends of an interval, in units of the model

Array = NDArray[np.float64]


class Meetings(NamedTuple):
    """All matches between two agents, and the different ones among them by opening."""

    points: float  # of the first agent
    matches: int
    clusters: Sequence[Cluster]


class Rating(NamedTuple):
    """An agent's rating. The mean of all agents is 0."""

    rating: float
    low: float | None  # the 95% interval; None if no meeting has several openings, or matches that vary
    high: float | None


def ratings(agents: int, meetings: Mapping[Meeting, Meetings]) -> list[Rating]:
    """Return the rating of every agent."""
    estimate = Model(agents, meetings, 0).fit()
    if all(len(found.clusters) < 2 for found in meetings.values()):
        return [Rating(round(float(one) * ELO_SCALE, 1), None, None) for one in estimate]
    clusters = sum(len(found.clusters) for found in meetings.values())
    free = clusters - (agents - 1)
    alike = likeness(meetings, estimate, clusters / free)
    model = Model(agents, meetings, alike)
    best = model.fit()
    limit = (student_deviations(free) if alike else STANDARD_DEVIATIONS) ** 2
    intervals = (model.interval(agent, best, limit) for agent in range(agents))
    return [
        Rating(*(round(float(value) * ELO_SCALE, 1) for value in (one, *ends)))
        for one, ends in zip(best, intervals, strict=True)
    ]


def likeness(meetings: Mapping[Meeting, Meetings], estimate: Array, correction: float) -> float:
    """Return how much alike matches from one opening end: 0 if not at all, 1 if always."""
    excess = possible = 0.0
    for (one, two), found in meetings.items():
        chance = 1 / (1 + math.exp(estimate[two] - estimate[one]))
        spread = chance * (1 - chance)
        for points, matches in found.clusters:
            excess += correction * (points - matches * chance) ** 2 - matches * spread
            possible += matches * (matches - 1) * spread
    return min(1.0, max(0.0, excess / possible)) if possible else 0.0


def _weight(found: Meetings, alike: float) -> float:
    """Return how much a match between two agents counts: repeated ones count once, those alike count for fewer."""
    different = sum(cluster.size for cluster in found.clusters)
    squares = sum(cluster.size**2 for cluster in found.clusters)
    return different / found.matches / (1 + (squares / different - 1) * alike)


class Model:
    """The penalised likelihood of ratings, given the points that agents scored against each other.

    `alike` says how much alike matches from one opening end.
    """

    def __init__(self, agents: int, meetings: Mapping[Meeting, Meetings], alike: float) -> None:
        self.agents = agents
        self._signs = np.zeros((len(meetings), agents))  # a row per meeting: its first agent 1, its second -1
        for row, (one, two) in enumerate(meetings):
            self._signs[row, one], self._signs[row, two] = 1, -1
        scale = np.array([_weight(found, alike) for found in meetings.values()])
        self._matches = np.array([found.matches for found in meetings.values()]) * scale
        self._points = np.array([found.points for found in meetings.values()]) * scale

    def fit(self) -> Array:
        """Return the best ratings. Their mean is 0."""
        basis = _contrasts(self.agents)
        return basis @ self._climb(basis, np.zeros(self.agents), np.zeros(self.agents - 1))

    def interval(self, agent: int, best: Array, limit: float) -> tuple[float, float]:
        """Return the ratings of the agent at which twice the logarithm of the likelihood is `limit` below its top."""
        top, others = self._value(best), [other for other in range(self.agents) if other != agent]
        line = np.full(self.agents, -1 / (self.agents - 1))  # the others share what the agent gains
        line[agent] = 1
        basis = np.zeros((self.agents, self.agents - 2))
        basis[others] = _contrasts(self.agents - 1)
        start = np.linalg.lstsq(basis, best - line * best[agent], rcond=None)[0]

        def rejected(rating: float) -> bool:
            nonlocal start
            start = self._climb(basis, line * rating, start)
            return 2 * (top - self._value(line * rating + basis @ start)) > limit

        width = math.sqrt(limit / self._information(best)[agent, agent])
        low, high = (_search(rejected, float(best[agent]), side * width) for side in (-1, 1))
        return low, high

    def _climb(self, basis: Array, origin: Array, place: Array) -> Array:
        """Return the place, in terms of the basis, where the likelihood from the origin is largest."""
        for _ in range(STEPS if basis.shape[1] else 0):
            chances, spreads, leverages = self._parts(origin + basis @ place)
            slope = self._signs.T @ (self._points + leverages / 2 - (self._matches + leverages) * chances)
            bend = (self._signs.T * (spreads + leverages * chances * (1 - chances))) @ self._signs
            step = np.linalg.solve(basis.T @ bend @ basis, basis.T @ slope)
            longest = np.abs(step).max()
            place = place + step / max(1, longest)
            if longest < NEAR:
                break
        return place

    def _parts(self, ratings: Array) -> tuple[Array, Array, Array]:
        """Return for every meeting the chance of its first agent, the spread of the points, and its leverage."""
        chances = 1 / (1 + np.exp(-(self._signs @ ratings)))
        spreads = self._matches * chances * (1 - chances)
        inverse = np.linalg.inv(self._information(ratings))
        return chances, spreads, spreads * np.einsum("ki,ij,kj->k", self._signs, inverse, self._signs)

    def _information(self, ratings: Array) -> Array:
        """Return the information about the ratings; the mean, about which there is none, is given some."""
        chances = 1 / (1 + np.exp(-(self._signs @ ratings)))
        spreads = self._matches * chances * (1 - chances)
        return np.asarray((self._signs.T * spreads) @ self._signs + 1 / self.agents)

    def _value(self, ratings: Array) -> float:
        """Return the logarithm of the likelihood times the prior."""
        differences = self._signs @ ratings
        likelihood = np.sum(self._points * differences - self._matches * np.logaddexp(0, differences))
        return float(likelihood + np.linalg.slogdet(self._information(ratings))[1] / 2)


def _contrasts(count: int) -> Array:
    """Return columns that span all vectors of this length whose sum is 0."""
    columns = np.zeros((count, max(0, count - 1)))
    for column in range(count - 1):
        columns[: column + 1, column], columns[column + 1, column] = 1 / (column + 1), -1
    return columns


def _search(rejected: Callable[[float], bool], inside: float, step: float) -> float:
    """Return where rejection begins in the direction of the step."""
    outside = inside + step
    while not rejected(outside):
        inside, outside = outside, outside + step
    while abs(outside - inside) > EXACT:
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
    return (inside + outside) / 2
