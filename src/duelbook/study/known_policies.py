"""The policies of some agents, found for all states of a graph at once: random, greedy and perfect."""

import numpy as np

from duelbook.agents.greedy import GreedyAgent
from duelbook.agents.perfect import PerfectAgent
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import HasOffensiveMoves, canonical_form
from duelbook.solve import solved
from duelbook.study.state_graph import Flags, Floats, Ints, StateGraph, added_up

MANY_PLIES = 1 << 30  # more than any game has


def known_probabilities(agent: object, graph: StateGraph) -> Floats | None:
    """Return the probability of every move, as the agent's `probabilities` give it, or None if the agent must be asked.

    An agent with traps depends on how many replies win. States that play alike may differ in that.
    """
    if type(agent) is RandomAgent:
        chosen = _offered(graph)
    elif type(agent) is GreedyAgent:
        chosen = _best(graph, _offered(graph), _greedy_scores(graph))
    elif type(agent) is PerfectAgent and not canonical_form(graph.game) and not solved(graph.game).extra_turns:
        chosen = _perfect_moves(graph)
    else:
        return None
    return chosen / added_up(graph.sources, chosen.astype(float), len(graph.states))[graph.sources]


def _offered(graph: StateGraph) -> Flags:
    """Return which moves the computer may choose (WC-4)."""
    every = np.ones(len(graph.moves), bool)
    if not isinstance(game := graph.game, HasOffensiveMoves):
        return every
    pairs = zip(graph.sources.tolist(), graph.moves.tolist(), strict=True)
    return _best(graph, every, np.array([not game.offends(graph.states[number], move) for number, move in pairs]))


def _greedy_scores(graph: StateGraph) -> Ints:
    """Return 2 for each move that wins at once, 0 for each that loses at once, and 1 for the others."""
    wins, loses = (graph.over[graph.targets] & (_values(graph) == result) for result in (1, -1))
    can_win = np.zeros(len(graph.states), bool)  # the player to move, at once
    can_win[graph.sources[wins]] = True
    changes = graph.movers[graph.sources] != graph.movers[graph.targets]
    return np.where(wins, 2, np.where(loses | (changes & can_win[graph.targets]), 0, 1))


def _perfect_moves(graph: StateGraph) -> Flags:
    """Return the quickest of the moves that keep the value; in a lost position those that set the hardest trap."""
    values, count = _values(graph), len(graph.states)
    best = _best(graph, _offered(graph), values)
    replies = np.diff(graph.starts)
    winning = added_up(graph.sources, (values == 1).astype(float), count)
    shares = np.divide(winning, replies, out=np.ones(count), where=replies > 0)[graph.targets]
    plies = graph.remoteness[graph.targets]
    waits = np.where(plies < 0, MANY_PLIES, plies)
    best = _best(graph, best, (values >= 0) | (plies > 1))  # a trap does not allow a win at once
    best = _best(graph, best, np.where(values < 0, -shares, -waits))
    return _best(graph, best, np.where(values < 0, plies, 0))


def _values(graph: StateGraph) -> Ints:
    """Return the value of each move for the player who makes it."""
    return np.where(graph.movers[graph.sources] == 0, 1, -1) * graph.values[graph.targets]


def _best(graph: StateGraph, among: Flags, scores: Floats | Ints | Flags) -> Flags:
    """Return which of the moves have the highest score of those in the same state."""
    highest, undecided = np.full(len(graph.states), -np.inf), np.flatnonzero(np.diff(graph.starts))
    counted = np.where(among, scores, -np.inf)
    highest[undecided] = np.maximum.reduceat(counted, graph.starts[undecided])
    chosen: Flags = among & (counted == highest[graph.sources])
    return chosen
