"""Retrograde analysis: from the final states of a game back to its start. Sound for games with cycles."""

import gc
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from duelbook.contract import BrokenRulesError, move_faults, mover_faults, verify
from duelbook.game import AnyGame, Outcome, canonical_form, canonical_or_same, canonical_start
from duelbook.solve.budget import NotCompiledError, TooLargeError, TooLargeFactory, TooSlowError
from duelbook.solve.estimate import check_size, mean_moves
from duelbook.solve.packing import check_packable
from duelbook.solve.progress import Meter, OnProgress, Stage, shown_in_notebooks
from duelbook.solve.solution import ENDLESS, Solution, Value, code_of

SMALL_STATE_LIMIT = 12_000  # a game with fewer states is solved before compiled code would be loaded
STATE_BYTES, MOVE_BYTES = (
    300,
    10,
)  # while a game is solved, for each state and for each move in it; measured, rounded up
MAX_SECONDS = 30  # about as long as the interpreted solver may take
STATE_SECONDS, MOVE_SECONDS = 5e-6, 2.5e-6  # that it takes for each state and for each move in it
STATES_BETWEEN_REPORTS = 1 << 12
SHORT_PLIES = 1 << 13  # a remoteness below this fits into a code of 16 bits


class Graph(NamedTuple):
    """The reachable states and the moves between them.

    State n leads to `children[starts[n]:starts[n + 1]]`. Each entry is twice the number of a state, plus one if the
    same player moves again.
    """

    numbers: dict[Any, int]
    children: "array[int]"
    starts: "array[int]"


def solve(
    game: AnyGame,
    limit: int | None = None,
    *,
    memory: int | None = None,
    on_progress: OnProgress | None = None,
) -> Solution:
    """Return the value of every reachable state of the game.

    Raise TooLargeError if there are more states than the limit, or if they need more bytes of memory than given (by
    default `memory_budget`). A game that is clearly too large is refused soon. `on_progress` is called several times a
    second; what it raises ends the solve.
    """
    with shown_in_notebooks():
        meter = Meter(memory, on_progress)
        return solve_small(game, meter, limit) or solve_large(game, meter, limit)


def solve_small(game: AnyGame, meter: Meter, limit: int | None = None) -> Solution | None:
    """Return the solution of a game with few states, or None if there are many. Compiled code is not loaded."""
    if limit and limit <= SMALL_STATE_LIMIT:
        return solve_interpreted(game, limit, meter)
    with suppress(TooLargeError):
        return solve_interpreted(game, SMALL_STATE_LIMIT, meter)
    return None


def solve_large(game: AnyGame, meter: Meter, limit: int | None = None) -> Solution:
    """Return the solution of a game with many states, in compiled code if that is possible."""
    meter.report(Stage.PREPARING)
    try:
        check_packable(game)
        from duelbook.solve.compiled import solve_compiled  # loads numpy and numba

        return solve_compiled(game, limit, meter=meter)
    except NotCompiledError as error:
        obstacle = str(error)
    check_size(game, *interpreted_limit(game, meter, limit, obstacle))
    return solve_interpreted(game, limit, meter, obstacle)


def interpreted_limit(game: AnyGame, meter: Meter, limit: int | None, obstacle: str) -> tuple[int, TooLargeFactory]:
    """Return how many states can be solved without compiled code, and the error for a game with more.

    By default that is what memory allows, and what takes about 30 s.
    """
    if limit:
        return limit, TooLargeError
    moves = mean_moves(game)
    by_memory = int(meter.budget_bytes / (STATE_BYTES + MOVE_BYTES * moves))
    by_time = int(MAX_SECONDS / (STATE_SECONDS + MOVE_SECONDS * moves))
    if by_memory < by_time:
        return by_memory, partial(TooLargeError, budget_bytes=meter.budget_bytes)
    return by_time, partial(TooSlowError, obstacle=obstacle)


@contextmanager
def without_garbage_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector: millions of states hold no cycles, and it would search them all."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@without_garbage_collector()
def solve_interpreted(
    game: AnyGame, limit: int | None = None, meter: Meter | None = None, obstacle: str = ""
) -> Solution:
    """Do what `solve` does, without compiled code. The obstacle is why that cannot be used."""
    meter = meter or Meter()
    graph = explore(game, *interpreted_limit(game, meter, limit, obstacle), meter)
    decided = final_values(game, graph, meter)
    values, remoteness = analyse(graph, decided, meter)
    codes = array("h" if max(remoteness) < SHORT_PLIES else "i", map(code_of, values, remoteness))
    return Solution(game, graph.numbers, codes, len(graph.numbers) - len(decided), _has_odd(graph.children))


def explore(game: AnyGame, limit: int, too_large: TooLargeFactory = TooLargeError, meter: Meter | None = None) -> Graph:
    """Return every reachable state, by its canonical form, in order of distance from the start.

    Raise what `too_large` returns if there are more than the limit, and BrokenRulesError if the rules break the
    contract of games.
    """
    verify(game)
    meter = meter or Meter()
    canonical = canonical_form(game)
    mover_of, legal_moves, play = game.mover, game.legal_moves, game.play
    start = canonical_start(game)
    index, todo = {start: 0}, [start]
    children, starts = array("i"), array("i", [0])
    parts: dict[Any, Any] = {}  # equal parts of states are stored once
    for state in todo:
        mover = mover_of(state)
        for move in legal_moves(state):
            following = play(state, move)
            same_mover = mover_of(following) == mover
            if canonical:
                following = canonical(following)
            number = index.get(following)
            if number is None:
                number = len(index)
                if number == limit:
                    raise too_large(limit, "")
                if not number % STATES_BETWEEN_REPORTS:
                    meter.memory_bytes = STATE_BYTES * number + MOVE_BYTES * len(children)
                    meter.report(Stage.EXPLORING, number)
                following = _with_shared_parts(following, parts)
                index[following] = number
                todo.append(following)
            children.append(2 * number + same_mover)
        starts.append(len(children))
        if mover != 0 and mover != 1:
            raise _broken(game, Graph(index, children, starts), state)
    return Graph(index, children, starts)


