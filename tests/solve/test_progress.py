"""A solve reports its progress, and ends when whoever watches it wants that."""

import sys
from pathlib import Path

import pytest

from duelbook import make
from duelbook.solve import Progress, Stage, index, progress, retrograde, solve, watched_by
from duelbook.solve.cache import _in_memory, solved

GAME = make("crystal-capture", goal=14)


@pytest.fixture(autouse=True)
def every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REPORT_SECONDS", 0.0)
    for module in (retrograde, index):
        monkeypatch.setattr(module, "STATES_BETWEEN_REPORTS", 64)


def test_a_solve_tells_what_it_does_and_how_far_it_is() -> None:
    seen: list[Progress] = []
    solution = solve(GAME, memory=10**9, on_progress=seen.append)
    assert {Stage.EXPLORING, Stage.ANALYSING} <= {report.stage for report in seen}
    assert all(report.budget_bytes == 10**9 for report in seen)
    explored = [report for report in seen if report.stage is Stage.EXPLORING]
    assert 0 < explored[-1].memory_bytes < 10**9
    assert [report.states for report in explored] == sorted(report.states for report in explored)
    assert all(report.valued <= report.states for report in seen)
    assert max(report.states for report in seen) >= solution.states()


def test_every_stage_of_the_interpreted_solver_moves_on_and_nothing_counts_backwards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(retrograde, "SMALL_STATE_LIMIT", 10)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _in_memory.clear()
    seen: list[Progress] = []
    solution = solved(GAME, on_progress=seen.append)
    analysed, saved = ([one for one in seen if one.stage is stage] for stage in (Stage.ANALYSING, Stage.SAVING))
    assert {one.states for one in (*analysed, *saved)} == {len(solution)}
    valued = [one.valued for one in (*analysed, *saved)]
    assert valued == sorted(valued)
    assert analysed[1].valued < len(solution) - solution.states()  # while decided states are still being looked for
    percents = [one.passes for one in saved]
    assert percents == sorted(percents)
    assert len({*percents}) > 10
    assert percents[-1] > 90


def test_a_new_stage_is_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REPORT_SECONDS", 1000)
    seen: list[Stage] = []
    meter = progress.Meter(10**9, lambda report: seen.append(report.stage))
    for stage in (Stage.EXPLORING, Stage.EXPLORING, Stage.PREPARING, Stage.PREPARING, Stage.EXPLORING):
        meter.report(stage)
    assert seen == [Stage.EXPLORING, Stage.PREPARING, Stage.EXPLORING]


def test_a_solve_deep_inside_is_watched_too() -> None:
    seen: list[Progress] = []
    _in_memory.clear()
    with watched_by(seen.append):
        solved(GAME)
    assert seen
    count = len(seen)
    solve(GAME)
    assert len(seen) == count


@pytest.mark.parametrize("stage", [Stage.EXPLORING, Stage.ANALYSING])
def test_what_the_watcher_raises_ends_the_solve(stage: Stage) -> None:
    def stop(report: Progress) -> None:
        if report.stage is stage:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        solve(GAME, on_progress=stop)
