"""An evaluation: one agent plays several others, and the report measures it by exact values."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import to_builtins

from duelbook.agents import Agent, ForfeitKind, is_model, make_agent
from duelbook.arena.documents import EvaluationReport
from duelbook.arena.evidence import Evidence
from duelbook.arena.manifest import write_manifest
from duelbook.arena.plan import EvaluationPlan
from duelbook.arena.report import evaluation_page
from duelbook.arena.report.text import evaluation_text
from duelbook.arena.results import MatchResult, ResultsFolder
from duelbook.arena.results_log import resolve_plan
from duelbook.arena.runner import RunDisplay, SilentDisplay, finisher, play_missing, prepare, work
from duelbook.arena.tally import RunTally, Score
from duelbook.arena.workers import Job, Pool, SerialPool, ThreadPool, Work
from duelbook.errors import RefusedError
from duelbook.files import write_atomic, write_parts
from duelbook.game import SEAT_NAMES
from duelbook.intervals import Cluster, clustered
from duelbook.solve import solved

if TYPE_CHECKING:
    from duelbook.agents.llm import Exchange, ModelClient

MATCHES, EXCHANGES = "matches.jsonl", "exchanges.jsonl"
NO_REPLY = ("failed", "error")  # results of exchanges whose response held no reply
REPORT_FORMAT, REPORT_VERSION = "duelbook-evaluation", 1


class Prices(NamedTuple):
    """The price of a million tokens, in any currency."""

    read: float
    written: float


def run_evaluation(
    plan: EvaluationPlan,
    folder: Path | str,
    *,
    resume: bool = False,
    client: "ModelClient | None" = None,
    parallel: int | None = None,
    prices: Prices | None = None,
    display: RunDisplay | None = None,
) -> EvaluationReport:
    """Play an evaluation into a folder and return its report.

    The folder must be new or empty. With `resume` it may also hold the same plan, whose missing matches are played;
    replies of language models that are in its log are not paid for again. `client` connects language models, by default
    with the settings of the environment. `parallel` is the number of matches at the same time.

    The folder then holds evaluation.json, results.log, matches.jsonl, report.html, report.json and report.txt, and
    exchanges.jsonl if language models play. If the evaluation stops on the way, the report about the finished matches
    is written before StoppedError is raised.
    """
    display = display or SilentDisplay()
    client = client or default_client(plan)
    with open_evaluation(plan, Path(folder), resume=resume, client=client, display=display) as results:
        try:
            play_evaluation(results, client=client, parallel=parallel, display=display)
        finally:
            report = write_report(results, prices)
    return report


def default_client(plan: EvaluationPlan) -> "ModelClient | None":
    """Return a client with the settings of the environment and of the plan, or None if no language model plays."""
    if plan.reading is None:
        return None
    from duelbook.agents.llm import ModelClient, read_llm_settings

    body = json.dumps(plan.body) if plan.body else None
    how: dict[str, Any] = {"reading": plan.reading, "tools": plan.tools, "system_role": plan.system_role}
    return ModelClient(read_llm_settings(attempts=plan.attempts or None, show_legal=plan.show_legal, body=body, **how))


def open_evaluation(
    plan: EvaluationPlan, folder: Path, *, resume: bool, client: "ModelClient | None", display: RunDisplay
) -> ResultsFolder:
    """Return the folder, ready for results. Raise RefusedError, before anything is written, if that is not possible."""
    if resume and not (folder / plan.manifest_name).exists():
        raise RefusedError(f"'{folder}' holds no evaluation to resume.")
    if client and plan.reading and client.settings.reading is not plan.reading:
        raise RefusedError(f"The reading of the client is {client.settings.reading}, that of the plan {plan.reading}.")
    if client and plan.reading:
        plan = replace(plan, timeout=client.settings.timeout)
    plan = resolve_plan(folder, plan, EvaluationPlan, resume=resume)
    results = ResultsFolder(folder, plan, sync=True)
    try:
        if results.missing():
            with display.busy("Preparing the games"):
                results.plan = prepare(plan)
            if client:
                client.check()
        results.begin()
        if client:
            client.log.continue_in(folder / EXCHANGES)
    except BaseException:
        results.close()
        raise
    return results


def play_evaluation(
    results: ResultsFolder, *, client: "ModelClient | None", parallel: int | None, display: RunDisplay
) -> None:
    """Play the missing matches. Raise StoppedError, after the finished ones are saved, if that is not possible."""
    plan, missing = results.plan, results.missing()
    if client:
        client.log.remember_matches({plan.name_of(number) for number in missing})
    with display.busy("Preparing the games"):
        for fixture in map(plan.fixture, missing):  # once, before several threads need it
            if plan.exact[fixture.entry]:
                solved(fixture.game)
            plan.opening(fixture.entry, fixture.pair)
    job = Job(write_manifest(plan))
    threads = parallel or (client.settings.concurrency if client else 1)
    play = partial(work, make=agent_maker(client))
    with (
        closing(pool_of(job, threads, play, client)) as pool,
        display.progress("Playing", plan.total, len(results)) as report,
    ):
        play_missing(results, pool, report, finisher(client.finish if client else None, display))


def agent_maker(client: "ModelClient | None") -> Callable[[str, str], Agent]:
    """Return a function that makes agents, and gives language models this client."""

    def make(name: str, seed: str) -> Agent:
        agent = make_agent(name, seed)
        if client and is_model(name):
            agent.use_client(client)  # type: ignore[attr-defined] # it is an LlmAgent
        return agent

    return make


def pool_of(job: Job, threads: int, work: Work, client: "ModelClient | None") -> Pool:
    """Return the workers of a run. Language models are asked in threads, where Ctrl-C does not cancel a request."""
    if threads == 1 and client is None:
        return SerialPool(job, work)

    def stop(error: BaseException | None) -> None:
        """Cancel requests under way, unless the budget is spent or the run waits for them."""
        from duelbook.agents.llm import BudgetSpentError

        if client and not isinstance(error, BudgetSpentError | KeyboardInterrupt):
            client.close()

    return ThreadPool(job, threads, work, stop)


def write_report(results: ResultsFolder, prices: Prices | None = None) -> EvaluationReport:
    """Write the matches and the report of an evaluation, finished or not, and return the report."""
    from duelbook.agents.llm import read_exchanges

    folder, plan = results.path, results.plan
    assert isinstance(plan, EvaluationPlan)
    tally = RunTally(plan, results)
    report = evaluation_report(tally, read_exchanges(folder / EXCHANGES), prices)
    write_parts(folder / MATCHES, (_match_line(plan.name_of(result.number), result) for result in results))
    write_atomic(folder / "report.json", (json.dumps(report, indent=2) + "\n").encode())
    write_atomic(folder / "report.txt", evaluation_text(report).encode())
    write_atomic(folder / "report.html", evaluation_page(tally, report).encode())
    return EvaluationReport(report)


def _match_line(name: str, result: MatchResult) -> bytes:
    forfeit = result.forfeit and {**result.forfeit._asdict(), "by": SEAT_NAMES[result.forfeit.by]}
    return json.dumps({"match": name, "forfeit": forfeit, "record": to_builtins(result.record)}).encode() + b"\n"


def evaluation_report(
    tally: RunTally, exchanges: "Iterable[Exchange]" = (), prices: Prices | None = None
) -> dict[str, Any]:
    """Return the report as a JSON document."""
    from duelbook.agents.llm import count_replies

    plan = tally.plan
    assert isinstance(plan, EvaluationPlan)
    seats_by_match = {plan.name_of(number): SEAT_NAMES[number % 2] for number in range(plan.total)}
    own = [exchange for exchange in exchanges if exchange.seat == seats_by_match.get(exchange.match)]

    def numbers(**part: int) -> dict[str, Any]:
        return _numbers(tally.score(agent=0, **part), tally.evidence(**part))

    games, opponents, seats = (
        list(enumerate(plan.games)),
        list(enumerate(plan.opponents, 1)),
        list(enumerate(SEAT_NAMES)),
    )
    return {
        "format": REPORT_FORMAT,
        "version": REPORT_VERSION,
        "plan": {
            "agent": plan.agents[0],
            "games": plan.games,
            "opponents": list(plan.opponents),
            "pairs": plan.pairs,
            "seed": plan.seed,
            "openings": plan.openings,
            "attempts": plan.attempts,
            "show_legal": plan.show_legal,
            "body": plan.body,
            "reading": plan.reading,
            "tools": plan.tools,
            "system_role": plan.system_role,
            "timeout": plan.timeout,
        },
        "planned": plan.total,
        "overall": numbers(),
        "seats": [{"seat": seat, **numbers(seat=index)} for index, seat in seats],
        "opponents": [
            {"opponent": opponent, "seat": seat, **numbers(opponent=number, seat=index)}
            for (number, opponent), (index, seat) in product(opponents, seats)
        ],
        "games": [{"game": game, **numbers(entry=entry)} for entry, game in games],
        "cells": [
            {"game": game, "opponent": opponent, "seat": seat, **numbers(entry=entry, opponent=number, seat=index)}
            for (entry, game), (number, opponent), (index, seat) in product(games, opponents, seats)
        ],
        "notes": tally.notes(),
        "replies": count_replies(own),
        "spent": spent_on(own, prices),
    }


def _numbers(score: Score, evidence: Evidence) -> dict[str, Any]:
    """Return the results of some matches, and how well the agent decided where it mattered. Forfeits are losses."""
    return {
        "matches": score.matches,
        "different_matches": evidence.matches,
        "openings": evidence.openings,
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
        "undecided": score.limits,
        "win_rate": _share(score.wins, score.matches, evidence.wins()),
        "decisions": score.mattered,
        "accuracy": _share(score.kept, score.mattered, evidence.accuracy()),
        "regret": None if score.mean_regret is None else round(score.mean_regret, 4),
        "forfeits": {str(kind): score.forfeits[kind] for kind in ForfeitKind},
        "opponent_forfeits": score.opponent_forfeits,
        "lost_from_the_start": _count(score.lost_from_start, score.judged_losses),
        "never_better": _count(score.never_better, score.judged_losses),
    }


def _share(part: int, whole: int, clusters: Sequence[Cluster]) -> dict[str, Any] | None:
    """Return a proportion with its 95% interval, which is None without different openings; None if nothing counts."""
    counted = _count(part, whole)
    if counted is None:
        return None
    low, high = clustered(part / whole, clusters) or (None, None)
    return {**counted, "low": low and round(low, 6), "high": high and round(high, 6)}


def _count(part: int, whole: int) -> dict[str, Any] | None:
    """Return a proportion, or None if nothing counts."""
    return {"count": part, "of": whole, "rate": round(part / whole, 6)} if whole else None


def spent_on(own: "Sequence[Exchange]", prices: Prices | None) -> dict[str, Any] | None:
    """Return the cost of the agent's own exchanges, without those of its opponents; None if there were none."""
    if not own:
        return None
    kinds = ("read", "written", "reasoning", "cached")
    read, written, reasoning, cached = (sum(getattr(exchange.tokens, name) for exchange in own) for name in kinds)
    replied = [exchange for exchange in own if exchange.status == 200 and exchange.result not in NO_REPLY]
    seconds = sorted(exchange.seconds for exchange in replied)
    return {
        "requests": len(own),
        "results": dict(sorted(Counter(exchange.result for exchange in own).items())),
        "tokens_read": read,
        "tokens_written": written,
        "tokens_reasoning": reasoning,  # of those written
        "tokens_cached": cached,  # of those read
        "estimated": any(exchange.tokens.estimated for exchange in own),
        "median_seconds": seconds[len(seconds) // 2] if seconds else None,
        "cost": round((read * prices.read + written * prices.written) / 1_000_000, 6) if prices else None,
    }
