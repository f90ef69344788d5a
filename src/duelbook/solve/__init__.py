"""Exact values: what every position is worth under best play, and how far its end is."""

from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec

from duelbook.game import AnyGame, canonical_form
from duelbook.solve import retrograde
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError
from duelbook.solve.solution import ScoredMove, Solution, Value

__all__ = ["STATE_LIMIT", "ScoredMove", "Solution", "TooLargeError", "Value", "solve", "solved"]

SMALL = 10_000  # states that are solved sooner than compiled code is loaded


def solve(game: AnyGame, limit: int = STATE_LIMIT) -> Solution:
    """Answer the value of every reachable state of the game, or refuse a game beyond the limit."""
    if limit <= SMALL or canonical_form(game) or not find_spec("numba"):
        return retrograde.solve(game, limit)
    with suppress(TooLargeError):
        return retrograde.solve(game, SMALL)
    from duelbook.solve.compiled import solve_compiled  # loads numpy and numba

    return solve_compiled(game, limit) or retrograde.solve(game, limit)


@lru_cache(maxsize=8)
def solved(game: AnyGame) -> Solution:
    """Answer the solution of the game, solving it only once."""
    return solve(game)
