"""The shape of a game: whether it always ends, its longest game, a cycle, the shortest way to an end."""

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from duelbook.game import AnyGame, Outcome, canonical_form
from duelbook.solve.retrograde import STATE_LIMIT, explore, without_collector


class Shape(NamedTuple):
    """What the moves of a game look like as a whole."""

    longest: int | None  # plies of the longest game; None where play can go in circles
    lead: tuple[str, ...]  # moves to a position from which …
    cycle: tuple[str, ...]  # … these lead back to it


@without_collector()
def shape(game: AnyGame) -> Shape:
    """Answer the longest game, or a shortest cycle through the nearest position that is on one."""
    states, after = _explored(game)
    longest, circling = _peel(after)
    if not circling:
        return Shape(longest, (), ())
    for number in sorted(circling):  # in the order of their distance from the start
        back = _path(after, number, number)
        if back:
            lead = _path(after, 0, number) if number else [0]
            return Shape(None, *_named(game, [states[at] for at in lead], [states[at] for at in back]))
    raise AssertionError("a state that is left over leads to a cycle")


@without_collector()
def shortest_end(game: AnyGame, wanted: Callable[[Outcome], bool]) -> tuple[str, ...] | None:
    """Answer the shortest game that ends as wanted, if there is one."""
    states, after = _explored(game)
    found = next((number for number, state in enumerate(states) if wanted(game.outcome(state))), None)
    if found is None:
        return None
    return _named(game, [states[at] for at in _path(after, 0, found)], [])[0]


@lru_cache(maxsize=1)
def _explored(game: AnyGame) -> tuple[list[Any], list[list[int]]]:
    """Answer all states, and the numbers of those that each leads to."""
    numbers, children, starts = explore(game, STATE_LIMIT)
    return list(numbers), [[entry >> 1 for entry in children[start:end]] for start, end in pairwise(starts)]


def _peel(after: list[list[int]]) -> tuple[int, set[int]]:
    """Take away, again and again, what leads nowhere else; answer the longest way and what is left: cycles."""
    before: list[list[int]] = [[] for _ in after]
    for number, following in enumerate(after):
        for child in following:
            before[child].append(number)
    left = [len(following) for following in after]
    length = [0] * len(after)
    todo = [number for number, count in enumerate(left) if not count]
    for number in todo:
        for parent in before[number]:
            length[parent] = max(length[parent], length[number] + 1)
            left[parent] -= 1
            if not left[parent]:
                todo.append(parent)
    return length[0], {number for number, count in enumerate(left) if count}


def _path(after: list[list[int]], start: int, goal: int) -> list[int]:
    """Answer a shortest way of at least one step from one state to another; nothing if there is none."""
    reached: dict[int, int] = {}
    queue = deque([start])
    while queue and goal not in reached:
        number = queue.popleft()
        for child in after[number]:
            if child not in reached:
                reached[child] = number
                queue.append(child)
    if goal not in reached:
        return []
    path = [goal, reached[goal]]
    while path[-1] != start:
        path.append(reached[path[-1]])
    return path[::-1]


def _named(game: AnyGame, lead: list[Any], back: list[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Answer both ways as names of moves, played from the start."""
    form = canonical_form(game) or (lambda state: state)
    state, names = game.initial(), []
    for wanted in [*lead[1:], *back[1:]]:
        move = next(move for move in game.legal_moves(state) if form(game.play(state, move)) == wanted)
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    return tuple(names[: len(lead) - 1]), tuple(names[len(lead) - 1 :])
