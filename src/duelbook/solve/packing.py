"""States as single whole numbers: the numbers of a state are the digits of its key."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod
from operator import lt, mul, sub
from typing import Any

from duelbook.features import Feature, features_of, numbers_of
from duelbook.game import AnyGame, canonical_or_same
from duelbook.solve.budget import NOT_INSTALLED, NotCompiledError, has_fast

MAX_BITS = 62  # keys are signed 64-bit numbers, with one bit to spare
MAX_KEY = 1 << MAX_BITS
TOO_WIDE = f"its states need more than {MAX_BITS} bits"
SAMPLE_GAMES = 20  # random games that show how large the numbers of a state become
SAMPLE_PLIES = 200


@dataclass(frozen=True)
class Packing:
    """How the numbers of a state become one key: for each its lowest value, and how many values it has.

    `order` lists the numbers from the most to the least significant digit of a key.
    """

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    order: tuple[int, ...] = ()
    strides: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if not self.order:
            object.__setattr__(self, "order", tuple(range(len(self.lows))))
        strides = [0] * len(self.lows)
        stride = 1
        for number in reversed(self.order):
            strides[number] = stride
            stride *= self.sizes[number]
        object.__setattr__(self, "strides", tuple(strides))

    def keys(self) -> int:
        """Return how many keys there are, from 0 on. Most of them may belong to no state."""
        return prod(self.sizes)

    def bits(self) -> int:
        """Return how many bits a key takes."""
        return (self.keys() - 1).bit_length()

    def fits(self) -> bool:
        """Return True if every key is a 62-bit number."""
        return self.keys() <= MAX_KEY

    def pack(self, state: Any) -> int:
        """Return the key of the state, or raise KeyError if it has none."""
        digits = list(map(sub, numbers := numbers_of(state), self.lows))
        if len(numbers) != len(self.lows) or min(digits, default=0) < 0 or not all(map(lt, digits, self.sizes)):
            raise KeyError(state)
        return sum(map(mul, digits, self.strides))

    def unpack(self, key: int) -> tuple[int, ...]:
        """Return the numbers of the state with this key."""
        spans = zip(self.lows, self.sizes, self.strides, strict=True)
        return tuple(low + key // stride % size for low, size, stride in spans)

    def widened(self, numbers: Sequence[int]) -> "Packing":
        """Return a packing with room for these numbers as well, and some more room in the same direction."""
        spans = [_widened(*span) for span in zip(numbers, self.lows, self.sizes, strict=True)]
        return replace(self, lows=tuple(low for low, _ in spans), sizes=tuple(size for _, size in spans))


def _widened(number: int, low: int, size: int) -> tuple[int, int]:
    if number < low:
        return (wider := low - max(low - number, size)), low + size - wider
    return low, (max(number - low + 1, 2 * size) if number >= low + size else size)


def tight_packing(rows: Iterable[Sequence[int]]) -> Packing:
    """Return the packing with room for these numbers of states, and no other ones."""
    lows: list[int] = []
    highs: list[int] = []
    for row in rows:
        lows = [low if low < number else number for low, number in zip(lows or row, row, strict=True)]
        highs = [high if high > number else number for high, number in zip(highs or row, row, strict=True)]
    return Packing(tuple(lows), tuple(high - low + 1 for low, high in zip(lows, highs, strict=True)))


def check_packable(game: AnyGame) -> None:
    """Raise NotCompiledError if states cannot be packed, as far as a few games show, or the extra `fast` is missing."""
    if hasattr(game, "class_table"):
        raise NotCompiledError("its `canonical` does not compile")
    if not is_whole(game.initial()):
        raise NotCompiledError("its states do not consist of whole numbers")
    if not expected_packing(game).fits():
        raise NotCompiledError(TOO_WIDE)
    if not has_fast():  # last, so that nobody installs it in vain
        raise NotCompiledError(NOT_INSTALLED)


def is_whole(state: Any) -> bool:
    """Return True if the state consists of whole numbers and tuples of them."""
    if isinstance(state, tuple):
        return all(map(is_whole, state))
    return type(state) is int


@lru_cache(maxsize=8)
def expected_packing(game: AnyGame) -> Packing:
    """Return a packing with room for the states of a few random games, and for what the game declares of its states."""
    form = canonical_or_same(game)
    sampled = tight_packing(tuple(numbers_of(form(state))) for state in sampled_states(game))
    spans = [
        (low, low + size - 1)
        if (span := _declared(feature)) is None
        else (min(low, span[0]), max(low + size - 1, span[1]))
        for low, size, feature in zip(sampled.lows, sampled.sizes, features_of(game), strict=False)
    ]
    declared = tight_packing([tuple(low for low, _ in spans), tuple(high for _, high in spans)])
    return declared if declared.fits() else sampled


def _declared(feature: Feature) -> tuple[int, int] | None:
    """Return the range of a number of the state, if its feature declares one that is not too wide."""
    first, *others = feature.elements
    if others and first.mask == 1:  # a set of things
        return 0, (1 << len(feature.elements)) - 1
    return (feature.low, feature.high) if not others and feature.high < MAX_KEY else None


def sampled_states(game: AnyGame) -> Iterable[Any]:
    """Return the states of a few random games."""
    rng = random.Random(0)
    for _ in range(SAMPLE_GAMES):
        state = game.initial()
        for _ in range(SAMPLE_PLIES):
            yield state
            legal = list(game.legal_moves(state))
            if not legal:
                break
            state = game.play(state, rng.choice(legal))
