"""The states of a large game and the moves between them, found in compiled code (extra `fast`)."""

import numpy as np

from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import CannotCompileError, CompiledGame, jit
from duelbook.features import numbers_of, states_from_columns
from duelbook.game import Outcome, canonical_form
from duelbook.notebook import Bar
from duelbook.solve import Solution
from duelbook.solve.keyset import find
from duelbook.solve.successors import packed
from duelbook.solve.value_table import ValueTable
from duelbook.study.state_graph import Flags, Ints, VisitedStates

MOVES_AT_ONCE = 1 << 22  # for which there is room between two updates of the progress bar
UNDECIDED = Outcome.UNDECIDED.value
UNKNOWN = -1


def explore_compiled(solution: Solution, bar: Bar) -> VisitedStates | None:
    """Return all states and moves of the game, or None if its rules do not compile or its states are too wide."""
    game = solution.game
    try:
        table = ValueTable.of(solution)
    except (OverflowError, CannotCompileError):
        return None
    start, at_once = [*numbers_of(game.initial())], max(1, MOVES_AT_ONCE // game.num_moves)
    most = len(solution) * (2 if canonical_form(game) else 1)  # of states that play alike, one for each player
    rows = np.empty((most, len(start)), np.int64)
    rows[0] = start
    numbers = np.full((2, len(solution)), UNKNOWN, np.int64)
    movers, over, codes = np.empty(most, np.int64), np.empty(most, np.bool_), np.empty(most, np.int64)
    starts, done, found, parts = np.zeros(most + 1, np.int64), 0, 1, []
    while done < found:
        end = min(done + at_once, found)
        steps = np.empty((2, (end - done) * game.num_moves), np.int64)
        found = _explore(game, table, done, end, found, rows, numbers, movers, over, codes, starts, steps)
        parts.append(steps[:, : starts[end] - starts[done]].copy())
        done = end
        bar.update(done)
    moves, targets = np.concatenate(parts, axis=1)
    states = states_from_columns(game.initial(), iter(rows[:found].T.tolist()))
    return VisitedStates(states, movers[:found], over[:found], codes[:found], starts[: found + 1], moves, targets)


@jit
def _explore(
    game: CompiledGame,
    table: ValueTable,
    first: int,
    end: int,
    found: int,
    rows: Ints,
    numbers: Ints,
    movers: Ints,
    over: Flags,
    codes: Ints,
    starts: Ints,
    steps: Ints,
) -> int:
    """Visit the states from `first` to `end`, of `found` that are known, and add those after them to the rows.

    `numbers` holds the number of each state by its mover and its place in the table. Write moves and targets into
    `steps`. Return how many states are known then.
    """
    like, row, used = game.initial(), np.empty(rows.shape[1], np.int64), 0
    classes, packing, places, values = table
    for number in range(first, end):
        state = read_state(like, rows[number])
        write_state(like, game.class_of(state, classes), row)
        place = find(places, packed(row, packing))
        movers[number], over[number] = game.mover(state), game.outcome(state).value != UNDECIDED
        codes[number], numbers[game.mover(state), place] = values[place], number
        before = used
        for move in game.legal_moves(state):
            following = game.play(state, move)
            write_state(like, game.class_of(following, classes), row)
            place, mover = find(places, packed(row, packing)), game.mover(following)
            if numbers[mover, place] == UNKNOWN:
                numbers[mover, place] = found
                write_state(like, following, rows[found])
                found += 1
            steps[0, used], steps[1, used] = move, numbers[mover, place]
            used += 1
        starts[number + 1] = starts[number] + used - before
    return found
