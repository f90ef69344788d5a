"""Self-play: many games at once on the vector environment, and a search for every move (extras `envs` and `fast`)."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from duelbook.envs import vector
from duelbook.game import AnyGame
from examples.alphazero.network import Flags, Floats, Longs, Network, as_rows
from examples.alphazero.search import DISCOUNT, Found, search

ROOT_NOISE = 0.25
TRACE = 0.7  # the weight of what happened later in a game against what the search found, in the value to learn
PLY_LIMIT = 100  # stops games that go round in circles
THREADS = 2


class Examples(NamedTuple):
    """What the network learns from: the positions, and what the search found in them."""

    rows: Longs
    legal: Flags
    policies: Floats
    values: Floats


class Step(NamedTuple):
    """One move in every game."""

    rows: Longs
    legal: Flags
    found: Found
    blunder: Flags  # a random move that the search would not have played
    over: Flags
    results: Floats  # for the player who moved
    same_mover: Flags  # the turn did not change


class SelfPlay:
    """Games that go on from call to call.

    Each game has its own share of random moves: none in the first, all in the last. So the network meets the positions
    of good play, those after mistakes, and everything between.
    """

    def __init__(self, game: AnyGame, games: int, simulations: int, seed: int) -> None:
        self._env = vector(game, games, ply_limit=PLY_LIMIT)
        _, self._info = self._env.reset(seed=seed)
        self._rng = np.random.default_rng(seed)
        self._random_share = np.linspace(0, 1, games)
        self._simulations = simulations
        self._pool = ThreadPoolExecutor(THREADS)

    def play(self, network: Network, steps: int) -> Examples:
        """Play so many moves in every game and return an example for each move."""
        played = [self._step(network) for _ in range(steps)]
        values = value_targets(played)
        columns = [(step.rows, step.legal, step.found.policies) for step in played]
        rows, legal, policies = map(np.concatenate, zip(*columns, strict=True))
        return Examples(rows, legal, policies, np.concatenate(values))

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown()
        self._env.close()

    def _step(self, network: Network) -> Step:
        rows, legal, mover = as_rows(self._env.states()), self._info["action_mask"] == 1, self._info["mover"]
        parts = np.array_split(rows, THREADS)
        searches = self._pool.map(lambda part: search(network, part, self._simulations, ROOT_NOISE), parts)
        found = Found(*map(np.concatenate, zip(*searches, strict=True)))
        at_random = self._rng.random(len(rows)) < self._random_share
        moves = np.where(at_random, self._env.random_moves(), found.moves)
        _, rewards, terminated, truncated, self._info = self._env.step(moves)
        results = np.where(truncated, found.values, DISCOUNT * rewards)
        over = terminated | truncated
        return Step(rows, legal, found, moves != found.moves, over, results, self._info["mover"] == mover)


def value_targets(played: list[Step]) -> list[Floats]:
    """Return the values to learn for each step: what the search found, mixed with what happened in the game.

    Nothing that follows a blunder counts for the position before it.
    """
    later, targets = played[-1].found.values, []
    for number, step in reversed([*enumerate(played)]):
        if number < len(played) - 1:
            following = np.where(step.over, step.results, DISCOUNT * np.where(step.same_mover, later, -later))
            mixed = (1 - TRACE) * step.found.values + TRACE * following
            later = np.where(step.blunder, step.found.values, mixed).astype(np.float32)
        targets.append(later)
    return targets[::-1]
