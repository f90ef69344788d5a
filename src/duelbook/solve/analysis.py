"""The second half of the compiled solver: retrograde analysis of one component after another, by all cores at once.

What is known of later components does not change, so only the moves inside a component are stored, each once: from the
state after it to the state before it. A level is all states with the same remoteness; levels follow one another, and
the order inside a level does not matter, so that any number of threads gives the same values.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from duelbook.compiled.atomic import atomic_add, compare_and_swap
from duelbook.compiled.kernel import jit_plain
from duelbook.game import AnyGame
from duelbook.solve.budget import TooLargeError
from duelbook.solve.components import components
from duelbook.solve.exploration import NOTHING, Explored
from duelbook.solve.keyset import Longs, Places, Words, find, list_keys, whole
from duelbook.solve.progress import Meter, Stage
from duelbook.solve.solution import DRAW, ENDLESS, KIND_BITS, KIND_MASK, LOSS, WIN
from duelbook.solve.successors import COUNTS, DONE, OPEN, Bytes, Ints, packing_array, visit
from duelbook.solve.threads import Threads

T = TypeVar("T")
R = TypeVar("R")
Codes = npt.NDArray[Any]  # of int16, or int32 if games are long

CHUNK_MOVES = 1 << 16  # about as many moves are looked at together
MANY_STATES = 1 << 14  # so many are shared among the threads
TASKS_PER_THREAD = 8  # between two reports
LEVEL_QUOTA = 1 << 17  # states after which levels are interrupted to report
STORED_STATE_BYTES = 44  # moves are also stored in their own direction as long as all memory is below this, per state

MAX_SHORT = 1 << 15  # legal moves
MAX_STATES, MAX_MOVES = 1 << 31, 1 << 32  # of a component

OUTSIDE = -(1 << 62)  # the offset of a cell in another component
NEVER = -1
UNKNOWN = 1 << 60  # a level
FINISHED, SETTLE, SPREAD, PAUSE, TOO_LONG = 0, 1, 2, 3, 4  # why levels are interrupted
LEVEL, HEAD = 0, 1


class Work(NamedTuple):
    """The states of a component, numbered from 0."""

    codes: Codes  # as in a solution; ENDLESS while they are not known
    left: Ints  # moves that may still be better than a loss
    due: Codes  # what moves out of the component lead to: won by this level, NEVER, or (-2 - level) lost not before it
    ends: Words  # where the parents of each state begin; while they are collected, where they end
    queue: Words  # the states whose codes are known, by level
    tail: Longs  # how many there are
    schedule: Bytes  # 1 for each level at which some state is due
    cursor: Longs  # the current level, and the first state in the queue that belongs to it


class TooLongError(Exception):
    """A game can last longer than the codes can tell."""


class Chunk(NamedTuple):
    """Some states of a component that stand beside one another."""

    place: int  # of the first one among all states
    local: int  # its number in the component
    states: int


class Visited(NamedTuple):
    """The moves from the states of a chunk."""

    children: Longs
    ends: Ints
    outcomes: Bytes


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
    ) -> None:
        self._game, self._explored, self._threads, self._meter = game, explored, threads, meter
        self._columns = packing_array(explored.packing)
        self._codes: Codes = np.empty(explored.states, kind)
        self._offsets = np.full(len(explored.cells.moves), OUTSIDE, np.int64)  # from places to numbers in the component
        self._stores_moves = stores_moves
        self._chunk_states = max(16, CHUNK_MOVES // game.num_moves)
        self._longest = 0  # the highest remoteness so far
        self._finished = self._parts = 0  # states and components

    def run(self) -> Codes:
        """Return the codes of all states in order. Raise TooLongError if a remoteness is too high for them."""
        cells, states = self._explored.cells, self._explored.states
        bounds = [find(self._explored.places, cell * cells.size) for cell in range(len(cells.moves))]
        bounds.append(states)
        for members in components(cells.moves):
            chunks: list[Chunk] = []
            size = 0
            for cell in members:
                start, end = bounds[cell], bounds[cell + 1]
                self._offsets[cell] = size - start
                chunks += [
                    Chunk(place, size + place - start, min(self._chunk_states, end - place))
                    for place in range(start, end, self._chunk_states)
                ]
                size += end - start
            if size:
                self._solve(chunks, size)
            self._offsets[members] = OUTSIDE
        return self._codes

    def _solve(self, chunks: list[Chunk], size: int) -> None:
        """Find the codes of one component."""
        self._use(size, 0)
        kind = self._codes.dtype
        work = Work(
            codes=np.full(size, ENDLESS, kind),
            left=np.empty(size, np.int16 if self._game.num_moves < MAX_SHORT else np.int32),
            due=np.full(size, NEVER, kind),
            ends=np.zeros(size + 1, np.uint32),
            queue=np.empty(size, np.uint32),
            tail=np.zeros(1, np.int64),
            schedule=np.zeros(self._longest + 3, np.uint8),
            cursor=np.zeros(2, np.int64),
        )
        moves = self._explored.edges * size // self._explored.states
        stores = self._needed(size, 2 * moves) < STORED_STATE_BYTES * self._explored.states
        stores = stores and self._needed(size, 3 * moves) < self._meter.budget_bytes  # the component may have more
        if self._stores_moves is not None:
            stores = self._stores_moves
        stored = self._each(partial(self._link, work, stores), chunks)
        inside = int(work.ends.sum(dtype=np.int64))
        if size >= MAX_STATES or inside >= MAX_MOVES:
            raise TooLargeError(self._explored.states)
        np.cumsum(work.ends, dtype=np.uint32, out=work.ends)
        self._use(size, inside * (1 + stores))
        parents = np.empty(inside, np.uint32)
        self._each(partial(self._fill, work, parents), list(zip(chunks, stored, strict=True)))
        del stored
        self._use(size, inside)
        self._run_levels(work, parents, WIN)
        if self._explored.has_draws and work.tail[0] < size:
            work.due[:] = NEVER
            work.schedule[:] = 0
            self._each(partial(self._find_draws, work), chunks)
            work.cursor[:] = 0, work.tail[0]
            queue_draws(work)
            self._run_levels(work, parents, DRAW)
        for chunk in chunks:
            self._codes[chunk.place : chunk.place + chunk.states] = work.codes[chunk.local : chunk.local + chunk.states]
        self._finished += size
        self._parts += 1

    def _needed(self, size: int, moves: int) -> int:
        """Return the bytes that a component of this size takes, with all that is there already."""
        each = 2 * self._codes.itemsize + 2 + 4 + 4  # codes, due, left, ends, queue
        return self._explored.places.memory_bytes() + self._codes.nbytes + each * size + 4 * moves

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

    def _report(self, known: int = 0) -> None:
        self._meter.report(Stage.ANALYSING, self._explored.states, self._finished + known, self._parts)

    def _visit(self, chunk: Chunk) -> Visited:
        """Return the moves from the states of a chunk."""
        keys = np.empty(chunk.states, np.int64)
        list_keys(self._explored.places, chunk.place, keys)
        found = Visited(
            np.empty(chunk.states * self._game.num_moves, np.int64),
            np.empty(chunk.states, np.int32),
            np.empty(chunk.states, np.uint8),
        )
        status = visit(
            self._game,
            self._columns,
            np.empty(self._columns.shape[1], np.int64),
            keys,
            chunk.states,
            0,
            0,
            NOTHING,
            NOTHING,
            self._explored.cells,
            *found,
            np.zeros(COUNTS, np.int64),
        )
        assert status == DONE  # these states were visited before
        return found

    def _link(self, work: Work, stores: bool, chunk: Chunk) -> tuple[Words, Ints] | None:
        """Look at the moves of a chunk for the first time; return those inside the component if they are stored."""
        found = self._visit(chunk)
        kept = np.empty(found.ends[-1] if stores else 0, np.uint32)
        kept_ends = np.empty(chunk.states, np.int32)
        used = link(
            work,
            *found,
            chunk.local,
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
        else:
            found = self._visit(chunk)
            fill(
                work.ends,
                parents,
                found.children,
                found.ends,
                chunk.local,
                self._explored.places,
                self._explored.cells.size,
                self._offsets,
            )

    def _find_draws(self, work: Work, chunk: Chunk) -> None:
        """Find what the open states of a chunk can draw by a move out of the component."""
        if (work.codes[chunk.local : chunk.local + chunk.states] == ENDLESS).any():
            found = self._visit(chunk)
            find_draws(
                work,
                found.children,
                found.ends,
                chunk.local,
                self._explored.places,
                self._codes,
                self._explored.cells.size,
                self._offsets,
            )

    def _run_levels(self, work: Work, parents: Words, kind: int) -> None:
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
            self._report(int(work.tail[0]))
        self._longest = max(self._longest, int(cursor[LEVEL]))

    def _split(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return parts of a range for the threads."""
        step = max(MANY_STATES, -(-(end - start) // (TASKS_PER_THREAD * self._threads.count)))
        return [(at, min(end, at + step)) for at in range(start, end, step)]


@jit_plain
def _for_parent(code: int, entry: int) -> int:
    """Return the kind of a value for the player who moved to the state with this code."""
    kind = code & KIND_MASK
    return kind if entry & 1 or kind > WIN else kind ^ 1


@jit_plain
def _push(work: Work, state: int) -> None:
    work.queue[atomic_add(work.tail, 0, 1)] = state


@jit_plain
def _schedule(work: Work, state: int, won: int, lost: int, left: int) -> None:
    """Note by which level moves out of the component win, or before which they do not lose, and the moves left."""
    work.left[state] = left
    if won < UNKNOWN:
        work.due[state] = won
        work.schedule[won] = 1
    else:
        work.due[state] = -2 - lost
        if left == 0:
            work.schedule[lost] = 1


@jit_plain
def link(
    work: Work,
    children: Longs,
    ends: Ints,
    outcomes: Bytes,
    local: int,
    places: Places,
    codes: Codes,
    cell_size: int,
    offsets: Longs,
    kept: Words,
    kept_ends: Ints,
) -> int:
    """Count the parents of each state in the component, and note what the moves out of it promise.

    Store the moves inside the component in `kept`, if there is room, and return how many there are.
    """
    at = used = 0
    for number in range(len(ends)):
        state = local + number
        if outcomes[number] != OPEN:
            work.codes[state] = outcomes[number]
            if outcomes[number] != DRAW:
                _push(work, state)
        won, lost, left = UNKNOWN, 0, 0
        while at < ends[number]:
            entry = children[at]
            at += 1
            key = entry >> 1
            offset = offsets[key // cell_size]
            place = find(places, key)
            if offset != OUTSIDE:
                child = place + offset
                atomic_add(work.ends, child, 1)
                if len(kept):
                    kept[used] = 2 * child + (entry & 1)
                    used += 1
                left += 1
                continue
            code = whole(codes[place])
            kind, level = _for_parent(code, entry), (code >> KIND_BITS) + 1
            left += kind != LOSS  # this move stays
            if kind == LOSS:
                lost = max(lost, level)
            elif kind == WIN:
                won = min(won, level)
        kept_ends[number] = used
        if outcomes[number] == OPEN:
            _schedule(work, state, won, lost, left)
    return used


@jit_plain
def fill(
    ends: Words,
    parents: Words,
    children: Longs,
    child_ends: Ints,
    local: int,
    places: Places,
    cell_size: int,
    offsets: Longs,
) -> None:
    """Store the moves inside the component with the states that they lead to."""
    at = 0
    for number in range(len(child_ends)):
        while at < child_ends[number]:
            entry = children[at]
            at += 1
            offset = offsets[(entry >> 1) // cell_size]
            if offset != OUTSIDE:
                child = find(places, entry >> 1) + offset
                parents[atomic_add(ends, child, -1) - 1] = 2 * (local + number) + (entry & 1)


@jit_plain
def fill_stored(ends: Words, parents: Words, kept: Words, kept_ends: Ints, local: int) -> None:
    """Do what `fill` does, with moves that were stored."""
    at = 0
    for number in range(len(kept_ends)):
        while at < kept_ends[number]:
            entry = whole(kept[at])
            at += 1
            parents[atomic_add(ends, entry >> 1, -1) - 1] = 2 * (local + number) + (entry & 1)


@jit_plain
def find_draws(
    work: Work,
    children: Longs,
    ends: Ints,
    local: int,
    places: Places,
    codes: Codes,
    cell_size: int,
    offsets: Longs,
) -> None:
    """Note for the open states by which level a move out of the component draws."""
    at = 0
    for number in range(len(ends)):
        drawn = UNKNOWN
        while at < ends[number]:
            key = children[at] >> 1
            at += 1
            if work.codes[local + number] == ENDLESS and offsets[key // cell_size] == OUTSIDE:
                code = whole(codes[find(places, key)])
                if code & KIND_MASK == DRAW:
                    drawn = min(drawn, (code >> KIND_BITS) + 1)
        if drawn != UNKNOWN:
            work.due[local + number] = drawn
            work.schedule[drawn] = 1


@jit_plain
def queue_draws(work: Work) -> None:
    """Put the states that are drawn by the rules into the queue."""
    for state in range(len(work.codes)):
        if work.codes[state] == DRAW:
            _push(work, state)


@jit_plain
def settle(work: Work, level: int, kind: int, start: int, end: int) -> None:
    """Set the codes of the states that are due at this level; `kind` is what a move out of the component gives."""
    for state in range(start, end):
        if work.codes[state] != ENDLESS:
            continue
        if work.due[state] == level:
            work.codes[state] = level << KIND_BITS | kind
            _push(work, state)
        elif work.due[state] == -2 - level and work.left[state] == 0:
            work.codes[state] = level << KIND_BITS | LOSS
            _push(work, state)


@jit_plain
def spread(work: Work, parents: Words, level: int, start: int, end: int) -> None:
    """Tell the parents of the states in a part of the queue, all of this level, what they are worth."""
    for at in range(start, end):
        state = work.queue[at]
        code = whole(work.codes[state])
        for entry in parents[work.ends[state] : work.ends[state + 1]]:
            parent = entry >> 1
            if work.codes[parent] != ENDLESS:
                continue
            kind = _for_parent(code, entry)
            if kind != LOSS:
                if compare_and_swap(work.codes, parent, ENDLESS, (level + 1) << KIND_BITS | kind) == ENDLESS:
                    _push(work, parent)
            elif atomic_add(work.left, parent, -1) == 1:
                lost = max(level + 1, -2 - whole(work.due[parent]))
                if lost == level + 1:
                    work.codes[parent] = lost << KIND_BITS | LOSS
                    _push(work, parent)
                else:
                    work.schedule[lost] = 1


@jit_plain
def next_level(work: Work) -> bool:
    """Move on to the next level at which there is something to do. Return False if there is none."""
    level = work.cursor[LEVEL] + 1
    if work.cursor[HEAD] == work.tail[0]:
        while level < len(work.schedule) and not work.schedule[level]:
            level += 1
        if level >= len(work.schedule):
            return False
    work.cursor[LEVEL] = level
    return True


@jit_plain
def advance(work: Work, parents: Words, kind: int, quota: int, many: int, highest: int) -> int:
    """Work through levels as long as they are small. Return why that ended."""
    while True:
        level, head = work.cursor[LEVEL], work.cursor[HEAD]
        if (level + 2) << KIND_BITS > highest:
            return TOO_LONG
        if level < len(work.schedule) and work.schedule[level]:
            if len(work.codes) > many:
                return SETTLE
            settle(work, level, kind, 0, len(work.codes))
            work.schedule[level] = 0
            quota -= len(work.codes)
        tail = work.tail[0]
        if tail - head > many:
            return SPREAD
        spread(work, parents, level, head, tail)
        work.cursor[HEAD] = tail
        quota -= tail - head + 1
        if not next_level(work):
            return FINISHED
        if quota < 0:
            return PAUSE
