"""The compiled solver agrees with the interpreted one on every state."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from duelbook import Outcome, make
from duelbook.features import numbers_of
from duelbook.game import AnyGame, Move, Player, won_by
from duelbook.solve import TooLargeError, Value, retrograde, solve
from duelbook.solve.compiled import solve_compiled
from duelbook.solve.packing import Packing, is_whole, sampled_packing
from duelbook.solve.solution import ENDLESS
from tests.support.game_folders import small_variants
from tests.support.toy.rules import Staircase

MORE: list[tuple[str, dict[str, int | str]]] = [
    ("flag-chase", {"cells": "99", "stride": "9"}),
    ("crystal-capture", {}),
    ("crystal-capture", {"deadlock": "draw"}),
    ("crystal-capture", {"crystals": "11", "goal": "60", "deadlock": "draw"}),
    ("charge", {"goal": "9", "biggest_charge": "4", "charge_cards": "3", "block_cards": "1"}),
]


def agree(game: AnyGame, packing: Packing | None = None) -> None:
    """Compare the two solvers on every reachable state."""
    graph = retrograde.explore(game, 1_500_000)
    decided = retrograde.final_values(game, graph)
    values, remoteness = retrograde.analyse(graph, decided)
    solution = solve_compiled(game, 1_500_000, packing)
    assert solution
    assert solution.states() == len(graph.numbers) - len(decided)
    for state, number in graph.numbers.items():
        assert solution.value(state) == values[number], state
        assert solution.remoteness(state) == (None if remoteness[number] == ENDLESS else remoteness[number]), state


@pytest.mark.parametrize(("name", "options"), small_variants() + MORE)
def test_compiled_and_interpreted_solutions_agree_on_every_state(name: str, options: dict[str, str]) -> None:
    agree(make(name, **options))


def test_a_new_game_is_solved_too() -> None:
    agree(Staircase(steps=50))


def test_both_solvers_agree_on_charge_with_a_nearer_goal() -> None:
    agree(make("charge", goal=8))


class Rung(NamedTuple):
    number: int
    turns: int


class Ladder(NamedTuple):
    mover: Player
    at: Rung


@dataclass(frozen=True)
class Seesaw:
    """Step down, or up and move again, below and above 0. The top wins, the bottom draws, and play may be endless."""

    top: int = 40
    num_moves: int = 3

    def initial(self) -> Ladder:
        return Ladder(0, Rung(0, 0))

    def mover(self, state: Ladder) -> Player:
        return state.mover

    def legal_moves(self, state: Ladder) -> Iterator[Move]:
        for move in range(3 if -self.top < state.at.number < self.top else 0):
            yield move

    def play(self, state: Ladder, move: Move) -> Ladder:
        mover = state.mover if move == 2 and state.at.turns < 2 else 1 - state.mover
        turns = state.at.turns + 1 if mover == state.mover else 0
        return Ladder(mover, Rung(state.at.number + (-1, -2, 1)[move], turns))

    def outcome(self, state: Ladder) -> Outcome:
        if state.at.number >= self.top:
            return won_by(state.mover)
        return Outcome.DRAW if state.at.number <= -self.top else Outcome.UNDECIDED

    def move_name(self, state: Ladder, move: Move) -> str:
        return str(move)

    def render(self, state: Ladder) -> str:
        return str(state)


def test_both_solvers_agree_on_cycles_draws_negative_numbers_and_moving_again() -> None:
    agree(Seesaw())
    agree(Seesaw(top=3))


@pytest.mark.parametrize("game", [make("charge", goal=6, charge_cards=2), make("crystal-capture"), Seesaw()])
def test_a_packing_that_is_too_narrow_is_widened(game: AnyGame) -> None:
    lows = tuple(0 for _ in numbers_of(game.initial()))
    agree(game, Packing(lows, lows))


def test_an_unreachable_state_is_not_found() -> None:
    game = make("crystal-capture")
    solution = solve_compiled(game, 10_000)
    assert solution
    start: Any = game.initial()
    for state in (start._replace(theirs=99), start._replace(mine=-1), start._replace(theirs=3), (0, 1), (*start, 1)):
        with pytest.raises(KeyError):
            solution.value(state)


@dataclass(frozen=True)
class WideState(Staircase):
    """A staircase whose first step takes 63 bits."""

    def play(self, state: Any, move: Move) -> Any:
        return type(state)(1 - state.mover, state.step + (1 << 62))

    def outcome(self, state: Any) -> Outcome:
        return won_by(1 - state.mover) if state.step >= self.steps else Outcome.UNDECIDED


def test_a_state_with_too_many_bits_is_left_to_the_interpreted_solver() -> None:
    assert solve_compiled(WideState(), 1000) is None
    assert solve_compiled(WideState(), 1000, Packing((0, 0), (1, 1))) is None


@dataclass(frozen=True)
class Uncompilable(Staircase):
    """A staircase with a rule that numba cannot compile."""

    def play(self, state: Any, move: Move) -> Any:
        return state._replace(mover=1 - state.mover, step=state.step + move + 1)


def test_rules_that_do_not_compile_are_left_to_the_interpreted_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve_compiled(Uncompilable(), 1000) is None
    monkeypatch.setattr("duelbook.solve.retrograde.SMALL_STATE_LIMIT", 3)
    assert solve(Uncompilable()).value(Uncompilable().initial()) is Value.WIN


def test_only_states_of_whole_numbers_are_packable() -> None:
    assert is_whole(make("charge").initial())
    assert not is_whole((1, "two"))
    assert not is_whole((1, Outcome.DRAW))
    assert sampled_packing(make("flag-chase")).bits() == 4  # no mover has covered 2 cells


@pytest.mark.parametrize("name", ["charge", "crystal-capture"])
def test_a_game_beyond_the_limit_is_refused(name: str) -> None:
    with pytest.raises(TooLargeError, match="more than 1,000 states"):
        solve_compiled(make(name), 1000)


def test_a_game_at_the_limit_is_solved() -> None:
    game = make("crystal-capture")
    states = len(retrograde.explore(game, 10_000).numbers)
    assert solve_compiled(game, states)
    with pytest.raises(TooLargeError):
        solve_compiled(game, states - 1)


@pytest.mark.parametrize(("name", "loads"), [("crystal-capture", False), ("charge", True)])
def test_numba_is_loaded_for_large_games_only(name: str, loads: bool) -> None:
    script = (
        f"import sys, duelbook, duelbook.solve as s; s.solve(duelbook.make({name!r})); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{loads}\n"
