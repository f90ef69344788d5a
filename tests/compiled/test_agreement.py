"""Rules that would play another game when they are compiled are refused."""

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

import numpy as np

from duelbook.compiled import new_batch, new_turn, playouts, step
from duelbook.compiled.agreement import check_agreement
from duelbook.compiled.kernel import CannotCompileError
from duelbook.contract import BrokenRulesError
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from tests.support.games.broken import Dice, Heavy, Rare, ThreePlayers, Uncompiled, WideSteps
from tests.support.games.grid import Grid
from tests.support.games.pits import Pits


@pytest.mark.parametrize("size", [8, 9])
def test_a_mask_that_is_too_wide_is_refused_with_its_width(size: int) -> None:
    with pytest.raises(CannotCompileError, match=f"mine has {size * size} bits") as refused:
        playouts(Grid(size), 10, seed=1)
    assert "Split it into several numbers" in str(refused.value)


def test_a_number_of_unknown_width_is_refused_when_it_is_seen() -> None:
    with pytest.raises(CannotCompileError, match=r"a number of the state has 74 bits.* In the initial state.$"):
        playouts(Heavy(), 10, seed=1)


def test_numbers_that_overflow_on_the_way_are_refused() -> None:
    with pytest.raises(CannotCompileError, match=r"they lead to another state, .* After: take [123].$"):
        playouts(WideSteps(), 10, seed=1)


@pytest.mark.parametrize("game", [ThreePlayers(), Dice()], ids=repr)
def test_broken_rules_are_never_compiled(game: AnyGame) -> None:
    for use in (
        lambda: playouts(game, 10, seed=1),
        lambda: step(new_batch(game, 2), np.zeros(2, np.int64), 100, new_turn(2)),
    ):
        with pytest.raises(BrokenRulesError):
            use()


def test_a_fault_in_a_rare_position_is_found_while_games_are_played() -> None:
    check_agreement(Rare(), games=1)
    with pytest.raises(BrokenRulesError, match="a game is undecided, but no move is legal"):
        playouts(Rare(), 100_000, seed=1)


def test_a_move_beyond_the_last_one_writes_nowhere() -> None:
    game = Rare(unknown_move=1)
    batch = new_batch(game, 1)
    take_one = np.zeros(1, np.int64)
    for _ in range(game.stones - 3):
        step(batch, take_one, 1000, new_turn(1))
    with pytest.raises(BrokenRulesError, match="a legal move is not in the range from 0 to 2"):
        step(batch, take_one, 1000, new_turn(1))


def test_extra_turns_and_draws_compile() -> None:
    check_agreement(Pits(), games=50)
    assert playouts(Pits(), 1000, seed=1).draws > 0


def test_rules_that_numba_does_not_know_are_refused_in_one_sentence() -> None:
    with pytest.raises(
        RefusedError, match=r"The rules of Uncompiled\(.*\) cannot be compiled: .*the guide 'Write a game'\)\.$"
    ) as one:
        playouts(Uncompiled(), 10, seed=1)
    assert "\n" not in str(one.value)
