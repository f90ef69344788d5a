"""Exact values: what every position is worth under best play, and how many plies are left to the end."""

from duelbook.solve.budget import TooLargeError, memory_budget
from duelbook.solve.cache import remember_too_large, solved, try_solve
from duelbook.solve.retrograde import solve
from duelbook.solve.solution import ScoredMove, Solution, Value

__all__ = [
    "ScoredMove",
    "Solution",
    "TooLargeError",
    "Value",
    "memory_budget",
    "remember_too_large",
    "solve",
    "solved",
    "try_solve",
]
