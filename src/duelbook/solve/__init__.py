"""Exact values: what every position is worth under best play, and how far its end is."""

from duelbook.solve.cache import solved, try_solve
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError
from duelbook.solve.solution import ScoredMove, Solution, Value
from duelbook.solve.solver import solve

__all__ = ["STATE_LIMIT", "ScoredMove", "Solution", "TooLargeError", "Value", "solve", "solved", "try_solve"]
