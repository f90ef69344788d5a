"""The compiled solver, for games whose keys fit into 62 bits. Same results as `retrograde`, on all cores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.compiled.agreement import check_canonical
from duelbook.compiled.kernel import CannotCompileError
from duelbook.contract import BrokenRulesError
from duelbook.game import AnyGame, canonical_form
from duelbook.solve.analysis import Analysis
from duelbook.solve.budget import NotCompiledError
from duelbook.solve.components import choose_cells
from duelbook.solve.exploration import NO_ENDS, NO_OUTCOMES, NOTHING, Exploration, Explored, MisfitError, tightened
from duelbook.solve.index import BitmapIndex, SortedIndex
from duelbook.solve.levels import Codes, TooLongError
from duelbook.solve.packing import TOO_WIDE, Packing, check_packable, expected_packing
from duelbook.solve.progress import Meter
from duelbook.solve.solution import Solution
from duelbook.solve.successors import COUNTS, Cells, packing_array, visit
from duelbook.solve.threads import Threads
from duelbook.solve.walks import check_size_compiled

BROKEN = "its rules break the contract of games"
MANY_KEYS = 1 << 26  # a game with fewer is not divided into components, since it needs little memory anyway


def solve_compiled(
    game: AnyGame,
    limit: int | None = None,
    packing: Packing | None = None,
    meter: Meter | None = None,
    threads: int | None = None,
    stores_moves: bool | None = None,
) -> Solution:
    """Return the solution. Raise NotCompiledError if the rules do not compile or the states do not fit into 62 bits.

    `stores_moves` says whether moves are stored or computed twice (default: what fits the memory). Neither that nor the
    number of threads changes the solution.
    """
    check_packable(game)
    check_compilable(game)
    meter = meter or Meter()
    with Threads(threads) as workers:
        try:
            packing = packing or expected_packing(game)
            if limit is None:
                packing = check_size_compiled(game, packing, workers, meter)
            explored = explore_compiled(game, packing, workers, meter, limit)
        except BrokenRulesError as error:  # the interpreted solver raises it with a line of moves, if it gets there
            raise NotCompiledError(BROKEN) from error
        try:
            codes: Codes = Analysis(game, explored, workers, meter, np.int16, stores_moves).run()
        except TooLongError:
            codes = Analysis(game, explored, workers, meter, np.int32, stores_moves).run()
    places = explored.places
    index: SortedIndex | BitmapIndex
    if len(places.words):
        index = BitmapIndex(explored.packing, _numbers(places.words.view(np.uint64)), _numbers(places.ranks))
    else:
        index = SortedIndex(explored.packing, _numbers(places.keys))
    return Solution(game, index, _numbers(codes), explored.undecided, explored.extra_turns)


def _numbers(array: npt.NDArray[Any]) -> Sequence[int]:
    """Return the array as a sequence of Python's whole numbers, which are quicker than numpy's."""
    return memoryview(array)  # type: ignore[arg-type]


def check_compilable(game: AnyGame) -> None:
    """Compile the rules, or raise NotCompiledError if they do not compile."""
    columns = packing_array(Packing((0,), (1,)))
    cells = Cells(1, np.zeros((1, 1), np.uint8))
    try:
        visit(
            *(game, columns, NOTHING, NOTHING, 0, 0, 0, NOTHING, NOTHING, cells),
            *(NOTHING, NO_ENDS, NO_OUTCOMES, np.zeros(COUNTS, np.int64)),
        )
        if canonical := canonical_form(game):
            check_canonical(game, canonical)
    except CannotCompileError as error:
        rules = "its rules with `canonical`" if canonical_form(game) else "its rules"
        raise NotCompiledError(f"{rules} do not compile: {error.reason.rstrip('.')}") from error
    except (TypeError, OSError) as error:  # the rules have no source file to hash
        raise NotCompiledError("its rules do not compile") from error


def explore_compiled(
    game: AnyGame, packing: Packing, threads: Threads, meter: Meter, limit: int | None = None
) -> Explored:
    """Return all states that play can reach. Raise NotCompiledError if their keys do not fit into 62 bits."""
    exact = True
    while packing.fits():
        cell_size = packing.keys()
        if packing.keys() > MANY_KEYS:
            order, cell_size = choose_cells(game, packing)
            packing = replace(packing, order=order)
        try:
            explored = Exploration(game, packing, cell_size, threads, meter, limit).run()
        except MisfitError as misfit:
            packing, exact = packing.widened(misfit.row), False
            continue
        if exact:
            return explored
        # With several threads, chance decides which state is found not to fit. The packing must not depend on that.
        packing, exact = tightened(explored), True
    raise NotCompiledError(TOO_WIDE)
