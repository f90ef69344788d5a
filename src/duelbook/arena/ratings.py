"""Ratings by the Bradley–Terry model, with intervals that hold for few matches and for agents that lie far apart.

Estimates maximise the likelihood times Jeffreys' prior, which keeps the rating of an agent that won everything finite
and all ratings nearly unbiased; an interval holds the ratings that the same function does not reject. Matches from the
same opening tend to end alike, so they count as fewer than they are. If nothing shows how much alike they end, they
count as one for intervals. `benchmarks/coverage.py` measures how often the intervals hold the true ratings.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.arena.tally import Meeting
from duelbook.intervals import Cluster, deviations_if, mean_size

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


class AgentRating(NamedTuple):
    """An agent's rating. The mean of all agents is 0."""

    rating: float
    low: float | None  # the 95% interval; None if no meeting has several openings, or matches that vary
    high: float | None


def ratings(agents: int, meetings: Mapping[Meeting, Meetings]) -> list[AgentRating]:
    """Return the rating of every agent."""
    if all(len(found.clusters) < 2 for found in meetings.values()):
        return [AgentRating(_points(one), None, None) for one in Model(agents, meetings, 0).fit()]
    best, profiles = rate(agents, meetings)
    intervals = (profile.interval() for profile in profiles)
    return [
        AgentRating(_points(one), _points(min(one, low)), _points(max(one, high)))
        for one, (low, high) in zip(best, intervals, strict=True)
    ]


def rate(agents: int, meetings: Mapping[Meeting, Meetings]) -> tuple[Array, list["Profile"]]:
    """Return the best ratings, and what the matches say about others. Some meeting must have several openings."""
    clusters = sum(len(found.clusters) for found in meetings.values())
    free = clusters - (agents - 1)
    alike = likeness(meetings, Model(agents, meetings, 0).fit(), clusters / free)
    best = Model(agents, meetings, alike).fit()
    if all(found.points in (0, found.matches) for found in meetings.values()):
        alike = 1  # nothing shows how much alike they end
    size = mean_size(cluster for found in meetings.values() for cluster in found.clusters)
    model, limit = Model(agents, meetings, alike), deviations_if(alike, size, free) ** 2
    top = model.fit()
    return best, [Profile(model, agent, top, limit) for agent in range(agents)]


def _points(rating: float) -> float:
    return round(float(rating) * ELO_SCALE, 1)


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
    return different / found.matches / (1 + (mean_size(found.clusters) - 1) * alike)


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
        self.matches = np.array([found.matches for found in meetings.values()]) * scale
        self._points = np.array([found.points for found in meetings.values()]) * scale

    def fit(self) -> Array:
        """Return the best ratings. Their mean is 0."""
        basis = _contrasts(self.agents)
        return basis @ self.climb(basis, np.zeros(self.agents), np.zeros(self.agents - 1))

    def climb(self, basis: Array, origin: Array, place: Array) -> Array:
        """Return the place, in terms of the basis, where the likelihood from the origin is largest."""
        for _ in range(STEPS if basis.shape[1] else 0):
            chances, spreads, leverages = self._parts(origin + basis @ place)
            slope = self._signs.T @ (self._points + leverages / 2 - (self.matches + leverages) * chances)
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
        spreads = self.matches * chances * (1 - chances)
        inverse = np.linalg.inv(self.information(ratings))
        return chances, spreads, spreads * np.einsum("ki,ij,kj->k", self._signs, inverse, self._signs)

    def information(self, ratings: Array) -> Array:
        """Return the information about the ratings; the mean, about which there is none, is given some."""
        chances = 1 / (1 + np.exp(-(self._signs @ ratings)))
        spreads = self.matches * chances * (1 - chances)
        return np.asarray((self._signs.T * spreads) @ self._signs + 1 / self.agents)

    def value(self, ratings: Array) -> float:
        """Return the logarithm of the likelihood times the prior."""
        differences = self._signs @ ratings
        likelihood = np.sum(self._points * differences - self.matches * np.logaddexp(0, differences))
        return float(likelihood + np.linalg.slogdet(self.information(ratings))[1] / 2)


class Profile:
    """What the likelihood says about the rating of one agent, if the others are rated as well as they can be.

    An interval holds the ratings at which twice the logarithm of the likelihood is not more than `limit` below its top.
    The prior adds as much to the likelihood as `agents - 1` matches, but nothing that varies from one tournament to
    another, so the limit is lower by their share.
    """

    def __init__(self, model: Model, agent: int, best: Array, limit: float) -> None:
        matches, agents = float(model.matches.sum()), model.agents
        self._best, self._model, self._top = float(best[agent]), model, model.value(best)
        self._limit = limit * matches / (matches + agents - 1)
        self._width = math.sqrt(self._limit / model.information(best)[agent, agent])
        self._line = np.full(agents, -1 / (agents - 1))  # the others share what the agent gains
        self._line[agent] = 1
        self._basis = np.zeros((agents, agents - 2))
        self._basis[[other for other in range(agents) if other != agent]] = _contrasts(agents - 1)
        self._place: Array = np.linalg.pinv(self._basis) @ (best - self._line * self._best)

    def holds(self, rating: float) -> bool:
        """Return True if the interval holds the rating."""
        self._place = self._model.climb(self._basis, self._line * rating, self._place)
        return 2 * (self._top - self._model.value(self._line * rating + self._basis @ self._place)) <= self._limit

    def interval(self) -> tuple[float, float]:
        """Return the ends of the interval."""
        return self._end(-self._width), self._end(self._width)

    def _end(self, step: float) -> float:
        inside, outside = self._best, self._best + step
        while self.holds(outside):
            inside, outside = outside, outside + step
        while abs(outside - inside) > EXACT:
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if self.holds(middle) else (inside, middle)
        return (inside + outside) / 2


def _contrasts(count: int) -> Array:
    """Return columns that span all vectors of this length whose sum is 0."""
    columns = np.zeros((count, max(0, count - 1)))
    for column in range(count - 1):
        columns[: column + 1, column], columns[column + 1, column] = 1 / (column + 1), -1
    return columns
