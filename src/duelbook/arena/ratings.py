"""Ratings by the Bradley–Terry model, with bootstrap intervals."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import choix
import numpy as np
from numpy.typing import NDArray

ELO_SCALE = 400 / math.log(
    10
)  # rating points per unit of the model: a difference of 400 points means odds of ten to one
RESAMPLES = 1000

Meeting = tuple[int, int]  # two agents
Points = NDArray[np.float64]


class Rating(NamedTuple):
    """An agent's rating. The mean of all agents is 0."""

    rating: float
    low: float  # 95% of the resamples lie between these
    high: float


def ratings(agents: int, pairs: Mapping[Meeting, Sequence[Points]], seed: int) -> list[Rating]:
    """Return the rating of every agent.

    For every two agents, `pairs` has one list per game with the points, 0 to 2, that the first of them scored in each
    pair of matches. One further draw between every two agents keeps the ratings finite for an agent that won or lost
    everything. The interval comes from resampling whole pairs within each list.
    """
    rng = np.random.default_rng(seed)
    matches = {meeting: 2 * sum(map(len, lists)) for meeting, lists in pairs.items()}
    best = fit(agents, {meeting: float(sum(map(np.sum, lists))) for meeting, lists in pairs.items()}, matches)
    drawn = {meeting: np.sum([_resample(scores, rng) for scores in lists], axis=0) for meeting, lists in pairs.items()}
    samples = [
        fit(agents, {meeting: points[sample] for meeting, points in drawn.items()}, matches, best)
        for sample in range(RESAMPLES)
    ]
    low, high = np.percentile(np.array(samples), (2.5, 97.5), axis=0)
    return [Rating(*(round(float(value), 1) for value in values)) for values in zip(best, low, high, strict=True)]


def fit(
    agents: int, points: Mapping[Meeting, float], matches: Mapping[Meeting, int], near: Points | None = None
) -> Points:
    """Return the ratings that make these points most likely. A fit that starts `near` an earlier one is quicker."""
    won = np.full((agents, agents), 0.5) - np.eye(agents) / 2
    for (one, two), scored in points.items():
        won[one, two] += scored
        won[two, one] += matches[one, two] - scored
    start, tolerance = (None, 1e-8) if near is None else (near / ELO_SCALE, 1e-4)  # both far below one rating point
    return choix.ilsr_pairwise_dense(won, initial_params=start, max_iter=10_000, tol=tolerance) * ELO_SCALE


def _resample(scores: Points, rng: np.random.Generator) -> Points:
    """Return the total points of RESAMPLES samples of the pairs, drawn with replacement."""
    values, counts = np.unique(scores, return_counts=True)
    drawn: Points = rng.multinomial(len(scores), counts / len(scores), size=RESAMPLES) @ values
    return drawn
