"""A tournament: every agent plays every other one, and the results folder gets standings and a report."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from duelbook.agents import check_reachable, is_model
from duelbook.arena.documents import Standings
from duelbook.arena.manifest import write_manifest
from duelbook.arena.plan import TournamentPlan
from duelbook.arena.report import tournament_page
from duelbook.arena.report.text import replies_text
from duelbook.arena.results import ResultsFolder
from duelbook.arena.results_log import resolve_plan
from duelbook.arena.runner import RunDisplay, SilentDisplay, finisher, prepare, resumable, run_missing, work
from duelbook.arena.runner import UnfinishedError as UnfinishedError
from duelbook.arena.tally import RunTally
from duelbook.arena.workers import Job, check_backend, check_shared, cores
from duelbook.extras import require_extra
from duelbook.files import write_atomic, write_parts
from duelbook.games import name_of

if TYPE_CHECKING:
    from duelbook.agents.llm import Exchange

MATCHES, TIMINGS, STANDINGS, REPORT = "matches.jsonl", "timings.jsonl", "standings.json", "report.html"
EXCHANGES = "exchanges.jsonl"  # with language models, if any play
LOG_VARIABLE = "DUELBOOK_LLM_LOG"


def run_tournament(
    plan: TournamentPlan,
    folder: Path | str,
    *,
    resume: bool = False,
    backend: str = "process",
    workers: int | None = None,
    ray_address: str | None = None,
    display: RunDisplay | None = None,
) -> Standings:
    """Play a tournament into a folder and return its standings.

    The folder must be new or empty. With `resume` it may also hold the same plan, whose missing matches are played.
    `backend` is `serial`, `process` or `ray`; `workers` is the number of matches at the same time, by default one for
    each core; `ray_address` is an existing Ray cluster. The same plan gives the same files on every back end.

    The folder then holds manifest.json, results.log, matches.jsonl, timings.jsonl, standings.json and report.html, and
    exchanges.jsonl if language models play. Raise RefusedError if nothing was written, and UnfinishedError if the
    tournament stopped on the way.
    """
    require_extra("arena")
    check_backend(backend, workers, ray_address)
    check_shared(backend, [name_of(entry.game) for entry in plan.entries], plan.agents)
    folder, display = Path(folder), display or SilentDisplay()
    plan = resolve_plan(folder, plan, TournamentPlan, resume=resume)
    with ResultsFolder(folder, plan) as results, _shared_models(plan.agents, folder / EXCHANGES) as max_workers:
        if results.missing():
            check_reachable(plan.agents)
            with display.busy("Preparing the games"):
                results.plan = prepare(plan)
            if max_workers is not None:
                workers = min(workers or cores(), max_workers)
            stop = _stop_requests if max_workers is not None and backend == "process" else None
            run_missing(
                results,
                Job(write_manifest(results.plan)),
                work,
                backend=backend,
                workers=workers,
                ray_address=ray_address,
                display=display,
                doing="Playing",
                on_interrupt=finisher(stop, display),
            )
        with display.busy("Writing the report"), resumable():
            return write_standings(results)


def _stop_requests() -> None:
    """Let the other processes send no more requests to language models."""
    from duelbook.agents.llm import stop_requests

    stop_requests()


@contextmanager
def _shared_models(agents: tuple[str, ...], log: Path) -> Iterator[int | None]:
    """Let all workers share one log of the language models' exchanges, which holds what need not be asked again.

    They also share one budget. Yield the largest number of workers that the settings allow, since each worker sends
    one request at a time; None if no model plays.
    """
    if not any(map(is_model, agents)):
        yield None
        return
    from duelbook.agents.llm import RESUME_LOG, cut_last_line, read_llm_settings, shared_budget

    own_log = {LOG_VARIABLE: str(log), RESUME_LOG: "yes"} if LOG_VARIABLE not in os.environ else {}
    cut_last_line(log)
    os.environ.update(own_log)
    try:
        with shared_budget():
            yield read_llm_settings().concurrency
    finally:
        for name in own_log:
            del os.environ[name]


def write_standings(results: ResultsFolder) -> Standings:
    """Write the files of a finished tournament and return its standings."""
    from duelbook.arena.standings import standings  # loads numpy

    folder, tally = results.path, RunTally(results.plan, results)
    document = standings(tally)
    document["notes"] += _reply_notes(folder / EXCHANGES)
    write_parts(folder / MATCHES, (_line(to_builtins(result.record)) for result in results))
    times = ({"match": result.number, "first": result.first, "second": result.second} for result in results)
    write_parts(folder / TIMINGS, map(_line, times))
    write_atomic(folder / STANDINGS, (json.dumps(document, indent=2) + "\n").encode())
    write_atomic(folder / REPORT, tournament_page(tally, document).encode())
    return Standings(document)


def _reply_notes(log: Path) -> list[str]:
    """Return a sentence about the replies of each language model, if any play."""
    if not log.exists():
        return []
    from duelbook.agents.llm import count_replies, read_exchanges

    by_model: defaultdict[str, list[Exchange]] = defaultdict(list)
    for exchange in read_exchanges(log):
        by_model[exchange.model].append(exchange)
    counts = {model: count_replies(exchanges) for model, exchanges in sorted(by_model.items())}
    return [f"Replies of llm:{model}: {replies_text(replies)}" for model, replies in counts.items() if replies]


def _line(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"
