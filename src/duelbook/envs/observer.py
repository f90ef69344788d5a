"""States as vectors: the same for every library."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.features import features_of, numbers_of, seat_options
from duelbook.game import AnyGame, Move

Vector = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
Longs = npt.NDArray[np.int64]


class Observer:
    """Answers what a learner sees of a state, from the mover's point of view."""

    def __init__(self, game: AnyGame) -> None:
        features = features_of(game)
        elements = [(feature.number, *element) for feature in features for element in feature.elements]
        lengths = [len(feature.elements) for feature in features]
        self.game = game
        self.seat_options = np.array([seat_options(game, 0), seat_options(game, 1)], np.int64)
        self.numbers, self.shifts, self.masks, self.symbols = np.array(elements, np.int64).T.copy()
        self.low = np.repeat(np.array([feature.low for feature in features], np.float32), lengths)
        self.high = np.repeat(np.array([feature.high for feature in features], np.float32), lengths)

    def row(self, state: Any) -> Longs:
        """Answer all numbers that the vector comes from."""
        return np.array([*numbers_of(state), *self.seat_options[self.game.mover(state)]], np.int64)

    def __call__(self, state: Any) -> Vector:
        found = self.row(state)[self.numbers] >> self.shifts & self.masks
        seen: Vector = np.where(self.symbols < 0, found, found == self.symbols).astype(np.float32)
        return seen


def state_of(like: Any, numbers: Iterator[int]) -> Any:
    """Answer the state of the same make as the other that has these numbers."""
    parts = [state_of(part, numbers) if isinstance(part, tuple) else next(numbers) for part in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def mask_of(game: AnyGame, moves: Iterable[Move]) -> Mask:
    """Answer a 1 for each of the moves, and 0 for all others."""
    mask = np.zeros(game.num_moves, np.int8)
    mask[list(moves)] = 1
    return mask
