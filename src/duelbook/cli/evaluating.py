"""The command for measuring one agent: eval."""

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duelbook import GAMES
from duelbook.agents import agent_names
from duelbook.agents.forfeit import StoppedError
from duelbook.cli.app import app, end_well, players
from duelbook.errors import RefusedError
from duelbook.records.file import file_named
from duelbook.records.record import LARGEST_SEED
from duelbook.terminal import INTERRUPTED, LEFT, WRONG_USAGE
from duelbook.terminal.screen import Screen
from duelbook.text import sanitize

if TYPE_CHECKING:
    from duelbook.agents.llm import Desk
    from duelbook.arena.evaluation import Plan
    from duelbook.arena.evaluation_files import Folder
    from duelbook.arena.evaluation_report import Prices

EVAL_EXAMPLES = """\b
Examples:
  duelbook eval --agent mcts:200 --games charge,crystal-capture --pairs 20
  duelbook eval --agent llm:small-model --out small --max-calls 2000
  duelbook eval --agent llm:small-model --out small --max-calls 2000 --resume
  duelbook eval --agent "process:./player.sh" --opponent perfect --opponent "process:./other.sh"
"""
AGENT = f"Who is measured: {' or '.join(agent_names())}."
HIGHEST_PRICE = 1_000_000  # of a million tokens
PRICE = "What a million tokens {} cost, for the cost in the report."


@app.command(name="eval", epilog=EVAL_EXAMPLES)
def evaluate(
    agent: Annotated[str, typer.Option(metavar="WHO", autocompletion=players, help=AGENT)],
    games: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME,…", help=f"all (default), or of {', '.join(GAMES)}, as charge or charge:goal=21."),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(metavar="WHO,…", help="Who it plays against (default: perfect,greedy,random); may be repeated."),
    ] = None,
    pairs: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="Pairs of matches, one from each seat.")
    ] = 15,
    seed: Annotated[int, typer.Option(metavar="N", min=0, max=LARGEST_SEED, help="For the same matches again.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder; by default named after WHO.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what the folder holds.")] = False,
    parallel: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=256, help="Matches at a time; for models by default 4.")
    ] = None,
    attempts: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=100, help="Answers a model may give for one move.")
    ] = None,
    show_legal: Annotated[
        bool | None, typer.Option("--show-legal/--hide-legal", help="Whether a model is told the legal moves.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option(metavar="N", min=1, help="Requests after which to stop.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", min=1, help="Tokens after which to stop.")] = None,
    input_price: Annotated[float, typer.Option(metavar="PRICE", min=0, help=PRICE.format("read"))] = 0.0,
    output_price: Annotated[float, typer.Option(metavar="PRICE", min=0, help=PRICE.format("written"))] = 0.0,
) -> int:
    """Measure an agent against others, from both seats, by exact values."""
    from duelbook.arena.duel import check_exact
    from duelbook.arena.evaluation import Plan
    from duelbook.arena.evaluation_files import Folder
    from duelbook.arena.evaluation_report import Prices
    from duelbook.arena.plan import check_agents, read_entries, split_agents

    end_well()
    for price in (input_price, output_price):
        if not price <= HIGHEST_PRICE:
            raise RefusedError(f"a price must be from 0 to {HIGHEST_PRICE:,}, not {price}")
    prices = Prices(input_price, output_price) if input_price or output_price else None
    (agent,), opponents = check_agents([agent]), check_agents(split_agents(opponent or ["perfect,greedy,random"]))
    names = (agent, *opponents)
    entries = read_entries(games or ["all"])
    given = {"attempts": attempts, "show_legal": show_legal, "max_calls": max_calls, "max_tokens": max_tokens}
    desk, told, at_once = _desk(names, given)
    plan = Plan(agent, entries, opponents, pairs, seed, **told)
    folder = Folder(file_named(str(out or _folder_name(agent))), plan)
    folder.check(resume=resume)
    with Screen().busy("Preparing the games"):
        for entry in entries:
            check_exact(entry, names)
    if desk and len(list(folder.finished())) < len(plan.tasks()):
        desk.check()
    folder.open()
    if desk:
        desk.keep(folder.exchanges)
    return _run(plan, folder, desk, parallel or at_once, prices)


def _desk(names: tuple[str, ...], given: dict[str, Any]) -> "tuple[Desk | None, dict[str, Any], int]":
    """Answer the desk for language models, if there are any, what they are told, and how many play at a time."""
    if not any(name.startswith("llm:") for name in names):
        told = {"attempts": given["attempts"] or 0, "show_legal": given["show_legal"] is not False}
        return None, told, 1
    from duelbook.agents.llm import Desk, read_llm_settings

    settings = read_llm_settings(**given)
    told = {"attempts": settings.attempts, "show_legal": settings.show_legal, "body": settings.fields()}
    return Desk(settings), told, settings.concurrency


def _run(plan: "Plan", folder: "Folder", desk: "Desk | None", parallel: int, prices: "Prices | None") -> int:
    """Play, report what is there whatever happens, and answer the exit code."""
    from duelbook.agents.llm import SpentError
    from duelbook.arena.evaluation_run import run_evaluation

    screen, code, stopped = Screen(), 0, ""
    done, total = len(list(folder.finished())), len(plan.tasks())
    try:
        with screen.counting("Playing", total, done) as tell:
            run_evaluation(plan, folder, desk, parallel, tell)
    except KeyboardInterrupt:
        code, stopped = INTERRUPTED, "interrupted"
    except StoppedError as error:
        code, stopped = LEFT if isinstance(error, SpentError) else WRONG_USAGE, str(error)
    finally:
        folder.close()
    try:
        _report(plan, folder, prices, screen)
    except OSError as error:
        code, stopped = WRONG_USAGE, stopped or f"the report cannot be written: {error.strerror}"
    if stopped:
        print(f"duelbook: {sanitize(stopped)}; go on with the same command and --resume", file=sys.stderr)
    return code


def _report(plan: "Plan", folder: "Folder", prices: "Prices | None", screen: Screen) -> None:
    from duelbook.agents.llm import read_exchanges
    from duelbook.arena.evaluation_report import evaluation_report
    from duelbook.arena.report.text import evaluation_text

    with screen.busy("Judging every move"):
        report = evaluation_report(plan, folder.finished(), read_exchanges(folder.exchanges), prices)
    page = evaluation_text(report)
    folder.write_report(report, page)
    screen.say(f"{page}\nThe matches and the report are in {shlex.quote(str(folder.path))}.")


def _folder_name(agent: str) -> str:
    return f"eval-{re.sub('[^A-Za-z0-9.]+', '-', agent).strip('-.')[:60]}"
