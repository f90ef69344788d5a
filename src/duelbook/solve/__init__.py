"""Exact values: what every position is worth under best play, and how far its end is."""

from functools import lru_cache

from duelbook.game import AnyGame
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError, solve
from duelbook.solve.solution import ScoredMove, Solution, Value

__all__ = ["STATE_LIMIT", "ScoredMove", "Solution", "TooLargeError", "Value", "solve", "solved"]


@lru_cache(maxsize=8)
def solved(game: AnyGame) -> Solution:
    """Answer the solution of the game, solving it only once."""
    return solve(game)
