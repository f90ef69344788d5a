"""How far a solve is, in words."""

import pytest

from duelbook.play.solve_progress import SolveStatus, solve_status, watched_solve
from duelbook.solve import Progress, Stage, solve
from tests.support.games.slow_stones import SlowStones


@pytest.mark.parametrize(
    ("used", "budget", "shown"),
    [
        (999_999, 20_000_000, ""),  # less than a megabyte
        (99_000_000, 10_000_000_000, ""),  # less than one part in a hundred
        (100_000_000, 10_000_000_000, ", 100 of 10,000 MB"),
    ],
)
def test_memory_that_hardly_counts_is_not_shown(used: int, budget: int, shown: str) -> None:
    progress = Progress(Stage.EXPLORING, 117, memory_bytes=used, budget_bytes=budget)
    assert solve_status(progress) == SolveStatus(f"117 states{shown}", has_states=True)


def test_the_amount_of_work_is_known_once_all_states_are_found() -> None:
    assert solve_status(Progress(Stage.EXPLORING, 20_000)).total is None
    assert solve_status(Progress(Stage.ANALYSING, 20_000, 5_000, 3)) == SolveStatus(
        "5,000 of 20,000 states, pass 3", 5_000, 20_000, has_states=True
    )
    assert solve_status(Progress(Stage.ESTIMATING)).text == Stage.ESTIMATING


def test_a_solve_is_watched_and_what_the_watcher_raises_ends_it() -> None:
    seen: list[SolveStatus] = []

    def watch(status: SolveStatus) -> None:
        seen.append(status)
        if status.has_states:
            raise InterruptedError

    with watched_solve(watch), pytest.raises(InterruptedError):
        solve(SlowStones())
    assert seen[-1].has_states
