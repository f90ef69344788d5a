"""Exact values: what every position is worth under best play, and how far its end is."""

from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError, solve
from duelbook.solve.solution import ScoredMove, Solution, Value

__all__ = ["STATE_LIMIT", "ScoredMove", "Solution", "TooLargeError", "Value", "solve"]
