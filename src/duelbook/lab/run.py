"""Run the lab: measure the variants on a back end, and write tables and a report into the folder."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from duelbook.arena.calls import NotebookDisplay
from duelbook.arena.manifest import write_manifest
from duelbook.arena.results_log import ResultsLog, resolve_plan, with_checksum
from duelbook.arena.runner import RunDisplay, SilentDisplay, do_batch, plan_of, resumable, run_missing
from duelbook.arena.workers import Job, Line, check_backend, check_shared
from duelbook.extras import require_extra
from duelbook.files import write_atomic
from duelbook.lab.measure import Variant, measure
from duelbook.lab.measured import MeasuredVariants
from duelbook.lab.plan import LabPlan, plan_lab
from duelbook.lab.report import lab_page
from duelbook.lab.table import csv_bytes, parquet_bytes, table_of
from duelbook.solve.budget import VARIABLE

CSV, PARQUET, REPORT = "variants.csv", "variants.parquet", "report.html"


class VariantResults(ResultsLog[LabPlan, Variant]):
    """The measured variants of a lab in a folder."""

    result_type = Variant

    def fits(self, result: Variant) -> bool:
        return result.label == self.plan.describe(result.number)


def run_lab(
    plan: LabPlan,
    folder: Path | str,
    *,
    resume: bool = False,
    backend: str = "process",
    workers: int | None = None,
    ray_address: str | None = None,
    display: RunDisplay | None = None,
) -> MeasuredVariants:
    """Measure the variants of the plan into a folder, and return what was found about each.

    The folder must be new or empty. With `resume` it may also hold the same plan, whose missing variants are measured.
    `backend` is `serial`, `process` or `ray`; `workers` is the number of variants at the same time, by default one for
    each core; `ray_address` is an existing Ray cluster. The same plan gives the same files on every back end.

    The folder then holds lab.json, results.log, variants.csv, variants.parquet and report.html. Raise RefusedError if
    nothing was written, and UnfinishedError if the lab stopped on the way.
    """
    check_backend(backend, workers, ray_address)
    check_shared(backend, [plan.game], plan.levels)
    folder, display = Path(folder), display or SilentDisplay()
    plan = resolve_plan(folder, plan, LabPlan, resume=resume)
    require_extra("lab")  # last, so that nobody installs it only to learn that an argument is wrong
    with VariantResults(folder, plan) as results:
        if results.missing():
            run_missing(
                results,
                Job(write_manifest(plan)),
                work,
                backend=backend,
                workers=workers,
                ray_address=ray_address,
                display=display,
                doing="Measuring",
            )
        with display.busy("Writing the report"), resumable():
            return write_report(folder, plan, MeasuredVariants(plan, results))


def lab(
    game: str,
    sweeps: Sequence[str] | str,
    options: dict[str, Any] | None = None,
    *,
    folder: Path | str | None = None,
    resume: bool = False,
    backend: str = "serial",
    workers: int | None = None,
    ray_address: str | None = None,
    **plan: Any,
) -> MeasuredVariants:
    """Measure the variants of a game, and return them with a `table()`. They show themselves in a notebook.

    `game`, `sweeps`, `options` and `plan` (such as `pairs` and `seed`) are the arguments of `plan_lab`; the others are
    those of `run_lab`. Without a folder the variants are measured one after another, and no files are written.
    """
    planned = plan_lab(game, [sweeps] if isinstance(sweeps, str) else sweeps, options, **plan)
    display = NotebookDisplay()
    if folder is not None:
        return run_lab(
            planned,
            folder,
            resume=resume,
            backend=backend,
            workers=workers,
            ray_address=ray_address,
            display=display,
        )
    found = []
    with display.progress("Measuring", planned.total) as report, _allowed(planned.megabytes):
        for number in range(planned.total):
            found.append(measure(planned, number))
            report(number + 1)
    return MeasuredVariants(planned, found)


def work(job: Job, numbers: Sequence[int]) -> list[Line]:
    """Measure the variants with these numbers until the time is up, at least one, and return them as lines."""
    plan = plan_of(job)
    assert isinstance(plan, LabPlan)
    with _allowed(plan.megabytes):
        return do_batch(lambda number: with_checksum(msgspec.json.encode(measure(plan, number))), numbers)


@contextmanager
def _allowed(megabytes: int) -> Iterator[None]:
    """Let solving take this much memory, whatever the machine has, so that results do not depend on it."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(megabytes)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def write_report(folder: Path, plan: LabPlan, variants: MeasuredVariants) -> MeasuredVariants:
    """Write the tables and the page, and return the variants."""
    table = table_of(plan, variants)
    write_atomic(folder / CSV, csv_bytes(table))
    write_atomic(folder / PARQUET, parquet_bytes(table))
    write_atomic(folder / REPORT, lab_page(plan, variants).encode())
    return variants
