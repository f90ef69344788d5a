"""A game that breaks the contract is never solved to values that look right."""

import pytest

from duelbook.contract import BrokenRulesError
from duelbook.game import AnyGame
from duelbook.solve import solve
from duelbook.solve.budget import NotCompiledError
from duelbook.solve.retrograde import solve_interpreted
from duelbook.solve.termination import find_termination
from tests.support.games.broken import Dice, MovesAfterTheEnd, NoMoves, Rare, ThreePlayers
from tests.support.playing import legal_names


@pytest.mark.parametrize("rules", [Dice, ThreePlayers, NoMoves, MovesAfterTheEnd], ids=lambda rules: rules.__name__)
def test_broken_rules_are_not_solved(rules: type[AnyGame]) -> None:
    for use in (solve, find_termination):
        with pytest.raises(BrokenRulesError):
            use(rules())


def test_a_fault_in_a_rare_position_is_found_with_the_moves_that_lead_to_it() -> None:
    with pytest.raises(BrokenRulesError, match="No move is legal, but the game is undecided") as refused:
        solve_interpreted(Rare())
    assert refused.value.moves
    assert legal_names(Rare(), *refused.value.moves) == []
    assert str(refused.value).endswith(f"After: {', '.join(refused.value.moves)}.")


@pytest.mark.slow
def test_the_compiled_solver_finds_it_too() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.solve.compiled import solve_compiled

    with pytest.raises(NotCompiledError, match="its rules break the contract of games"):
        solve_compiled(Rare(), 1000)
