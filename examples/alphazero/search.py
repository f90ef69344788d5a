"""The tree search of AlphaZero, for many positions at once (extra `fast`).

Every position has a tree of its own. Each simulation adds one state to every tree, and the network evaluates all of
these together. The trees are arrays, and the rules are compiled.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled import CompiledGame, jit, jit_plain, read_state, write_state
from duelbook.game import AnyGame, Outcome
from examples.alphazero.network import Flags, Floats, Longs, Network

DISCOUNT = 0.98  # of a result with each ply: a quick win is worth more
EXPLORATION = 1.5  # the weight of the network's policy against the values that the search has found
UNDECIDED = Outcome.UNDECIDED.value
REWARDS = np.array([[1, -1, 0], [-1, 1, 0]], np.float32)  # by player and outcome

Ints = npt.NDArray[np.int32]


class Trees(NamedTuple):
    """A tree for each position. The dimensions are tree, node and move. Node 0 is the root."""

    rows: Longs  # the numbers of each state
    movers: Ints
    over: Flags
    values: Floats  # for the mover: by the network, or the result if the game is over
    legal: Flags
    priors: Floats  # the probability of each move by the network
    children: Ints  # 0 if the move has not been tried
    visits: Floats
    totals: Floats  # the sum of the values that were found after each move, for the mover
    sizes: Ints  # the number of nodes in each tree
    paths: Ints  # the nodes from the root to the last leaf
    chosen: Ints  # the moves on that path
    depths: Ints  # the number of these moves


class Found(NamedTuple):
    """What a search has found for each position."""

    policies: Floats  # the share of the simulations that each move got
    values: Floats  # for the mover
    moves: Longs  # those with the most simulations


def search(network: Network, rows: Longs, simulations: int, noise: float = 0.0) -> Found:
    """Search all positions, given as rows of numbers. None of them may be over.

    `noise` is the share of the priors at the root that is spread over all moves alike, so that each of them is tried.
    """
    game, every = network.game, np.arange(len(rows))
    trees = new_trees(game, rows, simulations + 1)
    for _ in range(simulations + 1):  # the first adds the roots
        grow(game, trees)
        scores, values = network.evaluate(trees.rows[every, trees.paths[every, trees.depths]])
        back_up(trees, scores, values, noise)
    visits, totals = trees.visits[:, 0], trees.totals[:, 0]
    moves = visits.argmax(axis=1)
    return Found(visits / np.float32(simulations), totals[every, moves] / visits[every, moves], moves)


def new_trees(game: AnyGame, rows: Longs, nodes: int) -> Trees:
    """Return empty trees for these positions, with room for so many nodes."""
    count, moves = len(rows), game.num_moves
    trees = Trees(
        rows=np.zeros((count, nodes, rows.shape[1]), np.int64),
        movers=np.zeros((count, nodes), np.int32),
        over=np.zeros((count, nodes), np.bool_),
        values=np.zeros((count, nodes), np.float32),
        legal=np.zeros((count, nodes, moves), np.bool_),
        priors=np.zeros((count, nodes, moves), np.float32),
        children=np.zeros((count, nodes, moves), np.int32),
        visits=np.zeros((count, nodes, moves), np.float32),
        totals=np.zeros((count, nodes, moves), np.float32),
        sizes=np.zeros(count, np.int32),
        paths=np.zeros((count, nodes), np.int32),
        chosen=np.zeros((count, nodes), np.int32),
        depths=np.zeros(count, np.int32),
    )
    trees.rows[:, 0] = rows
    return trees


@jit
def grow(game: CompiledGame, trees: Trees) -> None:
    """Follow the most promising moves in each tree to a state that is new or over."""
    like = game.initial()
    for tree in range(len(trees.sizes)):
        state: Any = read_state(like, trees.rows[tree, 0])
        node = depth = 0
        while trees.sizes[tree]:
            move = promising(trees, tree, node)
            trees.paths[tree, depth], trees.chosen[tree, depth] = node, move
            depth += 1
            child = trees.children[tree, node, move]
            if child == 0:
                state = game.play(read_state(like, trees.rows[tree, node]), move)
                child = trees.children[tree, node, move] = trees.sizes[tree]
                node = child
                break
            node = child
            if trees.over[tree, node]:
                break
        trees.paths[tree, depth], trees.depths[tree] = node, depth
        if node == trees.sizes[tree]:
            write_state(like, state, trees.rows[tree, node])
            mover, outcome = game.mover(state), game.outcome(state).value
            trees.movers[tree, node] = mover
            trees.over[tree, node] = outcome != UNDECIDED
            if outcome != UNDECIDED:
                trees.values[tree, node] = REWARDS[mover, outcome]
            for move in game.legal_moves(state):
                trees.legal[tree, node, move] = True


@jit_plain
def promising(trees: Trees, tree: int, node: int) -> int:
    """Return the move with the best value so far, plus a bonus for moves that were tried less than the priors say."""
    visits, totals = trees.visits[tree, node], trees.totals[tree, node]
    bonus = EXPLORATION * math.sqrt(visits.sum() + 1)
    best, move = -math.inf, 0
    for other in range(len(visits)):
        if trees.legal[tree, node, other]:
            value = totals[other] / visits[other] if visits[other] else trees.values[tree, node]
            score = value + bonus * trees.priors[tree, node, other] / (1 + visits[other])
            if score > best:
                best, move = score, other
    return move


@jit_plain
def back_up(trees: Trees, scores: Floats, values: Floats, noise: float) -> None:
    """Give each new leaf its evaluation, and carry its value up to the root."""
    for tree in range(len(trees.sizes)):
        depth = trees.depths[tree]
        leaf = trees.paths[tree, depth]
        if leaf == trees.sizes[tree]:
            trees.sizes[tree] += 1
            if not trees.over[tree, leaf]:
                trees.values[tree, leaf] = values[tree]
                legal = trees.legal[tree, leaf]
                best = np.where(legal, scores[tree], -np.inf).max()
                priors = np.where(legal, np.exp(scores[tree] - best), 0)
                share = noise if leaf == 0 else 0.0
                trees.priors[tree, leaf] = (1 - share) * priors / priors.sum() + share * legal / legal.sum()
        value, mover = trees.values[tree, leaf], trees.movers[tree, leaf]
        for place in range(depth - 1, -1, -1):
            node, move = trees.paths[tree, place], trees.chosen[tree, place]
            value *= DISCOUNT
            trees.visits[tree, node, move] += 1
            trees.totals[tree, node, move] += value if trees.movers[tree, node] == mover else -value
