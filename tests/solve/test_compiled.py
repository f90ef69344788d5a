"""The compiled solver agrees with the interpreted one on every state."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from duelbook import Outcome, make
from duelbook.features import numbers_of
from duelbook.game import AnyGame, Move, Player, won_by
from duelbook.solve import Solution, TooLargeError, retrograde, solve
from duelbook.solve.budget import NotCompiledError
from duelbook.solve.compiled import solve_compiled
from duelbook.solve.components import choose_cells
from duelbook.solve.packing import Packing, expected_packing, is_whole
from duelbook.solve.solution import ENDLESS
from tests.solve.test_cache import SMALL_CHARGE
from tests.support.game_folders import small_variants
from tests.support.games.broken import Uncompiled
from tests.support.games.drop_four import DropFour
from tests.support.games.mirrored_four import MirroredFour
from tests.support.games.network import random_network
from tests.support.toy.rules import Staircase

MORE: list[tuple[str, dict[str, int | str]]] = [
    ("flag-chase", {"cells": "99", "stride": "9"}),
    ("alpha-chase", {"words": "GHOST,BRAVE"}),
    ("crystal-capture", {}),
    ("crystal-capture", {"deadlock": "draw"}),
    ("crystal-capture", {"crystals": "11", "goal": "60", "deadlock": "draw"}),
    ("charge", {"goal": "9", "biggest_charge": "4", "charge_cards": "3", "block_cards": "1"}),
]


Codes = dict[Any, tuple[int, int | None]]

SWEEPS = {
    "analysis.SPARE_BYTES": 0,
    "analysis.STATE_BYTES": 0,
    "analysis.MAX_SWEEPS": 1 << 60,
    "chunks.CHUNK_MOVES": 64,
}
WAYS: dict[str, dict[str, Any]] = {  # settings under which small games take the ways of large ones
    "whole": {},
    "in components": {"compiled.MANY_KEYS": 0, "analysis.MANY_STATES": 8, "chunks.CHUNK_MOVES": 64},
    "in sweeps": SWEEPS,
    "in sweeps of components": SWEEPS | {"compiled.MANY_KEYS": 0},
    "in sweeps, then with stored moves": SWEEPS | {"analysis.MAX_SWEEPS": 1},
    "with sorted keys": {"keyset.KEYS_PER_STATE": 0, "exploration.SMALL_BITMAP": 0, "compiled.MANY_KEYS": 0},
    "with a table that grows": {"exploration.SMALL_BITMAP": 0, "exploration.INITIAL_SLOTS": 16, "exploration.QUOTA": 64}
    | {"exploration.STACK": 64},
}


@dataclass(frozen=True)
class LongStaircase(Staircase):
    """A staircase with any number of steps."""

    def __post_init__(self) -> None:
        pass


@lru_cache
def expected_codes(game: AnyGame) -> Codes:
    """Return the value and remoteness of every state by the interpreted solver."""
    graph = retrograde.explore(game, 1_500_000)
    values, remoteness = retrograde.analyse(graph, retrograde.final_values(game, graph))
    return {
        state: (values[number], None if remoteness[number] == ENDLESS else remoteness[number])
        for state, number in graph.numbers.items()
    }


def differences(expected: Codes, solution: Solution | None) -> list[Any]:
    assert solution
    return [
        state
        for state, (value, remoteness) in expected.items()
        if (solution.value(state), solution.remoteness(state)) != (value, remoteness)
    ]


def agree(game: AnyGame, packing: Packing | None = None) -> None:
    expected = expected_codes(game)
    solution = solve_compiled(game, packing=packing)
    assert differences(expected, solution) == []
    assert solution
    assert len(solution.packed()[1]) == len(expected)
    assert solution.states() == sum(game.outcome(state) == Outcome.UNDECIDED for state in expected)


def content(solution: Solution | None) -> tuple[Packing, list[bytes]]:
    assert solution
    index, codes = solution.packed()
    return index.packing, [bytes(part) for part in (*index.arrays(), codes)]


def set_way(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    for name, value in WAYS[way].items():
        monkeypatch.setattr(f"duelbook.solve.{name}", value)


@pytest.mark.parametrize("way", WAYS)
def test_compiled_and_interpreted_solutions_agree_on_every_state(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_way(monkeypatch, way)
    for name, options in small_variants() + (MORE if way == "whole" else []):
        agree(make(name, **options))
    toys: list[AnyGame] = [Seesaw(), Seesaw(top=3), SharedSeesaw(), LongStaircase(50)]
    toys += [MirroredFour(3, 3, 3), MirroredFour(4, 3, 3)]
    for game in [*toys, *map(random_network, range(60))]:
        agree(game)


@pytest.mark.parametrize("way", WAYS)
def test_threads_and_stored_moves_do_not_change_a_byte(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    set_way(monkeypatch, way)
    for game in (make("charge", **SMALL_CHARGE), make("crystal-capture", deadlock="draw"), Seesaw()):
        narrow = Packing(*(tuple(number for _ in numbers_of(game.initial())) for number in (0, 1)))
        expected = content(solve_compiled(game, threads=1, stores_moves=True))
        assert content(solve_compiled(game, threads=4, stores_moves=False)) == expected
        widened = content(solve_compiled(game, packing=narrow, threads=1))
        assert content(solve_compiled(game, packing=narrow, threads=3)) == widened


def test_cards_that_are_spent_divide_charge_into_components() -> None:
    game = make("charge")
    packing = expected_packing(game)
    order, cell_size = choose_cells(game, packing)
    assert sorted(order[:4]) == [3, 4, 7, 8]  # the Block and Steal Cards of both players
    assert packing.keys() // cell_size == 36


def test_a_game_of_many_plies_has_longer_codes() -> None:
    game = LongStaircase(14_500)  # random games end within 10,000 moves, as they must
    solution = solve_compiled(game)
    assert solution
    assert solution.remoteness(game.initial()) == 9_667
    assert memoryview(solution.packed()[1]).itemsize == 4  # type: ignore[arg-type]


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


@dataclass(frozen=True)
class SharedSeesaw(Seesaw):
    """A seesaw on which both seats are one state, also where a player moves again."""

    def canonical(self, state: Ladder) -> Ladder:
        return Ladder(0, state.at)


@dataclass(frozen=True)
class OverflowingForm(SharedSeesaw):
    """Its `canonical` is right only with whole numbers of any size."""

    def canonical(self, state: Ladder) -> Ladder:
        return Ladder(0, Rung((state.at.number << 60) * 16 >> 64, state.at.turns))


@dataclass(frozen=True)
class UncompilableForm(SharedSeesaw):
    """Its `canonical` does not compile."""

    def canonical(self, state: Ladder) -> Ladder:
        return state._replace(mover=0)


def test_a_canonical_form_that_cannot_be_compiled_is_left_to_the_interpreted_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for game, reason in ((OverflowingForm(), "`canonical` leads to another state"), (UncompilableForm(), "_replace")):
        with pytest.raises(NotCompiledError, match=rf"its rules with `canonical` do not compile: .*{reason}"):
            solve_compiled(game)
        monkeypatch.setattr("duelbook.solve.retrograde.SMALL_STATE_LIMIT", 3)
        assert list(solve(game)) == list(solve_compiled(SharedSeesaw()))


def test_canonical_states_are_fewer_and_worth_the_same() -> None:
    whole, classes = expected_codes(DropFour(4, 3, 3)), solve_compiled(MirroredFour(4, 3, 3))
    assert differences(whole, classes) == []
    assert len(classes.packed()[1]) < 0.55 * len(whole)


@pytest.mark.parametrize("game", [make("charge", goal=6, charge_cards=2), make("crystal-capture"), Seesaw()])
def test_a_packing_that_is_too_narrow_is_widened(game: AnyGame) -> None:
    lows = tuple(0 for _ in numbers_of(game.initial()))
    agree(game, Packing(lows, tuple(1 for _ in lows)))


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
    for packing in (None, Packing((0, 0), (2, 2))):
        with pytest.raises(NotCompiledError, match="its states need more than 62 bits"):
            solve_compiled(WideState(), 1000, packing)


def test_rules_that_do_not_compile_are_left_to_the_interpreted_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotCompiledError, match=r"its rules do not compile: .*broken.py, line [0-9]+ \("):
        solve_compiled(Uncompiled(), 1000)
    monkeypatch.setattr("duelbook.solve.retrograde.SMALL_STATE_LIMIT", 3)
    assert list(solve(Uncompiled())) == list(retrograde.solve_interpreted(Uncompiled()))


def test_only_states_of_whole_numbers_are_packable() -> None:
    assert is_whole(make("charge").initial())
    assert not is_whole((1, "two"))
    assert not is_whole((1, Outcome.DRAW))
    assert expected_packing(make("flag-chase")).sizes == (2, 3, 3)  # as the game declares


def test_a_game_at_the_limit_is_solved() -> None:
    game = make("crystal-capture")
    states = len(retrograde.explore(game, 10_000).numbers)
    assert solve_compiled(game, states)
    with pytest.raises(TooLargeError, match=f"more than {states - 1:,} states"):
        solve_compiled(game, states - 1)
    with pytest.raises(TooLargeError, match="more than 1,000 states"):
        solve_compiled(make("charge"), 1000)


@pytest.mark.parametrize(("name", "loads"), [("crystal-capture", False), ("charge", True)])
def test_numba_is_loaded_for_large_games_only(name: str, loads: bool) -> None:
    script = (
        f"import sys, duelbook, duelbook.solve as s; s.solve(duelbook.make({name!r})); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{loads}\n"
