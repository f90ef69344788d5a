"""The runner: does the tasks that a results folder still lacks. Also what a worker does with a batch of matches."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from duelbook.agents import StoppedError, make_agent, needs_solution
from duelbook.agents.process import KEPT
from duelbook.arena.judgement import judge
from duelbook.arena.manifest import read_manifest
from duelbook.arena.match import MakeAgent, play_match
from duelbook.arena.plan import MatchPlan, Plan
from duelbook.arena.results import MatchResult, write_result
from duelbook.arena.results_log import ResultsLog
from duelbook.arena.workers import MAX_DEATHS, Job, Line, Pool, Work, WorkerDiedError, make_pool, play_all
from duelbook.errors import RefusedError
from duelbook.games import label
from duelbook.records.document import to_document
from duelbook.solve import remember_too_large, solved, try_solve

BATCH_SECONDS = 0.25  # after which a worker hands over the results that it has
WAITING = "Waiting for the requests under way, so that no reply is lost. Press Ctrl-C again to stop at once."

P = TypeVar("P", bound=MatchPlan)


class RunDisplay(Protocol):
    """Shows the progress of a run. The terminal's `Screen` is one."""

    def busy(self, text: str) -> AbstractContextManager[None]:
        """Show that something takes a while."""
        ...

    def progress(self, text: str, total: int, done: int = 0) -> AbstractContextManager[Callable[[int], None]]:
        """Show how much is done. The context gives the function that takes the number done."""
        ...

    def note(self, text: str) -> None:
        """Show a sentence in a line of its own, also during progress."""
        ...


class SilentDisplay:
    """A display that shows nothing."""

    def busy(self, text: str) -> AbstractContextManager[None]:
        return nullcontext()

    def progress(self, text: str, total: int, done: int = 0) -> AbstractContextManager[Callable[[int], None]]:
        return nullcontext(lambda count: None)

    def note(self, text: str) -> None:
        pass


def finisher(stop_requests: Callable[[], None] | None, display: RunDisplay) -> Callable[[], None] | None:
    """Return what a first Ctrl-C does: no more requests are sent. None if no language model is asked."""
    if stop_requests is None:
        return None

    def finish() -> None:
        stop_requests()
        display.note(WAITING)

    return finish


def prepare(plan: P) -> P:
    """Solve the games of the plan and return it with what that found.

    A plan that was prepared elsewhere keeps what was found there, so that it gives the same matches here. Raise
    RefusedError if that is not possible, or if an agent cannot play without exact values and a game is too large.
    """
    exact = plan.exact or tuple(try_solve(entry.game) for entry in plan.entries)
    needing = [agent for agent in plan.agents if needs_solution(agent)]
    for entry, is_exact_here in zip(plan.entries, exact, strict=True):
        if not is_exact_here and needing:
            raise RefusedError(
                f"{entry.label} is too large to solve, and {needing[0]} needs its exact values. "
                "Leave it out, or let expert or mcts play."
            )
        if is_exact_here and not try_solve(entry.game):
            raise RefusedError(
                f"{entry.label} was solved where this {plan.kind} was planned, but it is too large to solve here. "
                "Allow more memory with --memory, or plan it anew."
            )
    return replace(plan, exact=exact)


class UnfinishedError(RefusedError):
    """A run stopped before its end. Every finished task is in the folder, and the run can be resumed."""


@contextmanager
def resumable() -> Iterator[None]:
    """Raise every expected error as UnfinishedError."""
    try:
        yield
    except RefusedError as error:
        raise UnfinishedError(str(error)) from error
    except OSError as error:
        raise UnfinishedError(f"Cannot write to the folder: {error.strerror}.") from error


def run_missing(
    results: ResultsLog[Any, Any],
    job: Job,
    work: Work,
    *,
    backend: str,
    workers: int | None,
    ray_address: str | None,
    display: RunDisplay,
    doing: str,
    on_interrupt: Callable[[], None] | None = None,
) -> None:
    """Do the tasks that the folder lacks on a back end. Raise UnfinishedError if the run stops on the way.

    For `on_interrupt` see `play_missing`.
    """
    with closing(make_pool(job, work, backend, workers, ray_address)) as pool:
        results.begin()
        with display.progress(doing, results.plan.total, len(results)) as report, resumable():
            play_missing(results, pool, report, on_interrupt)


def play_missing(
    results: ResultsLog[Any, Any],
    pool: Pool,
    report: Callable[[int], None],
    on_interrupt: Callable[[], None] | None = None,
) -> None:
    """Do the tasks that the folder lacks, and append their results. `report` gets the number that it holds.

    On Ctrl-C, `on_interrupt` makes the tasks under way stop where that loses nothing, and they are waited for. Another
    Ctrl-C stops at once, and so does the first without `on_interrupt`.
    """
    try:
        with KEPT.during_run():
            for number, line in play_all(results.missing(), pool):
                results.append(number, line)
                report(len(results))
    except BaseException as error:
        if on_interrupt and isinstance(error, KeyboardInterrupt):
            pool.drain_seconds = math.inf
            on_interrupt()
        with suppress(Exception):  # an interrupted worker may fail in any way
            for number, line in pool.drain(error):
                results.append(number, line)
        if isinstance(error, WorkerDiedError):
            task = f"{results.plan.task.capitalize()} {error.number}"
            about = results.plan.describe(error.number)
            raise RefusedError(f"{task} crashed {MAX_DEATHS} workers. It was {about}.") from error
        raise


def work(job: Job, numbers: Sequence[int], seconds: float = BATCH_SECONDS, make: MakeAgent = make_agent) -> list[Line]:
    """Play the matches with these numbers until the time is up, at least one, and return their results as lines."""
    plan = plan_of(job)
    assert isinstance(plan, MatchPlan)
    return do_batch(lambda number: write_result(play_fixture(plan, number, make=make)), numbers, seconds)


def do_batch(task: Callable[[int], str], numbers: Sequence[int], seconds: float = BATCH_SECONDS) -> list[Line]:
    """Do the tasks with these numbers until the time is up, at least one, and return their results as lines."""
    lines: list[Line] = []
    started = time.monotonic()
    for number in numbers:
        try:
            lines.append((number, task(number)))
        except StoppedError:
            if not lines:
                raise
            break  # the finished tasks count, and the next batch raises it again
        if time.monotonic() - started > seconds:
            break
    return lines


@lru_cache(maxsize=1)
def plan_of(job: Job) -> Plan:
    """Return the plan of a job, which a worker reads only once."""
    return read_manifest(job.manifest.encode())


def play_fixture(plan: MatchPlan, number: int, *, judging: bool = True, make: MakeAgent = make_agent) -> MatchResult:
    """Play the match with this number, and judge its moves if its game was solved and `judging` is set.

    The plan must be a prepared one, unless neither its openings nor its agents depend on exact values.
    """
    fixture = plan.fixture(number)
    exact = plan.exact[fixture.entry] if plan.exact else None
    if exact:
        solved(fixture.game)  # before the match, so that it does not count as an agent's time
    elif exact is False:
        remember_too_large(fixture.game)  # so that levels search at once
    played = play_match(
        fixture.game,
        plan.players(fixture),
        first=fixture.first,
        seed=fixture.seed,
        opening=plan.opening(fixture.entry, fixture.pair),
        limit=plan.ply_limit,
        name=fixture.name,
        make=make,
    )
    return MatchResult(
        number,
        to_document(played.record, label(fixture.game)),
        played.forfeit,
        judge(played.record) if exact and judging else None,
        played.seconds_of(0),
        played.seconds_of(1),
    )
