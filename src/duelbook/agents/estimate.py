"""Estimates for games that are too large to solve: moves scored by tree search, within a limit of work and of time."""

import random
import time
from typing import Any, NamedTuple

from duelbook.agents.mcts import Tree
from duelbook.game import AnyGame, Move, Outcome, won_by

SEARCH_GAMES = 1000  # simulated for one position; a number, so that the same seed gives the same result
SEARCH_SECONDS = 1.0  # of computing, after which a search stops in any case, whatever else the machine does
PRIOR_GAMES = 10  # every move begins with so many games, half of them won: few games say little
PRIOR_POINTS = PRIOR_GAMES / 2


class EstimatedMove(NamedTuple):
    """A legal move with its estimated score for the player who makes it."""

    move: Move
    score: float  # from 0 to 1: the expected share of points, where a draw is half a point
    games: int  # that the estimate comes from
    outcome: Outcome  # that the search has proven; usually undecided
    plies: int  # to that outcome, with the move itself


def estimate_moves(
    game: AnyGame, state: Any, rng: random.Random, games: int = SEARCH_GAMES, seconds: float = SEARCH_SECONDS
) -> list[EstimatedMove]:
    """Return the moves that the computer may suggest with their estimated scores, best first."""
    tree, deadline = Tree(game, state, rng), time.thread_time() + seconds
    moves = list(tree.root.untried)
    for _ in range(games if moves else 0):
        tree.visit()
        if tree.root.outcome != Outcome.UNDECIDED or time.thread_time() > deadline:
            break
    mover = game.mover(state)
    return sorted((_estimate(tree, move) for move in moves), key=lambda estimate: _best_first(estimate, won_by(mover)))


def _estimate(tree: Tree, move: Move) -> EstimatedMove:
    child = tree.root.children.get(move)
    if child is None:
        return EstimatedMove(move, PRIOR_POINTS / PRIOR_GAMES, 0, Outcome.UNDECIDED, 0)
    score = (child.points + PRIOR_POINTS) / (child.visits + PRIOR_GAMES)
    if child.outcome != Outcome.UNDECIDED:
        score = 0.5 if child.outcome == Outcome.DRAW else float(child.outcome == won_by(tree.root.mover))
    return EstimatedMove(move, score, child.visits, child.outcome, child.plies + 1)


def _best_first(estimate: EstimatedMove, win: Outcome) -> tuple[float, int, Move]:
    """Sort by score; then the quickest proven win, the longest defence in a proven loss."""
    if estimate.outcome in (Outcome.UNDECIDED, Outcome.DRAW):
        return -estimate.score, 0, estimate.move
    return -estimate.score, estimate.plies if estimate.outcome == win else -estimate.plies, estimate.move
