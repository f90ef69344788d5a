"""Where a state stands among all states of a solution: in a bitmap of its keys, or in a sorted array of them."""

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

from duelbook.features import numbers_of
from duelbook.solve.packing import MAX_BITS, Packing, tight_packing
from duelbook.solve.progress import Meter, Stage

WORD_BITS = 64
STATES_BETWEEN_REPORTS = 1 << 12
BLOCK_WORDS = 8  # words of a bitmap for which there is one rank
WORD_SHIFT, BLOCK_SHIFT = 6, 9  # from a key to its word and to its block


class Index(Protocol):
    """The places of states in the codes of a solution."""

    def __getitem__(self, state: Any, /) -> int:
        """Return the place of the state, or raise KeyError if it cannot be reached."""
        ...


class SortedIndex:
    """The places of states whose keys are a sorted array: 8 bytes a state."""

    def __init__(self, packing: Packing, keys: Sequence[int]) -> None:
        self.packing = packing
        self._keys = keys

    def __getitem__(self, state: Any) -> int:
        key = self.packing.pack(state)
        place = bisect_left(self._keys, key)
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(state)
        return place

    def arrays(self) -> tuple[Sequence[int], ...]:
        """Return what the index consists of."""
        return (self._keys,)

    def keys(self) -> Iterator[int]:
        """Return the keys of all states in order."""
        return iter(self._keys)

    def memory_bytes(self) -> int:
        return 8 * len(self._keys)


class BitmapIndex:
    """The places of states whose keys are a bitmap: one bit for every key. It is small where most keys are states."""

    def __init__(self, packing: Packing, words: Sequence[int], ranks: Sequence[int]) -> None:
        self.packing = packing
        self._words = words  # of 64 bits
        self._ranks = ranks  # for each block of words: how many states come before it

    def __getitem__(self, state: Any) -> int:
        key = self.packing.pack(state)
        words, at = self._words, key >> WORD_SHIFT
        bit = 1 << key % WORD_BITS
        if not words[at] & bit:
            raise KeyError(state)
        block = key >> BLOCK_SHIFT
        place = self._ranks[block] + (words[at] & (bit - 1)).bit_count()
        for before in range(block * BLOCK_WORDS, at):
            place += words[before].bit_count()
        return place

    def arrays(self) -> tuple[Sequence[int], ...]:
        """Return what the index consists of."""
        return self._words, self._ranks

    def keys(self) -> Iterator[int]:
        """Return the keys of all states in order."""
        for at, word in enumerate(self._words):
            while word:
                lowest = word & -word
                yield at * WORD_BITS + lowest.bit_length() - 1
                word ^= lowest

    def memory_bytes(self) -> int:
        return 8 * len(self._words) + 4 * len(self._ranks)


def ranks_of(words: Sequence[int]) -> "array[int]":
    """Return for each block of a bitmap how many bits are set before it."""
    inside = (sum(map(int.bit_count, words[at : at + BLOCK_WORDS])) for at in range(0, len(words), BLOCK_WORDS))
    return array("I", accumulate(inside, initial=0))[:-1]


PackedIndex = SortedIndex | BitmapIndex


def sorted_index(places: Mapping[Any, int], meter: Meter | None = None) -> tuple[SortedIndex, list[int]]:
    """Return an index of all the states, and for each of its places the old place of that state.

    Raise OverflowError if a state does not fit into 62 bits.
    """
    packing = tight_packing(map(numbers_of, _watched(places, meter, 0)))
    if not packing.fits():
        raise OverflowError(f"A state takes {packing.bits()} bits; the limit is {MAX_BITS}.")
    order = sorted((packing.pack(state), places[state]) for state in _watched(places, meter, 50))
    return SortedIndex(packing, array("q", (key for key, _ in order))), [place for _, place in order]


def _watched(states: Collection[Any], meter: Meter | None, percent: int) -> Iterator[Any]:
    """Yield the states, which is half of the work of saving them; so much of it is done before."""
    for done, state in enumerate(states):
        if meter and not done % STATES_BETWEEN_REPORTS:
            meter.report(Stage.SAVING, len(states), len(states), percent + 50 * done // len(states))
        yield state
