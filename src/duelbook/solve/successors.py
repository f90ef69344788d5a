"""The one part of the compiled solver that depends on the rules: it visits states and finds those after each move."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import CompiledGame, jit, jit_plain
from duelbook.game import Outcome, Player
from duelbook.solve.keyset import Longs, insert
from duelbook.solve.packing import Packing
from duelbook.solve.solution import DRAW, LOSS, WIN

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

OPEN = 3  # beside the kinds of values: the state is undecided
DONE, MISFIT, BROKEN = 0, 1, 2  # how a visit ends
FIELD, LOW, SIZE, STRIDE = 0, 1, 2, 3  # rows of the array that describes a packing
WAITING, VISITED, UNDECIDED, EDGES, REPEATS, DRAWS = 0, 1, 2, 3, 4, 5  # what a visit counts
COUNTS = 6


class Cells(NamedTuple):
    """The cells of a game: ranges of keys of equal size, and between which of them there are moves."""

    size: int
    moves: npt.NDArray[np.uint8]  # 1 if a move leads from a state in one cell to a state in the other


def packing_array(packing: Packing) -> Longs:
    """Return the packing for compiled code: a column for each number of a state, from the most significant one."""
    columns = [(field, packing.lows[field], packing.sizes[field], packing.strides[field]) for field in packing.order]
    return np.array(columns, np.int64).T.copy()


@jit
def visit(
    game: CompiledGame,
    packing: Longs,
    row: Longs,
    keys: Longs,
    size: int,
    quota: int,
    full: int,
    words: Longs,
    table: Longs,
    cells: Cells,
    children: Longs,
    ends: Ints,
    outcomes: Bytes,
    counts: Longs,
) -> int:
    """Visit states and return how that ended: DONE, MISFIT (the numbers in `row` have no key) or BROKEN (the contract).

    Without a quota: list the `children` of the first `size` keys (each is twice its key, plus one if the same player
    moves again), where those of each state end, and the kinds of the outcomes.

    With a quota: `keys` is a stack. Take so many states from it, and put their children that are not yet in the bitmap
    or the table on it. Stop early if it is `full` or empty. It has room for the children of one more state.
    """
    like = game.initial()  # not an argument: numba would confuse the state types of two games with the same structure
    exploring = quota > 0
    left, done, used = size, 0, 0
    while left > 0 and (not exploring or (done < quota and left < full)):
        left -= 1
        key = keys[left] if exploring else keys[done]
        unpack(key, packing, row)
        state = read_state(like, row)
        mover = game.mover(state)
        outcome = _kind(game.outcome(state), mover)
        moves, before = 0, -1
        for move in game.legal_moves(state):
            following = game.play(state, move)
            repeats = game.mover(following) == mover  # the canonical state may have another mover
            write_state(like, game.canonical(following), row)
            child = packed(row, packing)
            if child < 0:
                return MISFIT
            moves += 1
            entry = 2 * child + repeats
            if entry == before:
                continue  # several moves lead to the same state
            before = entry
            if used == len(children):
                return BROKEN  # there are more legal moves than `num_moves`
            children[used] = entry
            used += 1
            counts[REPEATS] += repeats
        if mover < 0 or mover > 1 or (moves == 0) != (outcome != OPEN):
            return BROKEN  # there are legal moves exactly while the game is undecided
        counts[UNDECIDED] += outcome == OPEN
        counts[DRAWS] += outcome == DRAW
        if exploring:
            counts[EDGES] += used
            left = _push_new(keys, left, words, table, cells, key, children[:used])
            used = 0
        else:
            ends[done] = used
            outcomes[done] = outcome
        done += 1
    counts[WAITING], counts[VISITED] = left, done
    return DONE


@jit_plain
def _push_new(stack: Longs, size: int, words: Longs, table: Longs, cells: Cells, parent: int, children: Longs) -> int:
    """Put the children that are not yet in the bitmap or the table on the stack. Return its size."""
    for entry in children:
        child = entry >> 1
        if len(cells.moves) > 1:
            cells.moves[parent // cells.size, child // cells.size] = 1
        if insert(words, table, child):
            stack[size] = child
            size += 1
    return size


@jit_plain
def _kind(outcome: Outcome, mover: Player) -> int:
    """Return the kind of the outcome for the player who would be to move."""
    if outcome == Outcome.UNDECIDED:
        return OPEN
    if outcome == Outcome.DRAW:
        return DRAW
    return WIN if outcome.value == mover else LOSS


@jit_plain
def packed(row: Longs, packing: Longs) -> int:
    """Return the key of the numbers, as `Packing.pack` does, or -1 if they have none."""
    key = 0
    for column in range(packing.shape[1]):
        digit = row[packing[FIELD, column]] - packing[LOW, column]
        if digit < 0 or digit >= packing[SIZE, column]:
            return -1
        key += digit * packing[STRIDE, column]
    return key


@jit_plain
def unpack(key: int, packing: Longs, row: Longs) -> None:
    """Write the numbers of the state with this key."""
    for column in range(packing.shape[1]):
        digit = key // packing[STRIDE, column]
        key -= digit * packing[STRIDE, column]
        row[packing[FIELD, column]] = digit + packing[LOW, column]


@jit_plain
def widen(keys: Longs, packing: Longs, row: Longs, lows: Longs, highs: Longs) -> None:
    """Widen the ranges of numbers so that they hold those of the states with these keys."""
    for key in keys:
        unpack(key, packing, row)
        for field in range(len(row)):
            lows[field] = min(lows[field], row[field])
            highs[field] = max(highs[field], row[field])
