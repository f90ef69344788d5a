"""An agent measured on positions: each is asked once or several times, and no answer that was paid for is lost."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from duelbook.agents import is_exact, make_agent
from duelbook.agents.llm.settings import Reading
from duelbook.arena.evaluation import EXCHANGES, Prices, agent_maker, pool_of, spent_on
from duelbook.arena.manifest import write_manifest
from duelbook.arena.match import MakeAgent, play_match
from duelbook.arena.plan import derive_seed
from duelbook.arena.results_log import ResultsLog, resolve_plan, with_checksum
from duelbook.arena.runner import RunDisplay, SilentDisplay, do_batch, finisher, play_missing
from duelbook.arena.workers import Job, Line
from duelbook.errors import RefusedError
from duelbook.files import write_atomic, write_parts
from duelbook.positions.document import PositionScores
from duelbook.positions.page import position_page
from duelbook.positions.plan import PositionPlan
from duelbook.positions.report import report_text
from duelbook.positions.scores import LEGAL, Reply, parts, repetition, scores
from duelbook.solve import solved

if TYPE_CHECKING:
    from duelbook.agents.llm import ModelClient

REPORT_FORMAT, REPORT_VERSION = "duelbook-position-scores", 1
ANSWERS, REPORT = "answers.jsonl", "report.json"


class PositionAnswer(Struct, forbid_unknown_fields=True):
    """The answer to the question with this number."""

    number: int
    position: str
    move: str | None
    outcome: str  # legal, or why there is no move
    detail: str
    seconds: float


class AnswerLog(ResultsLog[PositionPlan, PositionAnswer]):
    """The answers in a folder."""

    result_type = PositionAnswer

    def fits(self, result: PositionAnswer) -> bool:
        return result.position == self.plan.position(result.number).id


def run_positions(
    plan: PositionPlan,
    folder: Path | str,
    *,
    resume: bool = False,
    client: "ModelClient | None" = None,
    parallel: int | None = None,
    prices: Prices | None = None,
    display: RunDisplay | None = None,
) -> PositionScores:
    """Ask an agent for its moves, with everything in a folder, and return its scores, which have a `table()`.

    The folder must be new or empty. With `resume` it may also hold the same plan, whose missing questions are asked;
    replies of a language model that are in its log are not paid for again. `client` connects language models, by
    default with the settings of the environment. `parallel` is the number of questions at the same time.

    The folder then holds positions.json, results.log, answers.jsonl, report.html, report.json and report.txt, and
    exchanges.jsonl if a language model is asked. If the run stops on the way, the report about the answers so far is
    written before StoppedError is raised.
    """
    display = display or SilentDisplay()
    client = client or _default_client(plan)
    with open_answers(plan, Path(folder), resume=resume, client=client) as answers:
        try:
            ask_missing(answers, client=client, parallel=parallel, display=display)
        finally:
            report = write_report(answers, prices)
    return report


def _default_client(plan: PositionPlan) -> "ModelClient | None":
    """Return a client with the settings of the environment and of the plan, or None if no language model is asked."""
    if not plan.model:
        return None
    from duelbook.agents.llm import ModelClient, read_llm_settings

    body = json.dumps(plan.model["body"]) if plan.model["body"] else None
    return ModelClient(read_llm_settings(**plan.model | {"body": body, "reading": Reading(plan.model["reading"])}))


def open_answers(plan: PositionPlan, folder: Path, *, resume: bool, client: "ModelClient | None") -> AnswerLog:
    """Return the folder, ready for answers. Raise RefusedError, before anything is written, if that is not possible."""
    if resume and not (folder / plan.manifest_name).exists():
        raise RefusedError(f"'{folder}' holds no {plan.kind} to resume.")
    if client:
        plan = replace(plan, model={**plan.model, "timeout": client.settings.timeout})
    held = resolve_plan(folder, plan, PositionPlan, resume=resume)
    answers = AnswerLog(folder, replace(held, positions=plan.positions), sync=True)
    try:
        if client and answers.missing():
            client.check()
        answers.begin()
        if client:
            client.log.continue_in(folder / EXCHANGES)
    except BaseException:
        answers.close()
        raise
    return answers


def ask_missing(answers: AnswerLog, *, client: "ModelClient | None", parallel: int | None, display: RunDisplay) -> None:
    """Ask the missing questions. Raise StoppedError, after the answers so far are saved, if that is not possible."""
    plan, missing = answers.plan, answers.missing()
    if client:
        client.log.remember_matches({plan.name_of(number) for number in missing})
    threads = parallel or (client.settings.concurrency if client else 1)
    if threads > 1 and is_exact(plan.agent):
        with display.busy("Preparing the games"):
            for entry in plan.entries:
                solved(entry.game)  # once, before several threads need it
    work = partial(_work, plan=plan, make=agent_maker(client))
    with (
        closing(pool_of(Job(write_manifest(plan)), threads, work, client)) as pool,
        display.progress("Asking", plan.total, len(answers)) as report,
    ):
        play_missing(answers, pool, report, finisher(client.finish if client else None, display))


def _work(job: Job, numbers: Sequence[int], *, plan: PositionPlan, make: MakeAgent) -> list[Line]:
    return do_batch(lambda number: with_checksum(msgspec.json.encode(ask(plan, number, make))), numbers)


def ask(plan: PositionPlan, number: int, make: MakeAgent = make_agent) -> PositionAnswer:
    """Ask one question: the agent moves once, in a match that stands at the position."""
    position, started = plan.position(number), time.perf_counter()
    played = play_match(
        position.made(),
        (plan.agent, plan.agent),
        seed=derive_seed(plan.seed, position.id, plan.sample(number)),
        opening=position.moves,
        limit=1,
        name=plan.name_of(number),
        make=make,
    )
    seconds, forfeit = round(time.perf_counter() - started, 6), played.forfeit
    if forfeit:
        return PositionAnswer(number, position.id, None, str(forfeit.kind), forfeit.detail, seconds)
    return PositionAnswer(number, position.id, played.record.moves[-1], LEGAL, "", seconds)


def write_report(answers: AnswerLog, prices: Prices | None = None) -> PositionScores:
    """Write the answers and the report, whether all questions were asked or not, and return the scores."""
    from duelbook.agents.llm import count_replies, read_exchanges

    plan, folder = answers.plan, answers.path
    found, exchanges = list(answers), list(read_exchanges(folder / EXCHANGES))
    report = position_report(plan, found)
    report |= {"replies": count_replies(exchanges), "spent": spent_on(exchanges, prices)}
    write_parts(folder / ANSWERS, _lines(plan, found))
    write_atomic(folder / REPORT, (json.dumps(report, indent=2) + "\n").encode())
    write_atomic(folder / "report.txt", report_text(report).encode())
    write_atomic(folder / "report.html", position_page(report).encode())
    return PositionScores(report)


def position_report(plan: PositionPlan, answers: Sequence[PositionAnswer]) -> dict[str, Any]:
    """Return the scores as a JSON document."""
    replies = [Reply(plan.position(one.number), one.move, one.outcome) for one in answers]
    return {
        "format": REPORT_FORMAT,
        "version": REPORT_VERSION,
        "plan": {name: getattr(plan, name) for name in ("agent", "dataset", "count", "samples", "seed", "model")},
        "planned": plan.total,
        "overall": scores(replies),
        "repetition": repetition(replies, plan.samples),
        "parts": parts(replies),
    }


def _lines(plan: PositionPlan, answers: Sequence[PositionAnswer]) -> Iterator[bytes]:
    """Yield each answer as a line, without times, so that the same seed gives the same bytes."""
    for one in answers:
        reply = Reply(plan.position(one.number), one.move, one.outcome)
        line = {
            "position": one.position,
            "game": reply.position.game,
            "cluster": reply.position.cluster,
            "sample": plan.sample(one.number) + 1,
            "move": one.move,
            "outcome": one.outcome,
            "right": reply.is_right,
            "regret": reply.regret,
            "detail": one.detail,
        }
        yield json.dumps(line).encode() + b"\n"
