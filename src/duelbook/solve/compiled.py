"""Retrograde analysis in compiled code, for games whose states fit into 62 bits. Same results as `retrograde`."""

from array import array
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from duelbook.compiled.kernel import CannotCompileError, jit, jit_plain, read_state, write_state
from duelbook.game import AnyGame, Outcome, Player
from duelbook.solve.budget import TooLargeError
from duelbook.solve.packing import MAX_BITS, PackedIndex, Packing, is_packable, sampled_packing
from duelbook.solve.solution import ENDLESS, Solution

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Array = TypeVar("Array", Longs, Ints, Bytes)

DONE, MISFIT, TOO_LARGE, BROKEN = 0, 1, 2, 3  # how an exploration ends
LOSS, OPEN, WIN, DRAW = -1, 0, 1, 2  # the outcome of a state for the player to move; OPEN is undecided
HASH_FACTOR = -0x61C8864680B583EB  # 64 bits of the golden ratio: the product spreads neighbouring keys
INITIAL_CAPACITY = 1024  # states


class Explored(NamedTuple):
    """The reachable states, packed, and the moves between them in the form of `retrograde.Graph`."""

    status: int  # DONE, TOO_LARGE, BROKEN (the contract), or MISFIT: the numbers in `row` do not fit the packing
    row: Longs
    keys: Longs
    outcomes: Bytes
    children: Ints
    starts: Longs


def solve_compiled(game: AnyGame, limit: int, packing: Packing | None = None) -> Solution | None:
    """Return the solution, or None if the rules do not compile or the states do not fit into 62 bits."""
    if not is_packable(game):
        return None
    packing = packing or sampled_packing(game)
    while packing.bits() <= MAX_BITS:
        try:
            explored = _explore(game, game.initial(), np.array(packing.lows), np.array(packing.widths), limit)
        except (CannotCompileError, TypeError, OSError):  # the rules have no source file to hash
            return None
        if explored.status == TOO_LARGE:
            raise TooLargeError(limit)
        if explored.status == BROKEN:
            return None  # the interpreted solver raises the error with a line of moves
        if explored.status == DONE:
            return _solution(game, packing, explored)
        packing = packing.widened(explored.row.tolist())
    return None


def _solution(game: AnyGame, packing: Packing, explored: Explored) -> Solution:
    values, remoteness = _analyse(explored.outcomes, explored.children, explored.starts)
    order = np.argsort(explored.keys)
    return Solution(
        game,
        PackedIndex(packing, array("q", explored.keys[order].tobytes())),
        array("b", values[order].tobytes()),
        array("i", remoteness[order].tobytes()),
        int(np.count_nonzero(explored.outcomes == OPEN)),
        bool((explored.children & 1).any()),
    )


@jit
def _explore(game: AnyGame, start: Any, lows: Longs, widths: Longs, limit: int) -> Explored:
    """Return every reachable state, in order of distance from the start."""
    row = np.empty(len(widths), np.int64)
    keys = np.empty(INITIAL_CAPACITY, np.int64)
    outcomes = np.empty(INITIAL_CAPACITY, np.int8)
    starts = np.zeros(INITIAL_CAPACITY + 1, np.int64)
    children = np.empty(INITIAL_CAPACITY, np.int32)
    table = np.zeros(4 * INITIAL_CAPACITY, np.int32)
    write_state(start, start, row)
    status = MISFIT
    done, count, used = 0, 0, 0
    keys[0] = _packed(row, lows, widths)
    if keys[0] >= 0:
        status = DONE
        table[_slot(table, keys, keys[0])] = count = 1
    while done < count and status == DONE:
        _unpack(keys[done], row, lows, widths)
        state = read_state(start, row)
        mover = game.mover(state)
        outcomes[done] = _outcome_for(game.outcome(state), mover)
        for move in game.legal_moves(state):
            following = game.play(state, move)
            write_state(start, following, row)
            key = _packed(row, lows, widths)
            if key < 0:
                status = MISFIT
                break
            slot = _slot(table, keys, key)
            if table[slot] == 0:
                if count == limit:
                    status = TOO_LARGE
                    break
                if count == len(keys):
                    keys, outcomes, starts = _doubled(keys), _doubled(outcomes), _doubled(starts)
                    table = _larger_table(table, keys)
                    slot = _slot(table, keys, key)
                keys[count] = key
                count += 1
                table[slot] = count
            if used == len(children):
                children = _doubled(children)
            children[used] = 2 * (table[slot] - 1) + (game.mover(following) == mover)
            used += 1
        if status == DONE and (
            mover < 0 or mover > 1 or (used == starts[done]) != (outcomes[done] != OPEN)
        ):  # there are legal moves exactly while the game is undecided
            status = BROKEN
        done += 1
        starts[done] = used
    return Explored(status, row, keys[:count], outcomes[:count], children[:used], starts[: count + 1])


