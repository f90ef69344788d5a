"""Whether a game always ends: its longest game, a cycle, and the shortest draw."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from duelbook.game import AnyGame, Outcome, canonical_or_same
from duelbook.solve.budget import NotCompiledError, TooLargeError
from duelbook.solve.packing import check_packable
from duelbook.solve.progress import Meter
from duelbook.solve.retrograde import SMALL_STATE_LIMIT, explore, interpreted_limit, without_garbage_collector


class Termination(NamedTuple):
    """The longest game, or a cycle if there is no longest game."""

    longest: int | None  # plies; None if play can go in circles
    lead: tuple[str, ...]  # moves to a position from which …
    cycle: tuple[str, ...]  # … these moves lead back to it


def find_termination(game: AnyGame) -> Termination:
    """Return the longest game, or a shortest cycle through the position nearest to the start that is on one.

    Raise TooLargeError if the game has too many states, as `solve` does.
    """
    with suppress(TooLargeError):
        return termination_interpreted(game, SMALL_STATE_LIMIT)
    try:
        check_packable(game)
        from duelbook.solve.play_graph import termination_compiled  # loads numpy and numba

        found = termination_compiled(game)
    except NotCompiledError as error:
        return termination_interpreted(game, obstacle=str(error))
    return Termination(found.longest, *move_names(game, found.lead, found.cycle, found.packing.pack))


def shortest_draw(game: AnyGame) -> tuple[str, ...] | None:
    """Return the moves of a shortest game that ends in a draw, or None if there is none."""
    with suppress(TooLargeError):
        return shortest_draw_interpreted(game, SMALL_STATE_LIMIT)
    try:
        check_packable(game)
        from duelbook.solve.play_graph import shortest_draw_compiled

        found = shortest_draw_compiled(game)
    except NotCompiledError as error:
        return shortest_draw_interpreted(game, obstacle=str(error))
    return move_names(game, found.lead, [], found.packing.pack)[0] if found.lead else None


@without_garbage_collector()
def termination_interpreted(game: AnyGame, limit: int | None = None, obstacle: str = "") -> Termination:
    """Do what `find_termination` does, without compiled code."""
    states, successors = _explored(game, limit, obstacle)
    longest, remaining = _peel(successors)
    if not remaining:
        return Termination(longest, (), ())
    for number in sorted(remaining):  # in order of distance from the start
        cycle = _shortest_path(successors, number, number)
        if cycle:
            lead = _shortest_path(successors, 0, number) if number else [0]
            return Termination(None, *move_names(game, [states[at] for at in lead], [states[at] for at in cycle]))
    raise AssertionError("a state that remains leads to a cycle")


@without_garbage_collector()
def shortest_draw_interpreted(game: AnyGame, limit: int | None = None, obstacle: str = "") -> tuple[str, ...] | None:
    """Do what `shortest_draw` does, without compiled code."""
    states, successors = _explored(game, limit, obstacle)
    found = next((number for number, state in enumerate(states) if game.outcome(state) == Outcome.DRAW), None)
    if found is None:
        return None
    return move_names(game, [states[at] for at in _shortest_path(successors, 0, found)], [])[0]


@lru_cache(maxsize=1)
def _explored(game: AnyGame, limit: int | None, obstacle: str) -> tuple[list[Any], list[list[int]]]:
    """Return all states, and for each the numbers of the states it leads to."""
    meter = Meter()
    numbers, children, starts = explore(game, *interpreted_limit(game, meter, limit, obstacle), meter)
    return list(numbers), [[entry >> 1 for entry in children[start:end]] for start, end in pairwise(starts)]


def _peel(successors: list[list[int]]) -> tuple[int, set[int]]:
    """Remove states without successors again and again. Return the longest path from the start, and what remains.

    Something remains only if there are cycles.
    """
    predecessors: list[list[int]] = [[] for _ in successors]
    for number, following in enumerate(successors):
        for child in following:
            predecessors[child].append(number)
    left = [len(following) for following in successors]
    length = [0] * len(successors)
    todo = [number for number, count in enumerate(left) if not count]
    for number in todo:
        for parent in predecessors[number]:
            length[parent] = max(length[parent], length[number] + 1)
            left[parent] -= 1
            if not left[parent]:
                todo.append(parent)
    return length[0], {number for number, count in enumerate(left) if count}


def _shortest_path(successors: list[list[int]], start: int, goal: int) -> list[int]:
    """Return a shortest path of at least one step from one state to another, or nothing if there is none."""
    reached_from: dict[int, int] = {}
    queue = deque([start])
    while queue and goal not in reached_from:
        number = queue.popleft()
        for child in successors[number]:
            if child not in reached_from:
                reached_from[child] = number
                queue.append(child)
    if goal not in reached_from:
        return []
    path = [goal, reached_from[goal]]
    while path[-1] != start:
        path.append(reached_from[path[-1]])
    return path[::-1]


def move_names(
    game: AnyGame, lead: list[Any], cycle: list[Any], pack: Callable[[Any], Any] = lambda state: state
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both paths as names of moves, played from the start. The paths are canonical states, packed."""
    canonical = canonical_or_same(game)
    state, names = game.initial(), []
    for wanted in [*lead[1:], *cycle[1:]]:
        move = next(move for move in game.legal_moves(state) if pack(canonical(game.play(state, move))) == wanted)
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    return tuple(names[: max(0, len(lead) - 1)]), tuple(names[max(0, len(lead) - 1) :])
