"""Chunks of states in compiled code: states beside one another whose moves are listed together, by one thread."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.game import AnyGame
from duelbook.solve.exploration import NOTHING, Explored
from duelbook.solve.keyset import Longs, list_keys
from duelbook.solve.solution import ENDLESS
from duelbook.solve.successors import COUNTS, DONE, Bytes, Ints, packing_array, visit

CHUNK_MOVES = 1 << 16  # about as many moves are listed together
MIN_CHUNK_STATES = 16


class Chunk(NamedTuple):
    """Some states of a component that stand beside one another."""

    place: int  # of the first one among all states
    local: int  # its number in the component
    states: int


class Listed(NamedTuple):
    """The moves from some states, and which states these are."""

    children: Longs  # each is twice the key after a move, plus one if the same player moves again
    ends: Ints  # where the children of each state end
    outcomes: Bytes  # the kinds of the outcomes, or OPEN
    states: Longs  # their numbers in the component


class MoveLister:
    """Lists the moves from states that were found before."""

    def __init__(self, game: AnyGame, explored: Explored) -> None:
        self._game, self._explored = game, explored
        self._columns = packing_array(explored.packing)
        self.chunk_states = max(MIN_CHUNK_STATES, CHUNK_MOVES // game.num_moves)

    def list_chunk(self, chunk: Chunk, codes: npt.NDArray[Any] | None = None) -> Listed:
        """Return the moves from the states of a chunk; with the codes of the component, only from those still open."""
        keys = np.empty(chunk.states, np.int64)
        list_keys(self._explored.places, chunk.place, keys)
        states = np.arange(chunk.local, chunk.local + chunk.states)
        if codes is not None:
            is_open = codes[chunk.local : chunk.local + chunk.states] == ENDLESS
            keys, states = keys[is_open], states[is_open]
        return self.list_moves(keys, states)

    def list_moves(self, keys: Longs, states: Longs) -> Listed:
        """Return the moves from the states with these keys and numbers."""
        found = Listed(
            np.empty(len(keys) * self._game.num_moves, np.int64),
            np.empty(len(keys), np.int32),
            np.empty(len(keys), np.uint8),
            states,
        )
        status = visit(
            self._game,
            self._columns,
            np.empty(self._columns.shape[1], np.int64),
            keys,
            len(keys),
            0,
            0,
            NOTHING,
            NOTHING,
            self._explored.cells,
            found.children,
            found.ends,
            found.outcomes,
            np.zeros(COUNTS, np.int64),
        )
        assert status == DONE  # these states were visited before
        return found
