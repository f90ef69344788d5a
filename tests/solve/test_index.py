"""States as keys, and the places of keys: each state has a key and a place of its own, and others have none."""

from array import array
from itertools import product

import pytest

from duelbook.solve.index import BLOCK_WORDS, WORD_BITS, BitmapIndex, PackedIndex, SortedIndex, ranks_of
from duelbook.solve.packing import Packing

PACKING = Packing(lows=(1, -2), sizes=(30, 50), order=(1, 0))
KEYS = [key for key in range(PACKING.keys()) if key % 3 == 0 or key % 64 == 63]


def sorted_keys() -> PackedIndex:
    return SortedIndex(PACKING, array("q", KEYS))


def bitmap() -> PackedIndex:
    words = [0] * BLOCK_WORDS * -(-PACKING.keys() // (BLOCK_WORDS * WORD_BITS))
    for key in KEYS:
        words[key // WORD_BITS] |= 1 << key % WORD_BITS
    return BitmapIndex(PACKING, words, ranks_of(words))


def test_every_state_has_a_key_of_its_own_from_which_it_is_found_again() -> None:
    states = list(product(range(-2, 48), range(1, 31)))
    assert [PACKING.pack((own, other)) for other, own in states] == list(range(PACKING.keys()))
    assert [PACKING.unpack(key) for key in range(PACKING.keys())] == [(own, other) for other, own in states]


@pytest.mark.parametrize("state", [(0, 0), (31, 0), (1, -3), (1, 48), (1,), (1, 0, 0)])
def test_a_state_that_does_not_fit_has_no_key(state: tuple[int, ...]) -> None:
    with pytest.raises(KeyError):
        PACKING.pack(state)


@pytest.mark.parametrize("index", [sorted_keys(), bitmap()], ids=["sorted keys", "bitmap"])
def test_a_state_is_found_at_its_place_and_another_one_nowhere(index: PackedIndex) -> None:
    assert list(index.keys()) == KEYS
    assert [index[PACKING.unpack(key)] for key in KEYS] == list(range(len(KEYS)))
    for key in {*range(PACKING.keys())} - {*KEYS}:
        with pytest.raises(KeyError):
            index[PACKING.unpack(key)]
