"""`duelbook eval`: measure one agent."""

import re
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from duelbook.agents import OtherSettingsError, StoppedError
from duelbook.cli.agent_command import AgentCommand
from duelbook.cli.app import (
    GAME_LIST,
    MEMORY,
    OPENINGS,
    SEED,
    OpeningsName,
    app,
    in_range,
    treat_sigterm_as_ctrl_c,
    workers_option,
)
from duelbook.cli.completion import complete_agent, complete_agents, one_of
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.files import full_path
from duelbook.play.exit_codes import EXIT_INTERRUPTED, EXIT_UNFINISHED, EXIT_USAGE
from duelbook.terminal.screen import Screen
from duelbook.text import sanitize

if TYPE_CHECKING:
    from duelbook.agents.llm import ModelClient
    from duelbook.arena import Prices

EXAMPLES = """\b
Examples:
  duelbook eval --agent mcts:200 --games charge,crystal-capture --pairs 20
  duelbook eval --agent llm:small-model --out small --max-calls 2000
  duelbook eval --agent llm:small-model --out small --max-calls 2000 --resume
  duelbook eval --agent "process:./player.sh" --opponent perfect,medium
  duelbook eval --agent llm:small-model --positions positions --samples 3
"""
MAX_PRICE = 1_000_000  # for a million tokens
OF_MATCHES = ("games", "opponent", "pairs", "openings")  # options that positions do not have, …
OF_POSITIONS = ("split", "samples", "limit")  # … and those that only they have
PRICE = "The price of a million tokens {}, for the cost in the report."


def _price(name: str, kind: str) -> Any:
    return typer.Option(metavar="PRICE", callback=in_range(name, 0, MAX_PRICE), help=PRICE.format(kind))


