"""What a learner sees of many games at once: masks and vectors, written from the rows of a batch (extra `fast`)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.compiled.intrinsics import write_eight_bytes
from duelbook.compiled.kernel import BIT_PLACE, WORD_BITS, WORD_SHIFT, jit_plain
from duelbook.features import NO_SYMBOL

Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

NO_GAME = -1
ZERO, ONE = np.float32(0), np.float32(1)
LARGEST = np.uint64((1 << 32) - 1)
MASKS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view(np.int64)  # for eight moves


@jit_plain
def first_illegal(words: Longs, num_moves: int, moves: Longs) -> int:
    """Return the number of the first game whose move is not legal, or NO_GAME."""
    for number in range(len(moves)):
        move = moves[number]
        if not (0 <= move < num_moves and words[number, move >> WORD_SHIFT] >> (move & BIT_PLACE) & 1):
            return number
    return NO_GAME


@jit_plain
def is_illegal(words: Longs, num_moves: int, moves: Longs) -> Any:
    """Return for each game whether its move is not legal."""
    wrong = np.empty(len(moves), np.bool_)
    for number in range(len(moves)):
        move = moves[number]
        known = 0 <= move < num_moves
        wrong[number] = not (known and words[number, move >> WORD_SHIFT] >> (move & BIT_PLACE) & 1)
    return wrong


@jit_plain
def write_masks(words: Longs, masks: Bytes, first: int, end: int) -> None:
    """Write the masks of these games: 1 for each legal move, eight moves at once."""
    num_moves = masks.shape[1]
    for game in range(first, end):
        mask = masks[game]
        for place in range(num_moves >> WORD_SHIFT):
            word, start = words[game, place], place << WORD_SHIFT
            for bit in range(0, WORD_BITS, 8):
                write_eight_bytes(mask, start + bit, MASKS_OF_BYTES[word >> bit & 255])
        word = words[game, words.shape[1] - 1]  # that may be used in part
        for move in range(num_moves & ~BIT_PLACE, num_moves - 7, 8):
            write_eight_bytes(mask, move, MASKS_OF_BYTES[word >> (move & BIT_PLACE) & 255])
        for move in range(num_moves & -8, num_moves):
            mask[move] = word >> (move & BIT_PLACE) & 1


@jit_plain
def write_vectors(rows: Longs, parts: Longs, vectors: Floats, first: int, end: int) -> None:
    """Write the vectors of these games (see `duelbook.features.ObservedPart`).

    Places are unsigned, since numba would look for negative ones, which count from the end.
    """
    games: Any = range(np.uint64(first), np.uint64(end))
    for part in range(len(parts)):
        found_in, shift, mask, symbol, first_place, count = parts[part]
        number, start, length = np.uint64(found_in), np.uint64(first_place), np.uint32(count)
        if symbol != NO_SYMBOL:
            for game in games:
                place = np.uint32(min(np.uint64((rows[game, number] >> shift & mask) - symbol), LARGEST))
                for one in range(length):  # that the compiler writes several at a time
                    vectors[game, start + np.uint64(one)] = ONE if np.uint32(one) == place else ZERO
        else:
            for game in games:
                found = rows[game, number] >> shift
                for bit in range(count):
                    vectors[game, start + np.uint64(bit)] = found >> bit & mask
