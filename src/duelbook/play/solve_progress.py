"""How far a solve is, in words, for a person who waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from duelbook.solve.progress import Progress, Stage, watched_by

NOTE_SECONDS = 2.0  # of waiting before it is said what the person can do meanwhile
MEGABYTE = 1_000_000
SHOWN_MEMORY_SHARE = 100  # memory is shown once one part in so many is in use


class SolveStatus(NamedTuple):
    """How far a solve is."""

    text: str
    done: int = 0
    total: int | None = None  # None while it is not known how much there is to do
    has_states: bool = False  # some were found already


@contextmanager
def watched_solve(report: Callable[[SolveStatus], None]) -> Iterator[None]:
    """Report how far the solves inside are. What the function raises ends the solve."""
    with watched_by(lambda progress: report(solve_status(progress))):
        yield


def solve_status(progress: Progress) -> SolveStatus:
    """Return how far a solve is. It is known how much there is to do once all states are found."""
    total = progress.states if progress.stage is Stage.ANALYSING else None
    return SolveStatus(_text(progress), progress.valued, total, progress.states > 0)


def _text(progress: Progress) -> str:
    """Return `2,097,152 states, pass 12, 120 of 4,000 MB`. Memory that hardly counts is left out."""
    if not progress.states:
        return progress.stage
    if progress.stage is Stage.SAVING:
        return f"saving {progress.states:,} states, {progress.passes}%"
    found = f"{progress.states:,} states"
    if progress.stage is Stage.ANALYSING:
        found = f"{progress.valued:,} of {found}"
    passes = f", pass {progress.passes}" if progress.passes else ""
    used, budget = progress.memory_bytes // MEGABYTE, progress.budget_bytes // MEGABYTE
    memory = f", {used:,} of {budget:,} MB" if used and used * SHOWN_MEMORY_SHARE >= budget else ""
    return f"{found}{passes}{memory}"
