"""Retrograde analysis: from the ends of a game back to its start. Sound for games with cycles."""

import gc
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, canonical_form
from duelbook.solve.solution import ENDLESS, Solution, Value

STATE_LIMIT = 1_500_000  # states that are explored before a game counts as too large


class TooLargeError(RefusedError):
    """A game with more states than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"this game has more than {limit:,} states, the limit for solving it")


class Graph(NamedTuple):
    """The reachable states and the moves between them.

    State n leads to `children[starts[n]:starts[n + 1]]`, each entry twice the number of a state, plus
    one where the turn stays with the same player.
    """

    numbers: dict[Any, int]
    children: "array[int]"
    starts: "array[int]"


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector: millions of states hold no cycles, and it would search them all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@without_collector()
def solve(game: AnyGame, limit: int = STATE_LIMIT) -> Solution:
    """Answer the value of every reachable state of the game, or refuse a game beyond the limit."""
    graph = explore(game, limit)
    decided = ends(game, graph)
    values, remoteness = analyse(graph, decided)
    return Solution(game, graph.numbers, values, remoteness, len(graph.numbers) - len(decided))


def explore(game: AnyGame, limit: int) -> Graph:
    """Answer every state that play can reach, by its canonical form."""
    canonical = canonical_form(game)
    mover_of, legal_moves, play = game.mover, game.legal_moves, game.play
    start = canonical(game.initial()) if canonical else game.initial()
    index, todo = {start: 0}, [start]
    children, starts = array("i"), array("i", [0])
    parts: dict[Any, Any] = {}  # equal parts of states are kept once
    for state in todo:
        mover = mover_of(state)
        for move in legal_moves(state):
            following = play(state, move)
            stays = mover_of(following) == mover
            if canonical:
                following = canonical(following)
            number = index.get(following)
            if number is None:
                number = len(index)
                if number == limit:
                    raise TooLargeError(limit)
                following = _shared(following, parts)
                index[following] = number
                todo.append(following)
            children.append(2 * number + stays)
        starts.append(len(children))
    return Graph(index, children, starts)


def _shared(state: Any, parts: dict[Any, Any]) -> Any:
    return type(state)(*(parts.setdefault(part, part) if isinstance(part, tuple) else part for part in state))


def ends(game: AnyGame, graph: Graph) -> dict[int, Value]:
    """Answer the decided states with their value for the player who would be to move."""
    found = {}
    for state, number in graph.numbers.items():
        outcome = game.outcome(state)
        if outcome == Outcome.DRAW:
            found[number] = Value.DRAW
        elif outcome != Outcome.UNDECIDED:
            found[number] = Value.WIN if outcome == game.mover(state) else Value.LOSS
    return found


def analyse(graph: Graph, decided: dict[int, Value]) -> tuple["array[int]", "array[int]"]:
    """Answer value and remoteness of every state, from those of the decided ones."""
    count = len(graph.numbers)
    values = array("b", bytes(count))
    remoteness = array("i", [ENDLESS]) * count
    parents, starts = _parents(graph)
    open_moves = array("i", (graph.starts[n + 1] - graph.starts[n] for n in range(count)))
    queue = [number for number, value in decided.items() if value is not Value.DRAW]
    for number in queue:
        values[number], remoteness[number] = decided[number], 0
    for number in queue:  # in the order of remoteness, since every state follows one that is a ply nearer
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
    _level_ends(decided, values, remoteness, parents, starts)
    return values, remoteness


def _level_ends(
    decided: dict[int, Value],
    values: "array[int]",
    remoteness: "array[int]",
    parents: "array[int]",
    starts: "array[int]",
) -> None:
    """Give the states that nobody wins their distance to a level end; where there is none play is endless."""
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
    """Turn the moves around: answer, in the same form, from where each state can be reached."""
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
