"""Random numbers in compiled code: a generator for each game, so that threads do not change what is drawn."""

from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.compiled.kernel import jit_plain

RandomNumbers = npt.NDArray[np.uint64]

A, B, C = np.uint64(13), np.uint64(7), np.uint64(17)  # the shifts of xorshift, which is twice as fast as np.random
HALF = np.uint64(33)
MIX_SHIFT, FIRST_FACTOR, SECOND_FACTOR = np.uint64(31), np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
UNIT_SHIFT, UNIT = np.uint64(11), 2.0**-53


def new_random_numbers(rng: np.random.Generator, count: int) -> RandomNumbers:
    """Return a generator for each of so many games."""
    return rng.integers(1, 1 << 64, count, np.uint64)


@jit_plain
def next_bits(randoms: RandomNumbers, game: int) -> Any:
    """Return the next 64 random bits of a game."""
    bits = randoms[game]
    bits ^= bits << A
    bits ^= bits >> B
    bits ^= bits << C
    randoms[game] = bits
    return bits


@jit_plain
def next_number(randoms: RandomNumbers, game: int, limit: int) -> Any:
    """Return a random number from 0 to `limit` - 1."""
    return np.int64((next_bits(randoms, game) >> HALF) % np.uint64(limit))


@jit_plain
def share_of(key: Any, number: int) -> float:
    """Return a number in [0, 1) that follows from a key and a number, as if it were drawn once for all."""
    bits: Any = (np.uint64(number) ^ key) * FIRST_FACTOR
    bits = (bits ^ (bits >> MIX_SHIFT)) * SECOND_FACTOR
    bits ^= bits >> MIX_SHIFT
    return float((bits >> UNIT_SHIFT) * UNIT)
