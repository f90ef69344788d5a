"""Retrograde analysis that stores no moves: each level is a sweep over the open states, whose moves are listed again.

A sweep takes about as long as finding the states did. So sweeps go on only until the moves between states that are
still open fit into the memory, and they pass over states whose moves lead to nothing new.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from duelbook.compiled.kernel import jit_plain
from duelbook.solve.chunks import Chunk, MoveLister
from duelbook.solve.exploration import Explored
from duelbook.solve.keyset import Longs, Places, find, whole
from duelbook.solve.levels import OUTSIDE, UNKNOWN, Codes, TooLongError, for_parent
from duelbook.solve.solution import DRAW, ENDLESS, KIND_BITS, LOSS, WIN
from duelbook.solve.successors import OPEN, Bytes, Ints

MAX_GROUPS = 2048  # of states for which it is noted together whether something changed
FOUND, INSIDE, NEXT = 0, 1, 2  # what is counted for each chunk

Each = Callable[[Callable[[int], Any], list[int]], list[Any]]
Fits = Callable[[int, float], bool]


@jit_plain
def _value(kind: int, won: int, lost: int, drawn: int, left: int) -> tuple[int, int]:
    """Return the level and kind of a state from the levels of its moves; `left` counts those that do not lose."""
    if kind == DRAW:
        return drawn, DRAW
    if won != UNKNOWN:
        return won, WIN
    return (UNKNOWN if left else lost), LOSS


@jit_plain
def sweep(
    own_codes: Codes,
    children: Longs,
    ends: Ints,
    outcomes: Bytes,
    states: Longs,
    level: int,
    kind: int,
    places: Places,
    codes: Codes,
    cell_size: int,
    offsets: Longs,
    reached: Bytes,
    span: int,
    counts: Longs,
) -> None:
    """Set the codes of the open states of this level, which follow from codes of lower levels.

    `kind` is WIN for wins and losses, or DRAW. Count the states that were found and the moves to states that are open,
    and note the next level at which a move out of the component counts, and which groups of states are `reached`.
    """
    counts[FOUND], counts[INSIDE], counts[NEXT] = 0, 0, UNKNOWN
    at = 0
    for number in range(len(ends)):
        won, lost, drawn, left, inside = UNKNOWN, 0, UNKNOWN, 0, 0
        while at < ends[number]:
            entry = children[at]
            at += 1
            offset = offsets[(entry >> 1) // cell_size]
            child = find(places, entry >> 1)
            if offset == OUTSIDE:
                code = whole(codes[child])
            else:
                child += offset
                code = whole(own_codes[child])
                reached[child // span] = 1
                if code == ENDLESS or code >> KIND_BITS >= level:  # another thread may have just found it
                    inside += 1
                    left += 1
                    continue
            after, due = for_parent(code, entry), (code >> KIND_BITS) + 1
            left += after != LOSS
            if after == LOSS:
                lost = max(lost, due)
            elif after == WIN:
                won = min(won, due)
            elif after == DRAW:
                drawn = min(drawn, due)
        due, code = _value(kind, won, lost, drawn, left)
        if outcomes[number] != OPEN:
            due, code = 0, whole(outcomes[number])
        if due <= level:
            own_codes[states[number]] = due << KIND_BITS | code
            counts[FOUND] += 1
        else:
            counts[INSIDE] += inside
            counts[NEXT] = min(counts[NEXT], due)


class Sweeps:
    """The sweeps over one component.

    `each` does a task for each number of a list, on all threads. `fits` says whether so many moves fit into the memory;
    it is also given how often the states were swept.
    """

    def __init__(
        self,
        lister: MoveLister,
        explored: Explored,
        chunks: list[Chunk],
        own_codes: Codes,
        codes: Codes,
        offsets: Longs,
        each: Each,
        fits: Fits,
    ) -> None:
        self._lister, self._explored, self._chunks = lister, explored, chunks
        self._own_codes, self._codes, self._offsets = own_codes, codes, offsets
        self._each, self._fits = each, fits
        size = len(own_codes)
        groups = max(1, min(MAX_GROUPS, size // (2 * len(chunks))))  # so that this takes half a byte a state
        self._span = -(-size // groups)
        self._reached = np.zeros((len(chunks), groups), np.uint8)
        self._counts = np.zeros((len(chunks), 3), np.int64)
        self._swept = 0  # states
        self.found = self.level = 0  # states with a code, and the highest level so far

    def run(self) -> int | None:
        """Sweep until all codes are found, or the moves that are left fit. Return the kind to go on with, or None."""
        for kind in (WIN, DRAW) if self._explored.has_draws else (WIN,):
            if self._run(kind):
                return kind
        return None

    def _run(self, kind: int) -> bool:
        """Find the codes of a kind level by level. Return True once the moves that are left fit into the memory."""
        level, highest = int(kind == DRAW), int(np.iinfo(self._own_codes.dtype).max)
        chosen = list(range(len(self._chunks)))
        while True:
            if (level + 2) << KIND_BITS > highest:
                raise TooLongError
            self._counts[:, FOUND] = 0
            self._swept += sum(self._each(partial(self._sweep, level, kind), chosen))
            self.found += int(self._counts[:, FOUND].sum())
            self.level = max(self.level, level)
            if self._fits(int(self._counts[:, INSIDE].sum()), self._swept / len(self._own_codes)):
                return True
            changed = np.flatnonzero(self._counts[:, FOUND])
            level = level + 1 if len(changed) else int(self._counts[:, NEXT].min())
            if level >= UNKNOWN:
                return False
            is_chosen = self._counts[:, NEXT] <= level
            if len(changed):
                is_chosen |= self._reached[:, self._groups(changed)].any(axis=1)
            chosen = [int(number) for number in np.flatnonzero(is_chosen)]

    def _groups(self, changed: Longs) -> Longs:
        """Return the groups to which the states of these chunks belong."""
        spans = [
            np.arange(chunk.local // self._span, (chunk.local + chunk.states - 1) // self._span + 1)
            for chunk in map(self._chunks.__getitem__, changed)
        ]
        return np.unique(np.concatenate(spans))

    def _sweep(self, level: int, kind: int, number: int) -> int:
        """Sweep over the open states of a chunk, and return how many there were."""
        listed = self._lister.list_chunk(self._chunks[number], self._own_codes)
        sweep(
            self._own_codes,
            *listed,
            level,
            kind,
            self._explored.places,
            self._codes,
            self._explored.cells.size,
            self._offsets,
            self._reached[number],
            self._span,
            self._counts[number],
        )
        return len(listed.states)
