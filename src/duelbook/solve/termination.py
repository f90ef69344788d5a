"""Whether a game always ends: its longest game, a cycle, and the shortest game with a given outcome."""

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from duelbook.game import AnyGame, Outcome, canonical_form
from duelbook.solve.budget import memory_budget
from duelbook.solve.retrograde import explore, interpreted_limit, without_garbage_collector


class Termination(NamedTuple):
    """The longest game, or a cycle if there is no longest game."""

    longest: int | None  # plies; None if play can go in circles
    lead: tuple[str, ...]  # moves to a position from which …
    cycle: tuple[str, ...]  # … these moves lead back to it


@without_garbage_collector()
def find_termination(game: AnyGame) -> Termination:
    """Return the longest game, or a shortest cycle through the position nearest to the start that is on one."""
    states, successors = _explored(game)
    longest, remaining = _peel(successors)
    if not remaining:
        return Termination(longest, (), ())
    for number in sorted(remaining):  # in order of distance from the start
        cycle = _shortest_path(successors, number, number)
        if cycle:
            lead = _shortest_path(successors, 0, number) if number else [0]
            return Termination(None, *_move_names(game, [states[at] for at in lead], [states[at] for at in cycle]))
    raise AssertionError("a state that remains leads to a cycle")


@without_garbage_collector()
def shortest_game(game: AnyGame, wanted: Callable[[Outcome], bool]) -> tuple[str, ...] | None:
    """Return the moves of a shortest game with a wanted outcome, or None if there is none."""
    states, successors = _explored(game)
    found = next((number for number, state in enumerate(states) if wanted(game.outcome(state))), None)
    if found is None:
        return None
    return _move_names(game, [states[at] for at in _shortest_path(successors, 0, found)], [])[0]


@lru_cache(maxsize=1)
def _explored(game: AnyGame) -> tuple[list[Any], list[list[int]]]:
    """Return all states, and for each the numbers of the states it leads to."""
    numbers, children, starts = explore(game, interpreted_limit(game, memory_budget()))
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


def _move_names(game: AnyGame, lead: list[Any], cycle: list[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return both paths as names of moves, played from the start."""
    form = canonical_form(game) or (lambda state: state)
    state, names = game.initial(), []
    for wanted in [*lead[1:], *cycle[1:]]:
        move = next(move for move in game.legal_moves(state) if form(game.play(state, move)) == wanted)
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    return tuple(names[: len(lead) - 1]), tuple(names[len(lead) - 1 :])
