"""Ratings by the model of Bradley and Terry, and how sure they are."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import choix
import numpy as np
from numpy.typing import NDArray

ELO = 400 / math.log(10)  # rating points for each unit of the model: 400 are odds of ten to one
RESAMPLES = 1000

Meeting = tuple[int, int]  # two agents
Points = NDArray[np.float64]


class Rating(NamedTuple):
    """An agent's rating; the mean of all agents is 0."""

    rating: float
    low: float  # 95 % of the resamples are between these
    high: float


def ratings(agents: int, pairs: Mapping[Meeting, Sequence[Points]], seed: int) -> list[Rating]:
    """Answer every agent's rating.

    For each two agents there are lists of what the first of them scored in pairs of games, 0 to 2, a list a game.
    Every two agents are taken to have drawn once more, so that whoever won or lost everything is rated, too. For the
    interval, whole pairs are drawn anew from each list.
    """
    rng = np.random.default_rng(seed)
    games = {meeting: 2 * sum(map(len, lists)) for meeting, lists in pairs.items()}
    best = fitted(agents, {meeting: float(sum(map(np.sum, lists))) for meeting, lists in pairs.items()}, games)
    drawn = {meeting: np.sum([_resampled(scores, rng) for scores in lists], axis=0) for meeting, lists in pairs.items()}
    samples = [
        fitted(agents, {meeting: points[at] for meeting, points in drawn.items()}, games, best)
        for at in range(RESAMPLES)
    ]
    low, high = np.percentile(np.array(samples), (2.5, 97.5), axis=0)
    return [Rating(*(round(float(value), 1) for value in values)) for values in zip(best, low, high, strict=True)]


def fitted(
    agents: int, points: Mapping[Meeting, float], games: Mapping[Meeting, int], near: Points | None = None
) -> Points:
    """Answer the ratings under which such points in so many games are likeliest."""
    won = np.full((agents, agents), 0.5) - np.eye(agents) / 2
    for (one, two), scored in points.items():
        won[one, two] += scored
        won[two, one] += games[one, two] - scored
    start, close = (None, 1e-8) if near is None else (near / ELO, 1e-4)  # which is far less than a point
    return choix.ilsr_pairwise_dense(won, initial_params=start, max_iter=10_000, tol=close) * ELO


def _resampled(scores: Points, rng: np.random.Generator) -> Points:
    """Answer the points in as many pairs, drawn at random with repetition, so many times over."""
    values, counts = np.unique(scores, return_counts=True)
    drawn: Points = rng.multinomial(len(scores), counts / len(scores), size=RESAMPLES) @ values
    return drawn
