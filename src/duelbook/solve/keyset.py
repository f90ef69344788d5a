"""The keys of the states of a game in compiled code: a set that grows while states are found, and then their places.

While few of all keys are known to be states, the set is a hash table; else it is a bitmap. Threads share both.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.atomic import atomic_or, compare_and_swap
from duelbook.compiled.intrinsics import count_bits
from duelbook.compiled.kernel import jit_plain
from duelbook.solve.index import BLOCK_SHIFT, BLOCK_WORDS, WORD_BITS, WORD_SHIFT

Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]

EMPTY = -1
HASH_FACTOR = -0x61C8864680B583EB  # 64 bits of the golden ratio: the product spreads neighbouring keys
KEYS_PER_STATE = 56  # a bitmap with at most so many bits for each state is smaller than the states' keys
SMALL_BITMAP = 1 << 20  # keys; a bitmap of this size costs nothing
KEYS_PER_ENTRY = 4  # of the directory of sorted keys


class Places(NamedTuple):
    """Where each state stands among all states, by its key: in a bitmap with ranks, or in sorted keys."""

    words: Longs  # the bitmap, or nothing
    ranks: Words  # for each block of words: how many states come before it
    keys: Longs  # sorted, or nothing
    directory: Words  # the place of the first key with these upper bits
    shift: int  # of a key, to get its upper bits

    def memory_bytes(self) -> int:
        return sum(part.nbytes for part in self[:4])


@jit_plain
def whole(number: Any) -> int:
    """Return a number of an array as a signed one of 64 bits, so that numba does not mix signed and unsigned ones."""
    return np.int64(number)  # type: ignore[return-value]


@jit_plain
def insert(words: Longs, table: Longs, key: int) -> bool:
    """Put the key into the bitmap, or into the table if there is no bitmap. Return True if it was not there yet."""
    if len(words):
        at, bit = key >> WORD_SHIFT, 1 << (key & (WORD_BITS - 1))
        if words[at] & bit:
            return False
        before: int = atomic_or(words, at, bit)
        return before & bit == 0
    slot = (key * HASH_FACTOR >> 24) & (len(table) - 1)
    while True:
        held = table[slot]
        if held == EMPTY:
            held = compare_and_swap(table, slot, EMPTY, key)
            if held == EMPTY:
                return True
        if held == key:
            return False
        slot = (slot + 1) & (len(table) - 1)


@jit_plain
def insert_all(words: Longs, table: Longs, keys: Longs) -> None:
    """Put all keys that are not EMPTY into the bitmap or the table."""
    for key in keys:
        if key != EMPTY:
            insert(words, table, key)


@jit_plain
def find(places: Places, key: int) -> int:
    """Return the place of the state with this key. If there is none, return that of the next one."""
    if len(places.words):
        at, block = key >> WORD_SHIFT, key >> BLOCK_SHIFT
        place = whole(places.ranks[block])
        for before in range(block * BLOCK_WORDS, at):
            place += count_bits(places.words[before])
        inside: int = count_bits(places.words[at] & ((1 << (key & (WORD_BITS - 1))) - 1))
        return place + inside
    upper = key >> places.shift
    low, high = whole(places.directory[upper]), whole(places.directory[upper + 1])
    while low < high:
        middle = (low + high) >> 1
        if places.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@jit_plain
def key_at(places: Places, place: int) -> int:
    """Return the key of the state at this place."""
    if not len(places.words):
        return places.keys[place]  # type: ignore[no-any-return]
    block = _block_of(places.ranks, place)
    at, skipped = block * BLOCK_WORDS, place - whole(places.ranks[block])
    while skipped >= count_bits(places.words[at]):
        skipped -= count_bits(places.words[at])
        at += 1
    word = places.words[at]
    for _ in range(skipped):
        word &= word - 1
    key: int = at * WORD_BITS + count_bits((word & -word) - 1)
    return key


@jit_plain
def _block_of(ranks: Words, place: int) -> int:
    """Return the last block of a bitmap before which there are at most so many states."""
    low, high = 0, len(ranks)
    while high - low > 1:
        middle = (low + high) >> 1
        if ranks[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@jit_plain
def list_keys(places: Places, start: int, keys: Longs) -> None:
    """Fill the array with the keys of the states from this place on."""
    if not len(places.words):
        for number in range(len(keys)):  # a slice would take seconds to compile
            keys[number] = places.keys[start + number]
        return
    block = _block_of(places.ranks, start)
    at, skipped, listed = block * BLOCK_WORDS, start - whole(places.ranks[block]), 0
    while listed < len(keys):
        word = places.words[at]
        if skipped:
            inside = count_bits(word)
            if skipped >= inside:
                word = 0
                skipped -= inside
            else:
                while skipped:
                    word &= word - 1
                    skipped -= 1
        while word and listed < len(keys):
            keys[listed] = at * WORD_BITS + count_bits((word & -word) - 1)
            word &= word - 1
            listed += 1
        at += 1


@jit_plain
def _rank(words: Longs, ranks: Words) -> int:
    """Set for each block how many bits are set before it. Return how many are set in all."""
    total = 0
    for block in range(len(ranks)):
        ranks[block] = total
        for at in range(block * BLOCK_WORDS, (block + 1) * BLOCK_WORDS):
            total += count_bits(words[at])
    return total


def new_bitmap(keys: int) -> Longs:
    """Return an empty bitmap of whole blocks."""
    return np.zeros((keys >> BLOCK_SHIFT) * BLOCK_WORDS + BLOCK_WORDS, np.int64)


def bitmap_places(words: Longs) -> Places:
    """Return the places of the states whose keys are in the bitmap."""
    ranks = np.empty(len(words) // BLOCK_WORDS, np.uint32)
    _rank(words, ranks)
    return Places(words, ranks, np.empty(0, np.int64), np.empty(0, np.uint32), 0)


def sorted_places(keys: Longs, count: int) -> Places:
    """Return the places of states with these sorted keys; `count` keys are possible."""
    shift = 0
    while count >> shift > len(keys) // KEYS_PER_ENTRY + 1:
        shift += 1
    bounds = np.arange((count - 1 >> shift) + 2, dtype=np.int64) << shift
    directory = np.searchsorted(keys, bounds).astype(np.uint32)
    return Places(np.empty(0, np.int64), np.empty(0, np.uint32), keys, directory, shift)


def is_dense(keys: int, states: int) -> bool:
    """Return True if the states are better held as a bitmap."""
    return keys <= KEYS_PER_STATE * states
