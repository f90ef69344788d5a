"""Parts of a game that can be solved one after another: no play leads from a part back to a later one.

Cards that are spent or crystals that are taken never come back. Keys begin with such numbers, so that states with equal
ones are a range of keys, a cell. Cells between which play goes to and fro are one component.
"""

import random
from collections.abc import Iterator
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.features import numbers_of
from duelbook.game import AnyGame, canonical_or_same
from duelbook.solve.packing import Packing

MAX_CELLS = 1024
SAMPLE_GAMES = 40
SAMPLE_PLIES = 100


def choose_cells(game: AnyGame, packing: Packing) -> tuple[tuple[int, ...], int]:
    """Return an order of the numbers of a state, and the size of a cell, so that play leaves cells for good.

    Random games show which numbers, or sums of two, never rise or never fall. If that is wrong, a component is larger.
    """
    edges = np.array(list(_sampled_edges(game)), np.int64)  # by edge, before and after, number
    chosen: list[int] = []
    for group in sorted(_steady_groups(edges), key=lambda group: prod(packing.sizes[one] for one in group)):
        cells = prod(packing.sizes[one] for one in (*chosen, *group))
        if not set(group) & set(chosen) and (cells <= MAX_CELLS or (not chosen and len(group) == 1)):
            chosen += group
    order = (*chosen, *(number for number in range(len(packing.lows)) if number not in chosen))
    cells = prod(packing.sizes[one] for one in chosen)
    return order, packing.keys() // cells * max(1, -(-cells // MAX_CELLS))


def _steady_groups(edges: npt.NDArray[np.int64]) -> Iterator[tuple[int, ...]]:
    """Return the numbers, and the pairs of other numbers, whose sum changes in one direction only."""
    numbers = range(edges.shape[2])
    alone = [number for number in numbers if _is_steady(edges, number)]
    yield from ((number,) for number in alone)
    yield from (pair for pair in combinations(numbers, 2) if not set(pair) & set(alone) and _is_steady(edges, *pair))


def _is_steady(edges: npt.NDArray[np.int64], *group: int) -> bool:
    changes = edges[:, 1, group].sum(axis=1) - edges[:, 0, group].sum(axis=1)
    return bool(changes.any() and ((changes >= 0).all() or (changes <= 0).all()))


def _sampled_edges(game: AnyGame) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the numbers of states in random games, and those after every move."""
    rng, form = random.Random(0), canonical_or_same(game)
    for _ in range(SAMPLE_GAMES):
        state: Any = game.initial()
        for _ in range(SAMPLE_PLIES):
            following = [game.play(state, move) for move in game.legal_moves(state)]
            if not following:
                break
            before = tuple(numbers_of(form(state)))
            yield from ((before, tuple(numbers_of(form(after)))) for after in following)
            state = rng.choice(following)


def components(moves: npt.NDArray[np.uint8]) -> list[list[int]]:
    """Return the cells that belong together, in an order in which no move leads to a later component."""
    reach = [1 << cell | sum(1 << int(after) for after in np.flatnonzero(moves[cell])) for cell in range(len(moves))]
    for through, reached in enumerate(reach):
        bit = 1 << through
        for cell in range(len(reach)):
            if reach[cell] & bit:
                reach[cell] |= reached
    found: dict[int, list[int]] = {}
    for cell, reached in enumerate(reach):  # cells that reach each other reach the same cells
        found.setdefault(reached, []).append(cell)
    return [found[reached] for reached in sorted(found, key=int.bit_count)]
