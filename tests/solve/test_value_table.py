"""The solution of a game for compiled code."""

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

import numpy as np

from duelbook import make
from duelbook.compiled.kernel import CannotCompileError
from duelbook.contract import BrokenRulesError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, HasClassTable
from duelbook.solve import solve
from duelbook.solve.keyset import find
from duelbook.solve.solution import ENDLESS, code_of
from duelbook.solve.successors import packed
from duelbook.solve.value_table import ValueTable
from tests.support.games import broken
from tests.support.games.crossing import Crossing
from tests.support.games.numbered_stones import NumberedStones
from tests.support.games.slow_stones import SlowStones

ALPHA_CHASE = make("alpha-chase", words="PLANT,PLANE", word_list="all")  # has half as many states as other words
GAMES = [make("crystal-capture"), ALPHA_CHASE, make("word-clash"), NumberedStones(), Crossing(size=3, well=0)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_every_state_has_its_code(game: AnyGame) -> None:
    solution = solve(game)
    table = ValueTable.of(solution)
    for state, value, remoteness in solution:
        found = game.class_of(state, game.class_table()) if isinstance(game, HasClassTable) else state
        key = packed(np.array([*numbers_of(found)]), table.packing)
        assert table.codes[find(table.places, key)] == code_of(value, ENDLESS if remoteness is None else remoteness)


def test_classes_that_are_mixed_up_are_refused() -> None:
    with pytest.raises(BrokenRulesError, match="class_of is the same for states with other canonical states"):
        ValueTable.of(solve(broken.MixedClasses()))


def test_classes_that_do_not_compile_or_differ_when_compiled_have_no_table() -> None:
    with pytest.raises(CannotCompileError, match="compiled, they find other classes of states than interpreted"):
        ValueTable.of(solve(broken.WideClasses()))
    with pytest.raises(CannotCompileError, match="cannot be compiled"):
        ValueTable.of(solve(SlowStones(stones=10, pause=1)))