@app.command("eval", cls=AgentCommand, epilog=EXAMPLES)
def evaluate(
    context: typer.Context,
    agent: Annotated[
        str,
        typer.Option(
            metavar="AGENT",
            autocompletion=complete_agent,
            help="The agent to measure.",
        ),
    ],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            *("--opponent", "--opponents"),
            metavar="AGENT,...",
            autocompletion=complete_agents,
            help="Its opponents; may be repeated. By default perfect,greedy,random.",
        ),
    ] = None,
    pairs: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=100_000, help="Pairs of matches for every opponent and game, one from each seat."
        ),
    ] = 15,
    seed: Annotated[int, SEED] = 0,
    openings: Annotated[OpeningsName, OPENINGS] = "balanced",
    positions: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Ask for single moves in the positions of a dataset or a JSONL file, instead of playing matches.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=one_of("train", "test"),
            help="The split of the dataset. By default test, or its only one.",
        ),
    ] = None,
    samples: Annotated[int, typer.Option(metavar="K", min=1, max=1000, help="How often each position is asked.")] = 1,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Ask only N positions, drawn by the seed from all cells alike."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder for the results. By default named after the agent.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the evaluation in the folder.")] = False,
    workers: Annotated[
        int | None, workers_option("Matches or questions at the same time. By default 1; with models 4.", 256)
    ] = None,
    attempts: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=100, help="How often a model may try to name a legal move.")
    ] = None,
    show_legal: Annotated[
        bool | None, typer.Option("--show-legal/--hide-legal", help="Whether a model is shown the legal moves.")
    ] = None,
    reading: Annotated[
        Literal["tolerant", "strict"] | None,
        typer.Option(
            help="How moves are read from replies of models: only a last line in the exact form (strict), or also with "
            "bold, code, a box or text after it (tolerant). By default tolerant. The report has the rates of both."
        ),
    ] = None,
    max_calls: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after N requests to models.")] = None,
    max_tokens: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after N tokens.")] = None,
    input_price: Annotated[float, _price("--input-price", "read")] = 0.0,
    output_price: Annotated[float, _price("--output-price", "written")] = 0.0,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Measure an agent in matches or on single positions.

    In matches it meets others, from both seats. Every move is judged by exact values: did it keep the win, and how much
    did it give away?
    """
    from duelbook.agents.llm.settings import read_reading
    from duelbook.arena import Prices, plan_evaluation
    from duelbook.arena.entries import split_agents
    from duelbook.arena.evaluation import open_evaluation, play_evaluation, write_report
    from duelbook.arena.report.text import evaluation_text

    treat_sigterm_as_ctrl_c()
    _check_combination(context)
    prices = Prices(input_price, output_price) if input_price or output_price else None
    screen = Screen()
    flags: dict[str, Any] = {"attempts": attempts, "show_legal": show_legal}
    flags |= {"reading": reading and read_reading(reading), "max_calls": max_calls, "max_tokens": max_tokens}
    if positions is not None:
        asked = _Asked(agent, positions, split, samples, limit, seed)
        return _ask(asked, flags, out, resume=resume, workers=workers, prices=prices, screen=screen)
    opponents = split_agents(opponent or ["perfect,greedy,random"])
    client, model_settings = _connect_models((agent, *opponents), flags)
    plan = plan_evaluation(
        agent, games or ["all"], opponents, pairs=pairs, seed=seed, openings=openings, **model_settings
    )
    folder = full_path(str(out or _folder_name(plan.agents[0])))
    with open_evaluation(plan, folder, resume=resume, client=client, display=screen) as results:
        return _run(
            partial(play_evaluation, results, client=client, parallel=workers, display=screen),
            lambda: evaluation_text(write_report(results, prices)),
            screen,
            f"The matches and the report are in {shlex.quote(str(folder))}.",
        )


def _check_combination(context: typer.Context) -> None:
    """Raise RefusedError if an option of matches is given for positions, or the other way round."""
    given = {name for name in (*OF_MATCHES, *OF_POSITIONS) if _is_given(context, name)}
    with_positions = _is_given(context, "positions")
    for name in sorted(given & set(OF_MATCHES if with_positions else OF_POSITIONS)):
        how = "cannot be combined with" if with_positions else "needs"
        raise RefusedError(f"--{name} {how} --positions.")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


class _Asked(NamedTuple):
    """What is asked of whom, where single positions are asked."""

    agent: str
    path: Path
    split: str | None
    samples: int
    limit: int | None
    seed: int


def _ask(
    asked: _Asked,
    flags: dict[str, Any],
    out: Path | None,
    *,
    resume: bool,
    workers: int | None,
    prices: "Prices | None",
    screen: Screen,
) -> int:
    """Ask an agent for single moves, and return the exit code. A model has one attempt unless more are asked for."""
    from duelbook.positions import load_positions, plan_positions
    from duelbook.positions.evaluation import ask_missing, open_answers, write_report
    from duelbook.positions.report import report_text

    client, model_settings = _connect_models((asked.agent,), flags | {"attempts": flags["attempts"] or 1})
    found = load_positions(full_path(str(asked.path)), asked.split)
    plan = plan_positions(
        asked.agent, found, samples=asked.samples, limit=asked.limit, seed=asked.seed, **model_settings
    )
    folder = full_path(str(out or _folder_name(f"positions {plan.agent}")))
    with open_answers(plan, folder, resume=resume, client=client) as answers:
        return _run(
            partial(ask_missing, answers, client=client, parallel=workers, display=screen),
            lambda: report_text(write_report(answers, prices)),
            screen,
            f"The answers and the report are in {shlex.quote(str(folder))}.",
        )


def _connect_models(names: tuple[str, ...], flags: dict[str, Any]) -> "tuple[ModelClient | None, dict[str, Any]]":
    """Return the client of the language models, if any play, and the settings that the plan records."""
    if not any(name.startswith("llm:") for name in names):
        return None, {"attempts": flags["attempts"] or 0, "show_legal": flags["show_legal"] is not False}
    from duelbook.agents.llm import ModelClient, read_llm_settings

    require_extra("llm")  # before the settings, which nobody needs without it
    settings = read_llm_settings(**flags)
    names = ("attempts", "show_legal", "reading", "tools", "system_role")
    recorded = {name: getattr(settings, name) for name in names} | {"body": settings.fields()}
    return ModelClient(settings), recorded


def _run(do: Callable[[], None], report: Callable[[], str], screen: Screen, saved: str) -> int:
    """Do what is missing, report on what is finished even if that stops early, and return the exit code."""
    from duelbook.agents.llm import BudgetSpentError

    code, stopped, advice = 0, "", "Continue with the same command and --resume."
    try:
        do()
    except KeyboardInterrupt:
        code, stopped = EXIT_INTERRUPTED, "Stopped."
    except OtherSettingsError as error:
        code, stopped, advice = EXIT_USAGE, str(error), "Then begin anew with another --out: a run keeps its settings."
    except StoppedError as error:
        code, stopped = EXIT_UNFINISHED if isinstance(error, BudgetSpentError) else EXIT_USAGE, str(error)
    try:
        text = report()
    except OSError as error:
        code, stopped = EXIT_USAGE, stopped or f"Cannot write the report: {error.strerror}."
    else:
        screen.say(f"{text}\n{saved}")
    if stopped:
        print(f"duelbook: {sanitize(stopped)} {advice}", file=sys.stderr)
    return code


def _folder_name(agent: str) -> str:
    return f"eval-{re.sub('[^A-Za-z0-9.]+', '-', agent).strip('-.')[:60]}"
