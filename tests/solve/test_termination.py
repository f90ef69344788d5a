"""Whether a game always ends: the longest game, cycles, and the shortest draw."""

import importlib.util
from dataclasses import dataclass

import pytest

from duelbook import make
from duelbook.game import AnyGame
from duelbook.solve import Progress, Stage, TooLargeError, progress, termination, watched_by
from duelbook.solve.termination import (
    Termination,
    find_termination,
    shortest_draw,
    shortest_draw_interpreted,
    termination_interpreted,
)
from tests.support.game_folders import small_variants
from tests.support.games.crossing import Crossing, State
from tests.support.games.mirrored_four import MirroredFour
from tests.support.games.network import random_network
from tests.support.games.pits import Pits
from tests.support.playing import played
from tests.support.toy.rules import Staircase

needs_numba = pytest.mark.skipif(not importlib.util.find_spec("numba"), reason="numba is not installed (extra fast)")


def test_the_longest_game_is_found() -> None:
    assert [find_termination(make(name)).longest for name in ("alpha-chase", "word-clash", "flag-chase")] == [26, 9, 3]
    assert find_termination(make("flag-chase", cells=9)).longest == 7
    assert find_termination(Staircase(steps=7)).longest == 7


def test_a_cycle_leads_back_to_the_position_where_it_began() -> None:
    game = make("charge", goal=3, biggest_charge=2, charge_cards=1, block_cards=0, steal_cards=0)
    found = find_termination(game)
    assert found.longest is None
    assert played(game, *found.lead) == played(game, *found.lead, *found.cycle)
    assert found.cycle


def test_the_shortest_draw_is_found() -> None:
    game = make("crystal-capture", deadlock="draw")
    assert shortest_draw(game) == ("1", "5", "6", "9", "7")
    assert shortest_draw(make("flag-chase")) is None


def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have compiled code find everything, however small a game is."""

    def refuse(*_: object) -> None:
        raise TooLargeError

    monkeypatch.setattr(termination, "_explored", refuse)


@dataclass(frozen=True)
class MirroredCrossing(Crossing):
    """A crossing in which a board and its mirror image are one state."""

    def canonical(self, state: State) -> State:
        column, their_column = self.size - 1 - state.column, self.size - 1 - state.their_column
        if column < state.column or (column == state.column and their_column < state.their_column):
            return State(state.mover, state.row, column, state.their_row, their_column)
        return State(state.mover, state.row, state.column, state.their_row, state.their_column)


def small_games() -> list[AnyGame]:
    """Return small games: some with draws, some with cycles to which a few moves lead, some without either."""
    shipped = [make(name, **options) for name, options in small_variants()]
    games = [*shipped, Crossing(3), Crossing(4, 0), Pits(4), Staircase(steps=50), *map(random_network, range(200))]
    return [*(game for game in games if not hasattr(game, "class_table")), MirroredFour(3, 3, 3), MirroredCrossing(4)]


@needs_numba
@pytest.mark.parametrize("in_sweeps", [False, True])
def test_compiled_code_finds_the_same(in_sweeps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if in_sweeps:
        for name in ("analysis.SPARE_BYTES", "analysis.STATE_BYTES", "compiled.MANY_KEYS"):
            monkeypatch.setattr(f"duelbook.solve.{name}", 0)
    games = small_games()
    expected = [(termination_interpreted(game), shortest_draw_interpreted(game)) for game in games]
    compiled(monkeypatch)
    assert [(find_termination(game), shortest_draw(game)) for game in games] == expected
    shapes = [shape for shape, _ in expected]
    assert any(shape.lead and shape.cycle for shape in shapes)
    assert any(len(shape.cycle) == 1 for shape in shapes)
    assert any(shape.longest is not None for shape in shapes)


@needs_numba
def test_a_search_tells_how_far_it_is_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr("duelbook.solve.play_graph.STEPS", 64)
    compiled(monkeypatch)
    seen: list[Progress] = []
    with watched_by(seen.append):
        assert find_termination(Crossing(6)).longest is None
    assert {Stage.EXPLORING, Stage.ANALYSING} <= {report.stage for report in seen}
    assert all(report.valued <= report.states for report in seen)

    def stop(report: Progress) -> None:
        if report.stage is Stage.ANALYSING:
            raise KeyboardInterrupt

    with watched_by(stop), pytest.raises(KeyboardInterrupt):
        find_termination(Crossing(6))


@needs_numba
def test_a_game_that_needs_more_memory_than_the_budget_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "1")
    compiled(monkeypatch)
    with pytest.raises(TooLargeError, match="too many for 1 MB of memory"):
        find_termination(Crossing(20))


@needs_numba
def test_a_game_of_many_states_is_searched_in_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.solve.retrograde.MAX_SECONDS", 0)
    assert find_termination(Crossing(12)) == Termination(None, (), ("1 2", "11 11", "1 1", "12 12"))
