"""The second half of the compiled solver: retrograde analysis of one component after another, by all cores at once.

What is known of later components does not change, so only the moves inside a component are stored, each once: from the
state after it to the state before it. If they need too much memory, `sweeps` first finds the states that need none. A
level is all states with the same remoteness; levels follow one another, and the order inside a level does not matter,
so that any number of threads gives the same values.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from duelbook.game import AnyGame
from duelbook.solve.budget import TooLargeError
from duelbook.solve.chunks import Chunk, MoveLister
from duelbook.solve.components import components
from duelbook.solve.exploration import Explored
from duelbook.solve.keyset import Words, find
from duelbook.solve.levels import (
    FINISHED,
    HEAD,
    LEVEL,
    NEVER,
    OUTSIDE,
    PAUSE,
    SETTLE,
    SPREAD,
    TOO_LONG,
    Codes,
    TooLongError,
    Work,
    advance,
    fill,
    fill_stored,
    find_draws,
    link,
    next_level,
    settle,
    spread,
)
from duelbook.solve.progress import Meter, Stage
from duelbook.solve.solution import DRAW, ENDLESS, WIN
from duelbook.solve.successors import Ints
from duelbook.solve.sweeps import Sweeps
from duelbook.solve.threads import Threads

T = TypeVar("T")
R = TypeVar("R")

MANY_STATES = 1 << 14  # so many are shared among the threads
TASKS_PER_THREAD = 8  # between two reports
LEVEL_QUOTA = 1 << 17  # states after which levels are interrupted to report
SPARE_BYTES = 32_000_000  # below this, memory does not matter
STATE_BYTES = 47  # sweeps go on until all memory is below this, per state
MAX_SWEEPS = 24  # after so many over all states, memory may be used up to the budget
STORED_STATE_BYTES = 44  # moves are also stored in their own direction as long as all memory is below this, per state

MAX_SHORT = 1 << 15  # legal moves
MAX_STATES, MAX_MOVES = 1 << 31, 1 << 32  # of a component


class Analysis:
    """The codes of all states of a game, found component by component.

    `stores_moves` says whether moves are also stored in their own direction, so that they are computed once instead of
    twice. By default they are while that needs little memory.
    """

    def __init__(
        self,
        game: AnyGame,
        explored: Explored,
        threads: Threads,
        meter: Meter,
        kind: type[np.signedinteger[Any]] = np.int16,
        stores_moves: bool | None = None,
        lister: MoveLister | None = None,
    ) -> None:
        self._game, self._explored, self._threads, self._meter = game, explored, threads, meter
        self._lister = lister or MoveLister(game, explored)
        self._codes: Codes = np.full(explored.states, ENDLESS, kind)
        self._offsets = np.full(len(explored.cells.moves), OUTSIDE, np.int64)  # from places to numbers in the component
        self._stores_moves = stores_moves
        self._longest = 0  # the highest remoteness so far
        self._finished = self._parts = 0  # states and components
        self._known = self._sweeps = 0  # states and sweeps of the component that is being solved

    def run(self) -> Codes:
        """Return the codes of all states in order. Raise TooLongError if a remoteness is too high for them."""
        cells, states = self._explored.cells, self._explored.states
        bounds = [find(self._explored.places, cell * cells.size) for cell in range(len(cells.moves))]
        bounds.append(states)
        step = self._lister.chunk_states
        for members in components(cells.moves):
            chunks: list[Chunk] = []
            size = 0
            for cell in members:
                start, end = bounds[cell], bounds[cell + 1]
                self._offsets[cell] = size - start
                chunks += [
                    Chunk(place, size + place - start, min(step, end - place)) for place in range(start, end, step)
                ]
                size += end - start
            if size:
                self._solve(chunks, size)
            self._offsets[members] = OUTSIDE
        return self._codes

    def _solve(self, chunks: list[Chunk], size: int) -> None:
        """Find the codes of one component."""
        codes: Codes = np.full(size, ENDLESS, self._codes.dtype)
        moves = self._explored.edges * size // self._explored.states
        if self._needed(size, moves) <= min(self._meter.budget_bytes, max(SPARE_BYTES, self._compact_bytes())):
            self._solve_stored(chunks, codes, WIN, is_begun=False)
        else:
            kind = self._sweep(chunks, codes)
            if kind is not None:
                self._solve_stored(chunks, codes, kind, is_begun=True)
        for chunk in chunks:
            self._codes[chunk.place : chunk.place + chunk.states] = codes[chunk.local : chunk.local + chunk.states]
        self._finished += size
        self._parts += 1
        self._known = 0

    def _sweep(self, chunks: list[Chunk], codes: Codes) -> int | None:
        """Find codes of a component until its moves fit into the memory. Return the kind to go on with, if any."""
        size = len(codes)
        self._meter.use(self._places_bytes() + codes.nbytes + size // 2, self._explored.states)

        def fits(moves: int, times: float) -> bool:
            self._known = sweeps.found
            self._sweeps += 1
            needed = self._needed(size, moves)
            return needed <= self._meter.budget_bytes and (needed <= self._compact_bytes() or times > MAX_SWEEPS)

        sweeps = Sweeps(self._lister, self._explored, chunks, codes, self._codes, self._offsets, self._each, fits)
        kind = sweeps.run()
        self._longest = max(self._longest, sweeps.level)
        return kind

    def _solve_stored(self, chunks: list[Chunk], codes: Codes, first_kind: int, is_begun: bool) -> None:
        """Find the codes of a component level by level, with its moves stored; some codes are known if it is begun."""
        size = len(codes)
        self._use(size, 0)
        work = Work(
            codes=codes,
            left=np.empty(size, np.int16 if self._game.num_moves < MAX_SHORT else np.int32),
            due=np.full(size, NEVER, codes.dtype),
            ends=np.zeros(size + 1, np.uint32),
            queue=np.empty(size, np.uint32),
            tail=np.zeros(1, np.int64),
            schedule=np.zeros(self._longest + 3, np.uint8),
            cursor=np.zeros(2, np.int64),
            is_begun=is_begun,
        )
        known = self._known
        stored = self._each(partial(self._link, work, not is_begun and self._has_room_for_both(size)), chunks)
        inside = int(work.ends.sum(dtype=np.int64))
        if size >= MAX_STATES or inside >= MAX_MOVES:
            raise TooLargeError(self._explored.states)
        np.cumsum(work.ends, dtype=np.uint32, out=work.ends)
        self._use(size, inside * (1 if stored[0] is None else 2))
        parents = np.empty(inside, np.uint32)
        self._each(partial(self._fill, work, parents), list(zip(chunks, stored, strict=True)))
        del stored
        self._use(size, inside)
        if first_kind == WIN:
            self._run_levels(work, parents, WIN, known)
        if self._explored.has_draws and known + work.tail[0] < size:
            work.due[:] = NEVER
            work.schedule[:] = 0
            self._each(partial(self._find_draws, work), chunks)
            work.cursor[:] = 0, work.tail[0]
            self._run_levels(work, parents, DRAW, known)

    def _has_room_for_both(self, size: int) -> bool:
        """Return True if moves are also stored in their own direction."""
        if self._stores_moves is not None:
            return self._stores_moves
        moves = self._explored.edges * size // self._explored.states
        fits = self._needed(size, 2 * moves) < STORED_STATE_BYTES * self._explored.states
        return fits and self._needed(size, 3 * moves) < self._meter.budget_bytes  # the component may have more

    def _places_bytes(self) -> int:
        return self._explored.places.memory_bytes() + self._codes.nbytes

    def _compact_bytes(self) -> int:
        return STATE_BYTES * self._explored.states

    def _needed(self, size: int, moves: int) -> int:
        """Return the bytes that a component of this size takes, with all that is there already."""
        each = 2 * self._codes.itemsize + 2 + 4 + 4  # codes, due, left, ends, queue
        return self._places_bytes() + each * size + 4 * moves

    def _use(self, size: int, moves: int) -> None:
        self._meter.use(self._needed(size, moves), self._explored.states)

    def _each(self, task: Callable[[T], R], items: list[T]) -> list[R]:
        """Return the results of a task for each item, and report now and then."""
        results: list[R] = []
        step = TASKS_PER_THREAD * self._threads.count
        for start in range(0, len(items), step):
            results += self._threads.run([partial(task, item) for item in items[start : start + step]])
            self._report()
        return results

    def _report(self) -> None:
        passes = self._parts + self._sweeps
        self._meter.report(Stage.ANALYSING, self._explored.states, self._finished + self._known, passes)

    def _link(self, work: Work, stores: bool, chunk: Chunk) -> tuple[Words, Ints] | None:
        """Look at the moves of a chunk for the first time; return those inside the component if they are stored."""
        found = self._lister.list_chunk(chunk, work.codes if work.is_begun else None)
        kept = np.empty(found.ends[-1] if stores else 0, np.uint32)
        kept_ends = np.empty(len(found.states), np.int32)
        used = link(
            work,
            *found,
            self._explored.places,
            self._codes,
            self._explored.cells.size,
            self._offsets,
            kept,
            kept_ends,
        )
        return (kept[:used].copy(), kept_ends) if stores else None

    def _fill(self, work: Work, parents: Words, item: tuple[Chunk, tuple[Words, Ints] | None]) -> None:
        """Store the moves of a chunk in reverse."""
        chunk, stored = item
        if stored:
            fill_stored(work.ends, parents, *stored, chunk.local)
            return
        found = self._lister.list_chunk(chunk, work.codes if work.is_begun else None)
        fill(work, parents, *found, self._explored.places, self._explored.cells.size, self._offsets)

    def _find_draws(self, work: Work, chunk: Chunk) -> None:
        """Find what the open states of a chunk can draw by a move to a state that is drawn."""
        if (work.codes[chunk.local : chunk.local + chunk.states] == ENDLESS).any():
            found = self._lister.list_chunk(chunk, work.codes)
            cell_size = self._explored.cells.size
            find_draws(work, *found, self._explored.places, self._codes, cell_size, self._offsets)

    def _run_levels(self, work: Work, parents: Words, kind: int, known: int) -> None:
        """Work back from the states whose codes are known, level by level."""
        size, cursor, highest = len(work.codes), work.cursor, int(np.iinfo(work.codes.dtype).max)
        reason = PAUSE
        while reason != FINISHED:
            reason = advance(work, parents, kind, LEVEL_QUOTA, MANY_STATES, highest)
            if reason == TOO_LONG:
                raise TooLongError
            if reason == SETTLE:
                level = int(cursor[LEVEL])
                self._threads.run([partial(settle, work, level, kind, *part) for part in self._split(0, size)])
                work.schedule[level] = 0
            if reason == SPREAD:
                level, head, tail = int(cursor[LEVEL]), int(cursor[HEAD]), int(work.tail[0])
                self._threads.run([partial(spread, work, parents, level, *part) for part in self._split(head, tail)])
                cursor[HEAD] = tail
                reason = reason if next_level(work) else FINISHED
            self._known = known + int(work.tail[0])
            self._report()
        self._longest = max(self._longest, int(cursor[LEVEL]))

    def _split(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return parts of a range for the threads."""
        step = max(MANY_STATES, -(-(end - start) // (TASKS_PER_THREAD * self._threads.count)))
        return [(at, min(end, at + step)) for at in range(start, end, step)]
