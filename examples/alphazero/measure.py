"""Measure a policy in every decision that play can reach, by exact values (extra `arena`)."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from duelbook import regret
from duelbook.game import AnyGame
from duelbook.solve import solved
from examples.alphazero.network import Flags, Longs, Network, as_rows
from examples.alphazero.search import search

CHUNK = 1024  # positions that are searched together

Choose = Callable[[Longs, Flags], Longs]  # from states and masks of legal moves to a move in each


class Measured(NamedTuple):
    """What `duelbook.regret` finds. All decisions count alike. A win counts 1, a loss -1."""

    regret: float  # what a decision gives away on average
    accuracy: float  # the share of decisions that keep the value, where some legal move would not
    exploitability: float  # what it loses on average to an opponent who knows it, compared with perfect play


class Measure:
    """All decisions of a game."""

    def __init__(self, game: AnyGame) -> None:
        moves = {solved_state.state: [*game.legal_moves(solved_state.state)] for solved_state in solved(game)}
        self._game = game
        self._states = [state for state, legal in moves.items() if len(legal) > 1]
        self._rows = as_rows(self._states)
        self._legal = np.zeros((len(self._states), game.num_moves), np.bool_)
        for mask, state in zip(self._legal, self._states, strict=True):
            mask[moves[state]] = True

    def __call__(self, choose: Choose) -> Measured:
        """Measure a policy that plays one move in each state."""
        table = dict(zip(self._states, choose(self._rows, self._legal).tolist(), strict=True))
        report = regret(table, self._game, weights="uniform")
        return Measured(report.regret, report.accuracy or 0.0, report.exploitability or 0.0)


def searching(network: Network, simulations: int) -> Choose:
    """Return the policy of the network with a search in every position."""

    def choose(rows: Longs, legal: Flags) -> Longs:
        parts = (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))
        return np.concatenate([search(network, part, simulations).moves for part in parts])

    return choose
