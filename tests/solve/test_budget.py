"""How large a game may be to be solved: a budget of memory, and an early estimate that never refuses a smaller game."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from duelbook import make
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, each_bit
from duelbook.solve import Solution, TooLargeError, budget, memory_budget, retrograde, solve
from duelbook.solve.budget import at_least, check_size, state_limit
from tests.support.games.drop_four import DropFour
from tests.support.games.pits import Pits, State


def test_the_budget_is_a_share_of_the_memory_but_enough_for_usual_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(budget.VARIABLE, raising=False)
    monkeypatch.setattr(budget, "machine_memory", lambda: 64_000_000_000)
    assert memory_budget() == 4_000_000_000
    monkeypatch.setattr(budget, "machine_memory", lambda: 1_000_000_000)
    assert memory_budget() == 500_000_000


def test_a_container_has_the_memory_that_it_may_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(budget, "CGROUP_LIMIT", tmp_path / "memory.max")
    (tmp_path / "memory.max").write_text("max\n")
    assert budget.machine_memory() > 2_000_000
    (tmp_path / "memory.max").write_text("2000000\n")
    assert budget.machine_memory() == 2_000_000


def test_the_budget_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(budget.VARIABLE, "300")
    assert memory_budget() == 300_000_000
    small = state_limit(make("charge"))
    assert state_limit(make("charge"), compiled=True) > 2 * small
    monkeypatch.setenv(budget.VARIABLE, "600")
    assert state_limit(make("charge")) in (2 * small, 2 * small + 1)


@pytest.mark.parametrize("text", ["0", "-1", "much", "1.5", "9" * 12])
def test_a_budget_that_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(budget.VARIABLE, text)
    with pytest.raises(RefusedError, match="DUELBOOK_SOLVE_MEGABYTES must be"):
        memory_budget()


def test_a_game_is_explored_as_far_as_the_memory_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(budget.VARIABLE, "2")
    game = make("charge", goal=9)
    with pytest.raises(
        TooLargeError, match=f"It has more than {state_limit(game):,} states. .* DUELBOOK_SOLVE_MEGABYTES=N"
    ):
        retrograde.solve_interpreted(game)


def test_a_game_that_is_clearly_too_large_is_refused_before_it_is_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(budget.VARIABLE, "20")
    explored: list[int] = []

    def refuse(game: AnyGame, limit: int) -> Solution:
        explored.append(limit)
        raise TooLargeError(limit)

    monkeypatch.setattr(retrograde, "solve_interpreted", refuse)
    with pytest.raises(TooLargeError, match=r"\(an estimate from [0-9,]+ random games\)"):
        solve(DropFour())
    assert explored == [retrograde.SMALL_STATE_LIMIT]


@dataclass(frozen=True)
class AllPits(Pits):
    """It ends when all pits are empty, so that it has many states but few final ones."""

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit(state.full)

    def outcome(self, state: State) -> Outcome:
        return Outcome.UNDECIDED if state.full else Outcome.DRAW


def test_a_game_with_few_final_states_is_measured_before_its_end() -> None:
    with pytest.raises(TooLargeError):
        check_size(AllPits(20), 20_000)


@pytest.mark.parametrize("size", [(3, 3), (4, 3)])
def test_the_estimate_never_exceeds_the_number_of_states(size: tuple[int, int]) -> None:
    game = DropFour(*size)
    states = len(retrograde.explore(game, 1_000_000).numbers)
    check_size(game, states)
    with pytest.raises(TooLargeError):
        check_size(game, states // 200)


def test_few_repeats_in_many_games_show_many_states() -> None:
    assert at_least(100, 100) == 23
    assert at_least(1000, 0) == 35_678
    assert at_least(1000, 1000) < at_least(1000, 10) < at_least(1000, 0)
