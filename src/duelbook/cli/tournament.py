"""`duelbook tournament`: let many agents play each other."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbook.agents import agent_names, check_reachable, is_external, trust_option
from duelbook.cli.app import GAME_LIST, PLY_LIMIT, SEED, app, treat_sigterm_as_ctrl_c
from duelbook.errors import RefusedError, require_extra
from duelbook.files import full_path
from duelbook.terminal import FINISHED, INTERRUPTED
from duelbook.terminal.screen import Screen

if TYPE_CHECKING:
    from duelbook.arena.plan import Tournament

EXAMPLES = """\b
Examples:
  duelbook tournament --agents random,greedy,perfect --pairs 50 --out results
  duelbook tournament --games charge:goal=21 --agents club,mcts:200 --out club
  duelbook tournament --out results --resume
  duelbook tournament --manifest results/manifest.json --out again
"""


@app.command("tournament", epilog=EXAMPLES)
def tournament(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the results.")],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    agents: Annotated[
        list[str] | None, typer.Option(metavar="AGENT,…", help=f"Two or more of: {', '.join(agent_names())}.")
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1_000_000, help="Pairs of matches for every two agents and game. By default 10."
        ),
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    ply_limit: Annotated[int | None, PLY_LIMIT] = None,
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play the tournament that this manifest describes again.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Allow the programs and language models that a manifest names.")
    ] = False,
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="Where matches are played: serial, process or ray.")
    ] = "process",
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=10_000, help="Matches at the same time. By default one for each core."),
    ] = None,
    ray_address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The Ray cluster, or auto. By default one is started on this machine."),
    ] = None,
) -> int:
    """Let agents play each other, and report how they did.

    Every two agents play each game in pairs of matches: the same opening, once from each seat. The same seed gives
    the same files.
    """
    treat_sigterm_as_ctrl_c()
    require_extra("arena")
    from duelbook.arena.folder import MANIFEST, Results, chosen
    from duelbook.arena.report.text import standings_text
    from duelbook.arena.tournament import EXCHANGES, REPORT, hire, play, prepared, publish
    from duelbook.arena.workers import check_backend

    if resume and agents is None and any(value is not None for value in (games, pairs, seed, ply_limit)):
        raise RefusedError(
            "--resume continues the plan in the folder. Leave out --games, --pairs, --seed and --ply-limit, "
            "or repeat the whole plan with --agents."
        )
    requested = _plan(games, agents, pairs, seed, ply_limit, manifest)
    check_backend(backend, workers, ray_address)
    folder, screen = full_path(str(out)), Screen()
    plan = chosen(folder, requested, resume)
    if agents is None and not trust:
        _check_agents(plan.agents)
    command = f"duelbook tournament --out {shlex.quote(str(out))} --resume{trust_option(plan.agents)}"
    how_to_resume = f"Every finished match is saved. Continue with: {command}"
    try:
        with Results(folder, plan) as results, _models(plan.agents, folder / EXCHANGES) as worker_limit:
            if results.missing():
                check_reachable(plan.agents)
                with screen.busy("Preparing the games"):
                    job = prepared(plan)
                with closing(hire(job, backend, _limited(workers, worker_limit), ray_address)) as pool:
                    treat_sigterm_as_ctrl_c()  # Ray has replaced the handler by one that prints a stack dump
                    results.begin()
                    with (
                        screen.progress("Playing", plan.total, len(results)) as report_progress,
                        _with_advice(how_to_resume),
                    ):
                        play(results, pool, report_progress)
            with screen.busy("Writing the report"), _with_advice(how_to_resume):
                document = publish(results)
    except KeyboardInterrupt:
        saved = (folder / MANIFEST).exists()
        print(f"duelbook: Stopped. {how_to_resume if saved else 'Nothing was written.'}", file=sys.stderr)
        return INTERRUPTED
    screen.say(standings_text(document))
    screen.say(f"\nPlayed {plan.total:,} matches. The report is {folder / REPORT}")
    return FINISHED


@contextmanager
def _with_advice(how_to_resume: str) -> Iterator[None]:
    """Add to every error how to continue the tournament."""
    try:
        yield
    except RefusedError as error:
        raise RefusedError(f"{error} {how_to_resume}") from error
    except OSError as error:
        raise RefusedError(f"Cannot write to the folder: {error.strerror}. {how_to_resume}") from error


def _check_agents(agents: tuple[str, ...]) -> None:
    """Raise RefusedError if a file, not the person, names a program to start or an endpoint to reach."""
    for agent in filter(is_external, agents):
        raise RefusedError(f"The manifest names the agent '{agent}'. If you trust it, add --trust.")


@contextmanager
def _models(agents: tuple[str, ...], log: Path) -> Iterator[int | None]:
    """Let all workers share one log of the language models' exchanges, and one budget.

    Yield the largest number of workers that the models allow, since each worker asks for one move at a time; None if
    no model plays.
    """
    if not any(agent.startswith("llm:") for agent in agents):
        yield None
        return
    from duelbook.agents.llm.budget import shared_budget
    from duelbook.agents.llm.settings import read_llm_settings

    os.environ.setdefault("DUELBOOK_LLM_LOG", str(log))
    with shared_budget():
        yield read_llm_settings().concurrency


def _limited(workers: int | None, limit: int | None) -> int | None:
    from duelbook.arena.workers import cores

    return workers if limit is None else min(workers or cores(), limit)


def _plan(
    games: list[str] | None,
    agents: list[str] | None,
    pairs: int | None,
    seed: int | None,
    ply_limit: int | None,
    manifest: Path | None,
) -> "Tournament | None":
    """Return the tournament that the options describe; None if they describe none."""
    from duelbook.arena.manifest import load_manifest
    from duelbook.arena.plan import Tournament, check_size, read_agents, read_entries, split_agents

    described = any(value is not None for value in (games, agents, pairs, seed, ply_limit))
    if manifest is not None:
        if described:
            raise RefusedError("--manifest cannot be combined with --games, --agents, --pairs, --seed or --ply-limit.")
        return load_manifest(full_path(str(manifest)))
    if not described:
        return None
    names = read_agents(split_agents(agents or []))
    tournament = Tournament(read_entries(games or ["all"]), names, pairs or 10, seed or 0, ply_limit)
    check_size(tournament)
    return tournament
