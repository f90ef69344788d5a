"""The first half of the compiled solver: all states that play can reach, found by all cores at once."""

from functools import partial
from typing import NamedTuple

import numpy as np

from duelbook.contract import BrokenRulesError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, canonical_start
from duelbook.solve.budget import TooLargeError
from duelbook.solve.keyset import (
    EMPTY,
    SMALL_BITMAP,
    Longs,
    Places,
    bitmap_places,
    insert,
    insert_all,
    is_dense,
    list_keys,
    new_bitmap,
    sorted_places,
)
from duelbook.solve.packing import Packing
from duelbook.solve.progress import Meter, Stage
from duelbook.solve.successors import (
    BROKEN,
    COUNTS,
    DRAWS,
    EDGES,
    MISFIT,
    REPEATS,
    UNDECIDED,
    VISITED,
    WAITING,
    Cells,
    packing_array,
    visit,
    widen,
)
from duelbook.solve.threads import Threads

QUOTA = 1 << 14  # states that a thread visits before it reports
STACK = 1 << 13  # states that a thread holds, and some more
INITIAL_SLOTS = 1 << 17  # of the hash table
MAX_LOAD = 0.7
CHUNK = 1 << 16  # keys that are looked at together
NOTHING: Longs = np.empty(0, np.int64)
NO_ENDS = np.empty(0, np.int32)
NO_OUTCOMES = np.empty(0, np.uint8)


class MisfitError(Exception):
    """A state has numbers that are outside the packing."""

    def __init__(self, row: list[int]) -> None:
        super().__init__(row)
        self.row = row


class Explored(NamedTuple):
    """All states that play can reach."""

    packing: Packing
    places: Places
    cells: Cells
    states: int
    undecided: int
    edges: int
    extra_turns: bool
    has_draws: bool


class Exploration:
    """A search for all states of a game with a packing of its states."""

    def __init__(
        self, game: AnyGame, packing: Packing, cell_size: int, threads: Threads, meter: Meter, limit: int | None
    ) -> None:
        self._game, self._packing, self._threads, self._meter, self._limit = game, packing, threads, meter, limit
        self._columns = packing_array(packing)
        cells = -(-packing.keys() // cell_size)
        self._cells = Cells(cell_size, np.zeros((cells, cells), np.uint8))
        self._counts = np.zeros(COUNTS, np.int64)
        dense = packing.keys() <= SMALL_BITMAP
        self._words = new_bitmap(packing.keys()) if dense else NOTHING
        self._table = NOTHING if dense else np.full(INITIAL_SLOTS, EMPTY, np.int64)

    def run(self) -> Explored:
        """Return all states. Raise MisfitError if a state does not fit into the packing."""
        first = canonical_start(self._game)
        try:
            start = self._packing.pack(first)
        except KeyError:
            raise MisfitError(list(numbers_of(first))) from None
        insert(self._words, self._table, start)
        states, waiting = 1, [np.array([start], np.int64)]
        while waiting:
            self._make_room(states)
            chosen = waiting[-self._threads.count :]
            del waiting[-self._threads.count :]
            if len(chosen) < self._threads.count and len(chosen[0]) > 1:
                chosen = [*np.array_split(chosen[0], 2), *chosen[1:]]  # so that every thread has some work
            for stack, counts in self._threads.run([partial(self._visit, stack) for stack in chosen]):
                self._counts += counts
                if len(stack):
                    waiting.append(stack)
            states = int(self._counts[VISITED]) + sum(map(len, waiting))
            if self._limit is not None and states > self._limit:
                raise TooLargeError(self._limit)
            self._meter.report(Stage.EXPLORING, states)
        places = self._places(states)
        counts = self._counts
        return Explored(
            self._packing,
            places,
            self._cells,
            states,
            int(counts[UNDECIDED]),
            int(counts[EDGES]),
            bool(counts[REPEATS]),
            bool(counts[DRAWS]),
        )

    def _visit(self, waiting: Longs) -> tuple[Longs, Longs]:
        """Visit states from a stack on; return what is left of the stack, and the counts."""
        keys = np.empty(len(waiting) + STACK + self._game.num_moves, np.int64)
        keys[: len(waiting)] = waiting
        row, counts = np.empty(self._columns.shape[1], np.int64), np.zeros(COUNTS, np.int64)
        status = visit(
            self._game,
            self._columns,
            row,
            keys,
            len(waiting),
            QUOTA,
            len(waiting) + STACK,
            self._words,
            self._table,
            self._cells,
            np.empty(self._game.num_moves, np.int64),
            NO_ENDS,
            NO_OUTCOMES,
            counts,
        )
        if status == MISFIT:
            raise MisfitError(row.tolist())
        if status == BROKEN:
            raise BrokenRulesError(self._game, "a position has legal moves and is decided, or neither.", None)
        return keys[: counts[WAITING]].copy(), counts

    def _make_room(self, states: int) -> None:
        """Enlarge the hash table before it gets too full, or replace it by a bitmap."""
        table, words = self._table, self._words
        self._meter.use(table.nbytes + words.nbytes, states)
        needed = (states + self._threads.count * (QUOTA + STACK)) / MAX_LOAD
        if len(words) or needed < len(table):
            return
        if is_dense(self._packing.keys(), states):
            self._words, self._table = new_bitmap(self._packing.keys()), NOTHING
        else:
            slots = 1 << int(needed).bit_length()
            self._meter.use(table.nbytes + 8 * slots, states)
            self._table = np.full(slots, EMPTY, np.int64)
        self._meter.use(table.nbytes + self._table.nbytes + self._words.nbytes, states)
        pieces = np.array_split(table, self._threads.count)
        self._threads.run([partial(insert_all, self._words, self._table, piece) for piece in pieces])

    def _places(self, states: int) -> Places:
        """Return the places of all states; they do not depend on the order in which states were found."""
        keys = self._packing.keys()
        if is_dense(keys, states):
            if not len(self._words):
                self._words = new_bitmap(keys)
                insert_all(self._words, NOTHING, self._table)
                self._table = NOTHING
            return bitmap_places(self._words)
        if len(self._words):
            found = np.empty(states, np.int64)
            list_keys(bitmap_places(self._words), 0, found)
        else:
            self._meter.use(self._table.nbytes + 8 * states, states)
            found = self._table[self._table != EMPTY]
            found.sort()
        self._words = self._table = NOTHING
        return sorted_places(found, keys)


def tightened(explored: Explored) -> Packing:
    """Return the packing with room for the states that were found, and no other ones."""
    columns = packing_array(explored.packing)
    fields = columns.shape[1]
    row, lows, highs = np.empty(fields, np.int64), np.full(fields, 1 << 62), np.full(fields, -(1 << 62))
    for start in range(0, explored.states, CHUNK):
        keys = np.empty(min(CHUNK, explored.states - start), np.int64)
        list_keys(explored.places, start, keys)
        widen(keys, columns, row, lows, highs)
    return Packing(tuple(lows.tolist()), tuple((highs - lows + 1).tolist()))
