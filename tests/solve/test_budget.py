"""The memory that a solve may take, and an early estimate that never refuses a smaller game."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from duelbook import make
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, each_bit
from duelbook.solve import Solution, TooLargeError, allow_memory, budget, memory_budget, retrograde, solve
from duelbook.solve.budget import TooSlowError
from duelbook.solve.estimate import at_least, check_size
from duelbook.solve.progress import Meter
from tests.support.games.drop_four import DropFour
from tests.support.games.pits import Pits, State

NO_BITS = r"Compiled code cannot be used: its states need more than 62 bits. Try smaller options.$"


def test_the_budget_is_half_of_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(budget.VARIABLE, raising=False)
    monkeypatch.setattr(budget, "free_memory", lambda: 64_000_000_000)
    assert memory_budget() == 32_000_000_000


def test_free_memory_is_what_the_system_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in (("MEMORY_INFO", "MemTotal: 9 kB\nMemAvailable:    5000 kB\n"), ("CGROUP_LIMIT", "max\n")):
        monkeypatch.setattr(budget, name, tmp_path / name)
        (tmp_path / name).write_text(text)
    assert budget.free_memory() == 5_120_000
    monkeypatch.setattr(budget, "MEMORY_INFO", tmp_path / "missing")
    assert budget.free_memory() > 5_120_000


def test_a_container_has_the_memory_that_it_may_still_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = {"LIMIT": "2000000\n", "USE": "1500000\n", "DETAILS": "anon 1\ninactive_file 300000\n"}
    for name, text in texts.items():
        monkeypatch.setattr(budget, f"CGROUP_{name}", tmp_path / name)
        (tmp_path / name).write_text(text)
    assert budget.free_memory() == 800_000


def test_the_budget_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "total_memory", lambda: 10**12)
    monkeypatch.setenv(budget.VARIABLE, "300")
    assert memory_budget() == 300_000_000
    for text, expected in (("800M", 800_000_000), ("4G", 4_000_000_000), (" 1tb ", 10**12)):
        allow_memory(text)
        assert memory_budget() == expected


@pytest.mark.parametrize("text", ["", "0M", "4", "much", "1.5G", "-1G", "9999999T"])
def test_an_amount_of_memory_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="--memory"):
        allow_memory(text)


def test_more_memory_than_the_machine_has_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(budget.VARIABLE, "300")
    monkeypatch.setattr(budget, "CGROUP_LIMIT", tmp_path / "limit")
    (tmp_path / "limit").write_text("2500000000\n")
    with pytest.raises(RefusedError, match=r"^--memory must be at most 2.5 GB, which this machine has, not '99999G'.$"):
        allow_memory("99999G")
    assert memory_budget() == 300_000_000
    allow_memory("2500M")
    monkeypatch.setattr(budget, "total_memory", lambda: None)
    allow_memory("99999G")


@pytest.mark.parametrize("text", ["0", "-1", "much", "1.5", "9" * 12])
def test_a_budget_that_makes_no_sense_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(budget.VARIABLE, text)
    with pytest.raises(RefusedError, match="DUELBOOK_SOLVE_MEGABYTES must be"):
        memory_budget()


def test_a_refusal_tells_the_figures() -> None:
    game = make("charge", goal=9)
    with pytest.raises(
        TooLargeError,
        match=r"It has more than 5,[0-9]{3} states, too many for 2 MB of memory. .* DUELBOOK_SOLVE_MEGABYTES=N",
    ):
        retrograde.solve_interpreted(game, meter=Meter(2_000_000))


def test_a_game_that_takes_the_interpreted_solver_too_long_needs_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrograde, "MAX_SECONDS", 0.05)
    with pytest.raises(TooSlowError, match=r"without compiled code: it has more than [0-9,]+ states. Try smaller"):
        retrograde.solve_interpreted(make("charge", goal=9))


def test_a_game_that_would_take_too_long_is_not_said_to_need_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrograde, "MAX_SECONDS", 1)
    source = r"it has more than [0-9,]+ states \(an estimate from [0-9,]+ random games\)\. "
    with pytest.raises(TooSlowError, match=source + NO_BITS) as caught:
        solve(DropFour())
    assert "memory" not in str(caught.value)


def test_without_the_extra_fast_a_refusal_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrograde, "MAX_SECONDS", 0.01)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(TooSlowError, match=r"the extra 'fast' is not installed. Try .*, or install it with: .*fast"):
        solve(make("charge", goal=40))
    with pytest.raises(TooSlowError, match=NO_BITS):  # the extra would not help
        solve(DropFour())


def test_a_game_that_is_clearly_too_large_is_refused_before_it_is_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(budget.VARIABLE, "20")
    explored: list[int] = []

    def refuse(game: AnyGame, limit: int, meter: Meter, obstacle: str = "") -> Solution:
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