def _has_odd(numbers: "array[int]") -> bool:
    """Return True if one of the numbers is odd. Much faster than a loop over them."""
    lowest = numbers.tobytes()[0 if sys.byteorder == "little" else numbers.itemsize - 1 :: numbers.itemsize]
    return bool(lowest.translate(None, bytes(range(0, 256, 2))))


def _with_shared_parts(state: Any, parts: dict[Any, Any]) -> Any:
    return type(state)(*(parts.setdefault(part, part) if isinstance(part, tuple) else part for part in state))


def final_values(game: AnyGame, graph: Graph, meter: Meter | None = None) -> dict[int, Value]:
    """Return the value of each decided state for the player who would be to move."""
    meter = meter or Meter()
    found: dict[int, Value] = {}
    for state, number in graph.numbers.items():
        if not number % STATES_BETWEEN_REPORTS:
            meter.report(Stage.ANALYSING, len(graph.numbers), len(found))
        outcome = game.outcome(state)
        if (outcome == Outcome.UNDECIDED) == (graph.starts[number] == graph.starts[number + 1]):
            raise _broken(game, graph, state)
        if outcome == Outcome.DRAW:
            found[number] = Value.DRAW
        elif outcome != Outcome.UNDECIDED:
            found[number] = Value.WIN if outcome == game.mover(state) else Value.LOSS
    return found


def _broken(game: AnyGame, graph: Graph, state: Any) -> BrokenRulesError:
    """Return the error for a state that breaks the contract, with a shortest line of moves that leads to it."""
    path, states = [graph.numbers[state]], list(graph.numbers)
    while path[0]:
        entry = next(at for at, entry in enumerate(graph.children) if entry >> 1 == path[0])
        path.insert(0, bisect_right(graph.starts, entry) - 1)
    canonical = canonical_or_same(game)
    state, names = game.initial(), []
    for number in path[1:]:
        move = next(move for move in game.legal_moves(state) if canonical(game.play(state, move)) == states[number])
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    [fault, *_] = [*mover_faults(game, state), *move_faults(game, state)]
    return BrokenRulesError(game, fault, tuple(names))


def analyse(graph: Graph, decided: dict[int, Value], meter: Meter | None = None) -> tuple["array[int]", "array[int]"]:
    """Return the value and remoteness of every state, given the values of the decided ones."""
    meter = meter or Meter()
    count = len(graph.numbers)
    values = array("b", bytes(count))
    remoteness = array("i", [ENDLESS]) * count
    parents, starts = _parents(graph)
    open_moves = array("i", (graph.starts[n + 1] - graph.starts[n] for n in range(count)))
    queue = [number for number, value in decided.items() if value is not Value.DRAW]
    for number in queue:
        values[number], remoteness[number] = decided[number], 0
    for done, number in enumerate(queue):  # in order of remoteness: a state is added by one a ply nearer the end
        if not done % STATES_BETWEEN_REPORTS:
            meter.report(Stage.ANALYSING, count, max(len(decided), len(queue)), remoteness[number])
        value, plies = values[number], remoteness[number] + 1
        for entry in parents[starts[number] : starts[number + 1]]:
            parent = entry >> 1
            if remoteness[parent] != ENDLESS:
                continue
            open_moves[parent] -= 1
            for_parent = value if entry & 1 else -value
            if for_parent == Value.WIN or not open_moves[parent]:
                values[parent], remoteness[parent] = for_parent, plies
                queue.append(parent)
    _measure_draws(decided, remoteness, parents, starts)
    return values, remoteness


def _measure_draws(
    decided: dict[int, Value], remoteness: "array[int]", parents: "array[int]", starts: "array[int]"
) -> None:
    """Set the remoteness of the states that nobody wins: the plies to a draw by the rules, else ENDLESS."""
    queue = [number for number, value in decided.items() if value is Value.DRAW]
    for number in queue:
        remoteness[number] = 0
    for number in queue:
        for entry in parents[starts[number] : starts[number + 1]]:
            parent = entry >> 1
            if remoteness[parent] == ENDLESS:
                remoteness[parent] = remoteness[number] + 1
                queue.append(parent)


def _parents(graph: Graph) -> tuple["array[int]", "array[int]"]:
    """Return the moves in reverse, in the same form: from which states each state can be reached."""
    count = len(graph.numbers)
    starts = array("i", bytes(4 * (count + 1)))
    for entry in graph.children:
        starts[(entry >> 1) + 1] += 1
    for number in range(count):
        starts[number + 1] += starts[number]
    free = starts[:]
    parents = array("i", bytes(4 * len(graph.children)))
    for number in range(count):
        for entry in graph.children[graph.starts[number] : graph.starts[number + 1]]:
            child = entry >> 1
            parents[free[child]] = 2 * number + (entry & 1)
            free[child] += 1
    return parents, starts
