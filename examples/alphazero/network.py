"""The network: from a state to a score for every move and a value for the player to move. It needs numpy only."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.features import ALL_BITS, NO_SYMBOL, features_of, numbers_of
from duelbook.game import AnyGame

Floats = npt.NDArray[np.float32]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Layers = list[tuple[Any, Any]]  # the weights and the biases of each layer, from the inputs to the outputs

TRAINED = Path(__file__).with_name("trained")  # the networks that come with the example
HIDDEN = (192, 192)  # the units of each hidden layer
CHUNK = 16_384  # states that are evaluated together, so that they fit into the cache


def forward(layers: Layers, inputs: Any) -> tuple[Any, Any]:
    """Return the scores of all moves, whose softmax is the policy, and the values.

    The arrays may be numpy's, to play, or JAX's, to learn.
    """
    for weights, biases in layers[:-1]:
        inputs = (inputs @ weights + biases).clip(0)
    weights, biases = layers[-1]
    outputs = inputs @ weights + biases
    return outputs[:, :-1], outputs[:, -1]


class Network:
    """A network for one game."""

    def __init__(self, game: AnyGame, layers: Layers) -> None:
        self.game = game
        self.layers = layers
        self.encode = Encoder(game)

    @classmethod
    def new(cls, game: AnyGame, rng: np.random.Generator) -> "Network":
        """Return a network with random weights whose outputs are 0 for every state."""
        sizes = (len(Encoder(game)), *HIDDEN, game.num_moves + 1)
        layers = [
            (rng.normal(0, (2 / size) ** 0.5, (size, following)).astype(np.float32), np.zeros(following, np.float32))
            for size, following in pairwise(sizes)
        ]
        layers[-1][0][:] = 0
        return cls(game, layers)

    @classmethod
    def load(cls, game: AnyGame, path: Path) -> "Network":
        """Return the network in this file."""
        with np.load(path) as saved:
            arrays = [saved[name].astype(np.float32) for name in saved.files]
        return cls(game, list(zip(arrays[::2], arrays[1::2], strict=True)))

    def save(self, path: Path) -> None:
        """Save the network, with 16 bits for each number."""
        np.savez_compressed(path, *[array.astype(np.float16) for layer in self.layers for array in layer])

    def evaluate(self, rows: Longs) -> tuple[Floats, Floats]:
        """Return the scores of all moves and the value for the mover, for each state."""
        scores, values = forward(self.layers, self.encode(rows))
        return scores, values.clip(-1, 1)

    def moves(self, rows: Longs, legal: Flags) -> Longs:
        """Return the legal move with the best score, without any search, for each state."""
        scores = [self.evaluate(rows[start : start + CHUNK])[0] for start in range(0, len(rows), CHUNK)]
        best: Longs = np.where(legal, np.concatenate(scores), -np.inf).argmax(axis=1)
        return best


class Encoder:
    """Turns states into inputs: 1 for each statement that is true, such as `mine.points == 7`, and 0 for all others."""

    def __init__(self, game: AnyGame) -> None:
        statements = [
            (feature.number, element.shift, element.mask, value)
            for feature in features_of(game)
            for element in feature.elements
            for value in _told_apart(element.mask, element.symbol, feature.low, feature.high)
        ]
        self._numbers, self._shifts, self._masks, self._values = np.array(statements, np.int64).T.copy()

    def __call__(self, rows: Longs) -> Floats:
        inputs: Floats = (rows[:, self._numbers] >> self._shifts & self._masks == self._values).astype(np.float32)
        return inputs

    def __len__(self) -> int:
        return len(self._values)


def _told_apart(mask: int, symbol: int, low: int, high: int) -> range:
    """Return the values of an element that have an input each: all of a number, but only 1 of a bit."""
    if symbol != NO_SYMBOL:
        return range(symbol, symbol + 1)
    return range(low, high + 1) if mask == ALL_BITS else range(1, 2)


def as_rows(states: list[Any]) -> Longs:
    """Return the numbers of each state as a row."""
    return np.array([[*numbers_of(state)] for state in states], np.int64)
