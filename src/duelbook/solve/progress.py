"""The progress of a solve: what is reported while somebody waits, and the memory that counts against the budget.

`solve(game, on_progress=show)` calls `show(Progress(…))` several times a second. Code that only asks for a value far
below can be watched, too: `with watched_by(show): hint(game, state)`. What the function raises ends the solve.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

from duelbook.notebook import can_show_bars, progress_bar
from duelbook.solve.budget import TooLargeError, memory_budget

REPORT_SECONDS = 0.1  # between two reports


class Stage(StrEnum):
    """What a solve is doing."""

    WAITING = "waiting for another process that solves this game"
    PREPARING = "preparing the solver"
    ESTIMATING = "estimating the size of the game"
    EXPLORING = "finding positions"
    ANALYSING = "working out values"
    SAVING = "saving the solution"
    WRITING = "writing the certificate"


@dataclass(frozen=True)
class Progress:
    """How far a solve has come."""

    stage: Stage
    states: int = 0  # found so far
    valued: int = 0  # of these, with a known value; both are equal at the end
    passes: int = 0  # EXPLORING: moves from the start; ANALYSING: parts that are finished; SAVING: percent
    memory_bytes: int = 0  # in use by the solver
    budget_bytes: int = 0  # that it may use


OnProgress = Callable[[Progress], None]

_watcher: ContextVar[OnProgress | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(on_progress: OnProgress) -> Iterator[None]:
    """Report every solve in this context to the function, unless the solve is given another one."""
    token = _watcher.set(on_progress)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def shown_in_notebooks() -> Iterator[None]:
    """Show the progress of a solve in this context as a bar if this is a notebook and nobody else watches."""
    if _watcher.get() or not can_show_bars():
        yield
        return

    def show(found: Progress) -> None:
        bar.update(found.valued, f"{found.stage}, {found.states:,} positions")

    with progress_bar("Solving") as bar, watched_by(show):
        yield


class Meter:
    """Reports the progress of one solve, and refuses memory beyond its budget."""

    def __init__(self, budget_bytes: int | None = None, on_progress: OnProgress | None = None) -> None:
        self.budget_bytes = memory_budget() if budget_bytes is None else budget_bytes
        self.memory_bytes = self.peak_bytes = 0
        self._on_progress = on_progress or _watcher.get()
        self._stage: Stage | None = None  # that was reported last
        self._next = 0.0  # the time of the next report of the same stage

    def use(self, memory_bytes: int, states: int) -> None:
        """Note that so much memory is needed for so many states, or raise TooLargeError if that is too much."""
        if memory_bytes > self.budget_bytes:
            raise TooLargeError(states, budget_bytes=self.budget_bytes)
        self.memory_bytes = memory_bytes
        self.peak_bytes = max(self.peak_bytes, memory_bytes)

    def report(self, stage: Stage, states: int = 0, valued: int = 0, passes: int = 0) -> None:
        """Report the progress, unless that was done a moment ago and the stage is the same."""
        if self._on_progress and (stage is not self._stage or time.monotonic() >= self._next):
            self._stage = stage
            self._on_progress(Progress(stage, states, valued, passes, self.memory_bytes, self.budget_bytes))
            self._next = time.monotonic() + REPORT_SECONDS
