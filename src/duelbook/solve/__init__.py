"""Exact values: what every position is worth under best play, and how many plies are left to the end."""

from duelbook.solve.budget import TooLargeError, allow_memory, memory_budget
from duelbook.solve.cache import remember_too_large, solved, try_solve
from duelbook.solve.progress import OnProgress, Progress, Stage, watched_by
from duelbook.solve.retrograde import solve
from duelbook.solve.solution import ScoredMove, Solution, SolutionArrays, SolvedState, Value

__all__ = [
    "OnProgress",
    "Progress",
    "ScoredMove",
    "Solution",
    "SolutionArrays",
    "SolvedState",
    "Stage",
    "TooLargeError",
    "Value",
    "allow_memory",
    "memory_budget",
    "remember_too_large",
    "solve",
    "solved",
    "try_solve",
    "watched_by",
]
