"""The longest game, cycles and the shortest draw in compiled code: searches of the graph of states and moves.

The longest play from a state is found by retrograde analysis in which every move and every end counts as a loss: a
state is settled once all states after it are, and its remoteness is the longest play. What is never settled can go in
circles. Depth-first search then finds the states on cycles, and breadth-first search the nearest of them.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.atomic import atomic_or
from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import CompiledGame, jit, jit_plain
from duelbook.contract import BrokenRulesError
from duelbook.game import AnyGame, canonical_start
from duelbook.solve.analysis import Analysis
from duelbook.solve.budget import NotCompiledError
from duelbook.solve.chunks import Listed, MoveLister
from duelbook.solve.compiled import BROKEN, check_compilable, explore_compiled
from duelbook.solve.exploration import NOTHING, Explored
from duelbook.solve.index import WORD_BITS, WORD_SHIFT
from duelbook.solve.keyset import Longs, Places, Words, find, key_at, whole
from duelbook.solve.levels import Codes, TooLongError
from duelbook.solve.packing import Packing, expected_packing
from duelbook.solve.progress import Meter, Stage
from duelbook.solve.solution import DRAW, ENDLESS, KIND_BITS, LOSS
from duelbook.solve.successors import OPEN, Bytes, Ints, packed, packing_array, unpack
from duelbook.solve.threads import Threads
from duelbook.solve.walks import check_size_compiled

ON_CYCLE = ENDLESS - 1  # the code of a state to which play can come back
NOBODY = ON_CYCLE - 1
STEPS = 1 << 16  # of a depth-first search between two reports
MAX_SHORT = 1 << 15  # legal moves
PATH_BYTES = 11  # for each state in a depth-first search
DEPTH, TOP, INDEX, COMPONENT = 0, 1, 2, 3  # where a depth-first search stands


class Found(NamedTuple):
    """A longest game or a cycle. The paths are keys of states; `lead` is empty if there is none."""

    packing: Packing
    longest: int | None
    lead: list[int]
    cycle: list[int]


class EveryMoveLoses(MoveLister):
    """Lists moves as if every end were a loss, and every move to a loss lost."""

    def list_moves(self, keys: Longs, states: Longs) -> Listed:
        listed = super().list_moves(keys, states)
        listed.children[: listed.ends[-1] if len(keys) else 0] |= 1  # the same player moves: a loss remains one
        listed.outcomes[listed.outcomes != OPEN] = LOSS
        return listed


def termination_compiled(game: AnyGame, threads: int | None = None) -> Found:
    """Return the longest game or a cycle. Raise NotCompiledError as `solve_compiled` does."""
    explored = _explored(game, threads)
    meter = Meter()
    lister, without_draws = EveryMoveLoses(game, explored), explored._replace(has_draws=False)
    with Threads(threads) as workers:
        try:
            codes: Codes = Analysis(game, without_draws, workers, meter, np.int16, lister=lister).run()
        except TooLongError:
            codes = Analysis(game, without_draws, workers, meter, np.int32, lister=lister).run()
    start = find(explored.places, explored.packing.pack(canonical_start(game)))
    if codes[start] != ENDLESS:
        return Found(explored.packing, int(codes[start]) >> KIND_BITS, [], [])
    _mark_cycles(game, explored, codes, start, meter)
    lead = [start]
    if codes[start] != ON_CYCLE:
        lead = Search(game, explored, meter, codes, ENDLESS).run(start, found_code=ON_CYCLE)
    cycle = Search(game, explored, meter, codes, ON_CYCLE).run(lead[-1], goal=lead[-1])
    keys = [[int(key_at(explored.places, place)) for place in path] for path in (lead, cycle)]
    return Found(explored.packing, None, *keys)


def shortest_draw_compiled(game: AnyGame, threads: int | None = None) -> Found:
    """Return a shortest game that ends in a draw. Raise NotCompiledError as `solve_compiled` does."""
    explored = _explored(game, threads)
    lead: list[int] = []
    if explored.has_draws:
        start = find(explored.places, explored.packing.pack(canonical_start(game)))
        lead = Search(game, explored, Meter(), np.empty(0, np.int16), 0).run(start, draw=True)
    return Found(explored.packing, None, [int(key_at(explored.places, place)) for place in lead], [])


@lru_cache(maxsize=1)  # both functions are asked about the same game
def _explored(game: AnyGame, threads: int | None) -> Explored:
    check_compilable(game)
    meter = Meter()
    with Threads(threads) as workers:
        try:
            packing = check_size_compiled(game, expected_packing(game), workers, meter)
            return explore_compiled(game, packing, workers, meter)
        except BrokenRulesError as error:  # interpreted code raises it with a line of moves
            raise NotCompiledError(BROKEN) from error


def _mark_cycles(game: AnyGame, explored: Explored, codes: Codes, start: int, meter: Meter) -> None:
    """Set the codes of the endless states to which play can come back to ON_CYCLE."""
    states = explored.states
    meter.use(explored.places.memory_bytes() + codes.nbytes + PATH_BYTES * states, states)
    columns = packing_array(explored.packing)
    numbers, path = np.zeros(states, np.uint32), np.empty(states, np.uint32)
    tried: npt.NDArray[Any] = np.zeros(states, np.int16 if game.num_moves < MAX_SHORT else np.int32)
    is_root = np.ones(states, np.uint8)
    path[0], numbers[start] = start, 1
    cursor = np.array([1, states, 2, states + 1], np.int64)
    row = np.empty(columns.shape[1], np.int64)
    while cursor[DEPTH]:
        mark_cycles(game, columns, row, explored.places, codes, numbers, path, tried, is_root, cursor, STEPS)
        meter.report(Stage.ANALYSING, states, int(states + 1 - cursor[COMPONENT]), 1)


@jit
def mark_cycles(
    game: CompiledGame,
    packing: Longs,
    row: Longs,
    places: Places,
    codes: Codes,
    numbers: Words,
    path: Words,
    tried: npt.NDArray[Any],
    is_root: Bytes,
    cursor: Longs,
    steps: int,
) -> None:
    """Go on with a depth-first search for the strongly connected components, by Pearce's algorithm.

    `numbers` holds the number of each state that was seen: lower ones were seen earlier, and those of finished states
    are above all others. `path` holds the current path from its beginning, and from its end the states whose component
    is not finished; for each place in the path, `tried` counts the moves that were followed, and `is_root` tells
    whether nothing led back to before its state.
    """
    like = game.initial()
    while steps > 0 and cursor[DEPTH] > 0:
        steps -= 1
        depth = cursor[DEPTH] - 1
        place = whole(path[depth])
        unpack(key_at(places, place), packing, row)
        state = read_state(like, row)
        move_number, descends = 0, False
        for move in game.legal_moves(state):
            move_number += 1
            if move_number <= tried[depth]:
                continue
            write_state(like, game.canonical(game.play(state, move)), row)
            child = find(places, packed(row, packing))
            if codes[child] >= 0:
                continue  # from there, play always ends
            if child == place:
                codes[place] = ON_CYCLE
            if numbers[child] == 0:
                tried[depth] = move_number - 1  # it is looked at once more when the search comes back
                path[depth + 1], tried[depth + 1], is_root[depth + 1] = child, 0, 1
                numbers[child] = cursor[INDEX]
                cursor[INDEX] += 1
                descends = True
                break
            if numbers[child] < numbers[place]:
                numbers[place] = numbers[child]
                is_root[depth] = 0
        if descends:
            cursor[DEPTH] += 1
        else:
            cursor[DEPTH] -= 1
            _finish(codes, numbers, path, is_root[depth] == 1, cursor, place)


@jit_plain
def _finish(codes: Codes, numbers: Words, path: Words, is_root: bool, cursor: Longs, place: int) -> None:
    """Take a state from the path: its component is finished if it is the root, and else waits for its root."""
    if not is_root:
        cursor[TOP] -= 1
        path[cursor[TOP]] = place
        return
    cursor[INDEX] -= 1
    while cursor[TOP] < len(path) and numbers[path[cursor[TOP]]] >= numbers[place]:
        member = whole(path[cursor[TOP]])
        cursor[TOP] += 1
        cursor[INDEX] -= 1
        numbers[member] = cursor[COMPONENT]
        codes[member] = codes[place] = ON_CYCLE
    numbers[place] = cursor[COMPONENT]
    cursor[COMPONENT] -= 1


class Search:
    """A breadth-first search among states with low codes, in the same order as that of interpreted code."""

    def __init__(self, game: AnyGame, explored: Explored, meter: Meter, codes: Codes, highest: int) -> None:
        self._explored, self._meter, self._codes, self._highest = explored, meter, codes, highest
        self._lister = MoveLister(game, explored)
        states = explored.states
        self._seen = np.zeros((states >> WORD_SHIFT) + 1, np.int64)
        self._order = np.empty(states + 1, np.uint32)  # the system gives the memory when it is used
        self._before = np.empty(states + 1, np.uint32)
        self._count = 0

    def run(self, start: int, *, goal: int = -1, found_code: int = NOBODY, draw: bool = False) -> list[int]:
        """Return a shortest path: to the goal, to the first state with this code, or to the first draw."""
        self._order[0], self._count = start, 1
        if goal != start:
            self._seen.view(np.uint64)[start >> WORD_SHIFT] |= np.uint64(1 << start % WORD_BITS)
        done = 0
        while done < self._count:
            size = min(self._lister.chunk_states, self._count - done)
            keys = np.empty(size, np.int64)
            list_chosen(self._explored.places, self._order[done : done + size], keys)
            children, ends, outcomes, _ = self._lister.list_moves(keys, NOTHING)
            drawn = np.flatnonzero(outcomes == DRAW) if draw else NOTHING
            if len(drawn):
                return self._path(done + int(drawn[0]))
            found = spread_search(
                self._explored.places,
                children,
                ends,
                done,
                self._codes,
                self._highest,
                goal,
                found_code,
                self._seen,
                self._order,
                self._before,
                self._count,
            )
            if found < 0:
                return self._path(-1 - found)
            done, self._count = done + size, found
            self._report()
        raise AssertionError("what is searched for can be reached")

    def _report(self) -> None:
        states = self._explored.states
        memory = self._explored.places.memory_bytes() + self._codes.nbytes + states // 8
        self._meter.use(memory + (self._order.itemsize + self._before.itemsize) * self._count, states)
        self._meter.report(Stage.ANALYSING, states, self._count, 1)

    def _path(self, at: int) -> list[int]:
        """Return the places of the states on the way to one that was found."""
        path = [int(self._order[at])]
        while at:
            at = int(self._before[at])
            path.append(int(self._order[at]))
        return path[::-1]


@jit_plain
def list_chosen(places: Places, chosen: Words, keys: Longs) -> None:
    """Fill the array with the keys of the states at these places."""
    for number in range(len(chosen)):
        keys[number] = key_at(places, whole(chosen[number]))


@jit_plain
def spread_search(
    places: Places,
    children: Longs,
    ends: Ints,
    first: int,
    codes: Codes,
    highest: int,
    goal: int,
    found_code: int,
    seen: Longs,
    order: Words,
    before: Words,
    count: int,
) -> int:
    """Add the children of states to a breadth-first search if they are new and their codes are low enough.

    Return how many states it has, or -1 - n if state n of it is what is searched for.
    """
    at = 0
    for number in range(len(ends)):
        while at < ends[number]:
            place = find(places, children[at] >> 1)
            at += 1
            if len(codes) and codes[place] > highest:
                continue
            bit = 1 << (place & (WORD_BITS - 1))
            before_bits: int = atomic_or(seen, place >> WORD_SHIFT, bit)
            if before_bits & bit:
                continue
            order[count], before[count] = place, first + number
            if place == goal or (len(codes) and codes[place] == found_code):
                return -1 - count
            count += 1
    return count
