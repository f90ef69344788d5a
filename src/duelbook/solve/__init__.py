"""Exact values: what every position is worth under best play, and how many plies are left to the end."""

from duelbook.solve.cache import solved, try_solve
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError, solve
from duelbook.solve.solution import ScoredMove, Solution, Value

__all__ = ["STATE_LIMIT", "ScoredMove", "Solution", "TooLargeError", "Value", "solve", "solved", "try_solve"]