@jit_plain
def _outcome_for(outcome: Outcome, mover: Player) -> int:
    """Return the outcome of a state for the player who would be to move."""
    if outcome == Outcome.UNDECIDED:
        return OPEN
    if outcome == Outcome.DRAW:
        return DRAW
    return WIN if outcome.value == mover else LOSS


@jit_plain
def _packed(row: Longs, lows: Longs, widths: Longs) -> int:
    """Return the numbers as one, as `Packing.pack` does, or -1 if one of them does not fit."""
    packed = 0
    for field in range(len(widths)):
        number = row[field] - lows[field]
        if number >> widths[field]:
            return -1
        packed = packed << widths[field] | number
    return packed


@jit_plain
def _unpack(packed: int, row: Longs, lows: Longs, widths: Longs) -> None:
    for field in range(len(widths) - 1, -1, -1):
        row[field] = (packed & ((1 << widths[field]) - 1)) + lows[field]
        packed >>= widths[field]


@jit_plain
def _slot(table: Ints, keys: Longs, key: int) -> int:
    """Return the slot of the hash table that holds the state's number plus one, or the free slot (0) for it."""
    slot = (key * HASH_FACTOR >> 32) & (len(table) - 1)
    while table[slot] and keys[table[slot] - 1] != key:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@jit_plain
def _larger_table(table: Ints, keys: Longs) -> Ints:
    """Return a hash table of twice the size. The first half of the keys is in use."""
    larger = np.zeros(2 * len(table), np.int32)
    for number in range(len(keys) // 2):
        larger[_slot(larger, keys, keys[number])] = number + 1
    return larger


@jit_plain
def _doubled(full: Array) -> Array:
    larger = np.empty(2 * len(full), full.dtype)
    larger[: len(full)] = full
    return larger


@jit_plain
def _analyse(outcomes: Bytes, children: Ints, starts: Longs) -> tuple[Bytes, Ints]:
    """Return the value and remoteness of every state, as `retrograde.analyse` does."""
    count = len(outcomes)
    values = np.zeros(count, np.int8)
    remoteness = np.full(count, ENDLESS, np.int32)
    parents, first = _parents(children, starts)
    open_moves = np.diff(starts).astype(np.int32)
    queue = np.empty(count, np.int32)
    waiting = 0
    for number in range(count):
        if outcomes[number] == WIN or outcomes[number] == LOSS:
            values[number], remoteness[number] = outcomes[number], 0
            queue[waiting] = number
            waiting += 1
    done = 0
    while done < waiting:  # in order of remoteness, as in `retrograde.analyse`
        number = queue[done]
        done += 1
        for entry in parents[first[number] : first[number + 1]]:
            parent = entry >> 1
            if remoteness[parent] != ENDLESS:
                continue
            open_moves[parent] -= 1
            for_parent = values[number] if entry & 1 else -values[number]
            if for_parent == WIN or not open_moves[parent]:
                values[parent], remoteness[parent] = for_parent, remoteness[number] + 1
                queue[waiting] = parent
                waiting += 1
    _measure_draws(outcomes, remoteness, parents, first, queue)
    return values, remoteness


@jit_plain
def _measure_draws(outcomes: Bytes, remoteness: Ints, parents: Ints, first: Longs, queue: Ints) -> None:
    """Set the remoteness of the states that nobody wins, as `retrograde` does."""
    waiting = 0
    for number in range(len(outcomes)):
        if outcomes[number] == DRAW:
            remoteness[number] = 0
            queue[waiting] = number
            waiting += 1
    done = 0
    while done < waiting:
        number = queue[done]
        done += 1
        for entry in parents[first[number] : first[number + 1]]:
            if remoteness[entry >> 1] == ENDLESS:
                remoteness[entry >> 1] = remoteness[number] + 1
                queue[waiting] = entry >> 1
                waiting += 1


@jit_plain
def _parents(children: Ints, starts: Longs) -> tuple[Ints, Longs]:
    """Return the moves in reverse, in the same form: from which states each state can be reached."""
    first = np.zeros(len(starts), np.int64)
    for entry in children:
        first[(entry >> 1) + 1] += 1
    for number in range(1, len(first)):
        first[number] += first[number - 1]
    free = first.copy()
    parents = np.empty(len(children), np.int32)
    for number in range(len(starts) - 1):
        for entry in children[starts[number] : starts[number + 1]]:
            parents[free[entry >> 1]] = 2 * number + (entry & 1)
            free[entry >> 1] += 1
    return parents, first
