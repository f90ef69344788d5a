"""How a compiled opponent chooses its moves: at random, or as the greedy agent does (extra `fast`)."""

from typing import Any

import numpy as np

from duelbook.compiled.batch import Longs
from duelbook.compiled.intrinsics import read_state
from duelbook.compiled.kernel import BIT_PLACE, WORD_SHIFT, CompiledGame, jit, jit_plain
from duelbook.compiled.random_numbers import RandomNumbers, next_number


@jit_plain
def list_moves(words: Longs, moves: Longs) -> int:
    """Write the moves whose bits are set, in ascending order. Return how many there are."""
    count = 0
    for place in range(len(words)):
        word = words[place]
        for bit in range(min(BIT_PLACE + 1, len(moves) - (place << WORD_SHIFT))):
            moves[count] = (place << WORD_SHIFT) + bit
            count += word >> bit & 1
    return count


@jit_plain
def shuffle(moves: Longs, count: int, randoms: RandomNumbers, game: int) -> None:
    """Shuffle the first moves of the list."""
    for last in range(count - 1, 0, -1):
        other = next_number(randoms, game, last + 1)
        moves[last], moves[other] = moves[other], moves[last]


@jit_plain
def chances_of(games: Longs, randoms: RandomNumbers) -> Any:
    """Return a random number in [0, 1) for each of these games."""
    chances = np.empty(len(games), np.float64)
    for place in range(len(games)):
        chances[place] = next_number(randoms, games[place], 1 << 31) / (1 << 31)
    return chances


@jit
def greedy_moves(
    game: CompiledGame, num_moves: int, games: Longs, rows: Longs, words: Longs, randoms: RandomNumbers
) -> Longs:
    """Return a move for each of these games: one that wins at once, or else one that does not lose at once, or any."""
    like = game.initial()
    chosen, moves = np.empty(len(games), np.int64), np.empty(num_moves, np.int64)
    for place in range(len(games)):
        number = games[place]
        state = read_state(like, rows[number])
        mover, count = game.mover(state), list_moves(words[number], moves)
        shuffle(moves, count, randoms, number)
        found = -1
        for one in range(count):
            if game.outcome(game.play(state, moves[one])).value == mover:
                found = one
                break
        if found < 0:
            found = 0
            for one in range(count):
                after = game.play(state, moves[one])
                loses = game.outcome(after).value == 1 - mover
                if not loses and game.mover(after) != mover:
                    for reply in game.legal_moves(after):
                        if game.outcome(game.play(after, reply)).value == 1 - mover:
                            loses = True
                            break
                if not loses:
                    found = one
                    break
        chosen[place] = moves[found]
    return chosen
