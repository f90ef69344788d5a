"""Random playouts in bulk, compiled from the rules' own source (extra `fast`)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from duelbook.compiled.kernel import CompiledGame, jit
from duelbook.contract import BrokenRulesError
from duelbook.game import AnyGame, Outcome

NO_MOVES = -1  # the number of moves if a game is undecided but no move is legal
GAMES_PER_PART = 1 << 16  # that one thread plays at a time


class Tally(NamedTuple):
    """The results of random playouts."""

    moves: int
    first_wins: int
    second_wins: int
    draws: int
    unfinished: int


def playouts(game: AnyGame, count: int, seed: int, ply_limit: int = 10_000, threads: int = 1) -> Tally:
    """Play games at random, each up to the ply limit, and return the count of each outcome.

    The same seed gives the same games, whatever the number of threads.
    """
    parts = [(min(GAMES_PER_PART, count - start), seed + start) for start in range(0, count, GAMES_PER_PART)]
    with ThreadPoolExecutor(threads) as pool:
        played = pool.map(lambda part: _playouts(game, part[0], part[1], ply_limit), parts)
        tallies = [(moves, *map(int, ends)) for moves, ends in played]
    if any(moves == NO_MOVES for moves, *_ in tallies):
        raise BrokenRulesError(game, "a game is undecided, but no move is legal.", None)
    return Tally(*map(sum, zip(*tallies, strict=True))) if tallies else Tally(0, 0, 0, 0, 0)


@jit
def _playouts(game: CompiledGame, count: int, seed: int, ply_limit: int) -> tuple[int, Any]:
    ends = np.zeros(4, np.int64)
    moves = 0
    random = np.uint64(seed) * np.uint64(2862933555777941757) + np.uint64(3037000493) | np.uint64(1)
    for _ in range(count):
        state = game.initial()
        ply = 0
        while ply < ply_limit and game.outcome(state) == Outcome.UNDECIDED:
            legal = game.count_legal(state)
            if not legal:
                return NO_MOVES, ends
            random ^= random << np.uint64(13)  # xorshift: twice as fast as np.random
            random ^= random >> np.uint64(7)
            random ^= random << np.uint64(17)
            chosen: Any = np.int64((random >> np.uint64(33)) % np.uint64(legal))
            state = game.play(state, game.nth_legal(state, chosen))
            ply += 1
        moves += ply
        ends[game.outcome(state).value] += 1
    return moves, ends
