"""States as single whole numbers: millions of them fit into one sorted array and are found by bisection."""

import random
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duelbook.features import numbers_of
from duelbook.game import AnyGame

MAX_BITS = 62  # of a signed 64-bit number; a negative number means that a state did not fit
SAMPLE_GAMES = 20  # random games that show how large the numbers of a state become
SAMPLE_PLIES = 200


class Packing(NamedTuple):
    """How the numbers of a state share the bits of one number: the lowest value and the width in bits of each."""

    lows: tuple[int, ...]
    widths: tuple[int, ...]

    def bits(self) -> int:
        """Return how many bits a state takes."""
        return sum(self.widths)

    def pack(self, state: Any) -> int:
        """Return the state as one number, or raise KeyError if it does not fit."""
        numbers = tuple(numbers_of(state))
        if len(numbers) != len(self.widths):
            raise KeyError(state)
        packed = 0
        for number, low, width in zip(numbers, self.lows, self.widths, strict=True):
            if (number - low) >> width:
                raise KeyError(state)
            packed = packed << width | (number - low)
        return packed

    def widened(self, numbers: Sequence[int]) -> "Packing":
        """Return a packing with room for these numbers as well."""
        spans = [
            _widened(number, low, width) for number, low, width in zip(numbers, self.lows, self.widths, strict=True)
        ]
        return Packing(tuple(low for low, _ in spans), tuple(width for _, width in spans))


def _widened(number: int, low: int, width: int) -> tuple[int, int]:
    high = max(number, low + (1 << width) - 1)
    if number < low:
        low = -(1 << (-number).bit_length())  # more than needed, so that it is not widened at every step down
    return low, (high - low).bit_length()


class PackedIndex:
    """The places of packed states in a sorted array."""

    def __init__(self, packing: Packing, keys: "array[int]") -> None:
        self.packing = packing
        self.keys = keys

    def __getitem__(self, state: Any) -> int:
        key = self.packing.pack(state)
        place = bisect_left(self.keys, key)
        if place == len(self.keys) or self.keys[place] != key:
            raise KeyError(state)
        return place


def packed_index(places: Mapping[Any, int]) -> tuple[PackedIndex, list[int]]:
    """Return an index of all the states, and for each of its places the old place of that state.

    Raise OverflowError if a state does not fit into 62 bits.
    """
    numbers = tuple(numbers_of(next(iter(places))))
    packing = Packing(numbers, (0,) * len(numbers))
    for state in places:
        try:
            packing.pack(state)
        except KeyError:
            packing = packing.widened(tuple(numbers_of(state)))
    if packing.bits() > MAX_BITS:
        raise OverflowError(f"A state takes {packing.bits()} bits; the limit is {MAX_BITS}.")
    order = sorted((packing.pack(state), place) for state, place in places.items())
    return PackedIndex(packing, array("q", (key for key, _ in order))), [place for _, place in order]


def is_packable(game: AnyGame) -> bool:
    """Return True if states consist of whole numbers and tuples of them, and those of a few games fit into 62 bits."""
    return is_whole(game.initial()) and sampled_packing(game).bits() <= MAX_BITS


def is_whole(state: Any) -> bool:
    """Return True if the state consists of whole numbers and tuples of them."""
    if isinstance(state, tuple):
        return all(map(is_whole, state))
    return type(state) is int


def sampled_packing(game: AnyGame) -> Packing:
    """Return a packing with room for the states of a few random games."""
    lows = tuple(0 for _ in numbers_of(game.initial()))
    packing = Packing(lows, lows)
    rng = random.Random(0)
    for _ in range(SAMPLE_GAMES):
        state = game.initial()
        for _ in range(SAMPLE_PLIES):
            packing = packing.widened(tuple(numbers_of(state)))
            legal = list(game.legal_moves(state))
            if not legal:
                break
            state = game.play(state, rng.choice(legal))
    return packing
