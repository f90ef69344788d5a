"""Which way a game is solved: interpreted, or compiled where that is sooner."""

from contextlib import suppress
from importlib.util import find_spec

from duelbook.game import AnyGame, canonical_form
from duelbook.solve import retrograde
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError
from duelbook.solve.solution import Solution

SMALL = 10_000  # states that are solved sooner than compiled code is loaded


def solve(game: AnyGame, limit: int = STATE_LIMIT) -> Solution:
    """Answer the value of every reachable state of the game, or refuse a game beyond the limit."""
    if limit <= SMALL or canonical_form(game) or not find_spec("numba"):
        return retrograde.solve(game, limit)
    with suppress(TooLargeError):
        return retrograde.solve(game, SMALL)
    from duelbook.solve.compiled import solve_compiled  # loads numpy and numba

    return solve_compiled(game, limit) or retrograde.solve(game, limit)
