"""Commands that measure agents: tournament, match."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbook import GAMES
from duelbook.agents import agent_names, check_reachable, is_outside, make_agent, trusting
from duelbook.cli.app import OPTION, app, end_well, players
from duelbook.errors import RefusedError
from duelbook.options import option_pairs
from duelbook.records.file import file_named
from duelbook.records.record import LARGEST_SEED
from duelbook.terminal import FINISHED, INTERRUPTED
from duelbook.terminal.screen import Screen

if TYPE_CHECKING:
    from duelbook.arena.plan import Tournament

EXAMPLES = """\b
Examples:
  duelbook tournament --agents random,greedy,perfect --pairs 50 --out results
  duelbook tournament --games charge:goal=21,flag-chase --agents club,mcts:200 --seed 7 --out club
  duelbook tournament --out results --resume
  duelbook tournament --manifest results/manifest.json --out again
"""
MATCH_EXAMPLES = """\b
Examples:
  duelbook match --p1 greedy --p2 random --games 100
  duelbook match --game charge --option goal=21 --p1 mcts:200 --p2 club --games 40 --json
"""
AGENT = f"One of {', '.join(agent_names())}."
SEED = typer.Option(metavar="N", min=0, max=LARGEST_SEED, help="The same seed gives the same games.")
PLIES = typer.Option(metavar="N", min=1, max=1_000_000, help="Moves after which a game stops; by default the game's.")


@app.command(epilog=EXAMPLES)
def tournament(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the tournament.")],
    games: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME,…", help=f"all (default), or of {', '.join(GAMES)}, as charge or charge:goal=21."),
    ] = None,
    agents: Annotated[list[str] | None, typer.Option(metavar="AGENT,…", help=f"Of {', '.join(agent_names())}.")] = None,
    pairs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=1_000_000, help="Pairs of games for every two agents; 10 by default."),
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    ply_limit: Annotated[int | None, PLIES] = None,
    manifest: Annotated[Path | None, typer.Option(metavar="FILE", help="Play this tournament again exactly.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the tournament in the folder.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Start the programs and reach the models that a manifest names.")
    ] = False,
    backend: Annotated[
        str, typer.Option(metavar="NAME", help="Where games are played: serial, process (default) or ray.")
    ] = "process",
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=10_000, help="How many games at once; by default one a core.")
    ] = None,
    ray_address: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The Ray cluster, or auto; without it one is started here."),
    ] = None,
) -> int:
    """Let agents play each other, and report how they did.

    Every two agents play each game in pairs, the same opening from both seats. The same seed gives the same files.
    """
    end_well()
    _check_installed()
    from duelbook.arena.folder import MANIFEST, Results, chosen
    from duelbook.arena.report.text import standings_text
    from duelbook.arena.tournament import EXCHANGES, REPORT, hire, play, prepared, publish
    from duelbook.arena.workers import check_backend

    if resume and agents is None and any(value is not None for value in (games, pairs, seed, ply_limit)):
        raise RefusedError("--resume goes on with what the folder holds; say nothing else of it, or all with --agents")
    wanted = _wanted(games, agents, pairs, seed, ply_limit, manifest)
    check_backend(backend, workers, ray_address)
    folder, screen = file_named(str(out)), Screen()
    plan = chosen(folder, wanted, resume)
    if agents is None and not trust:
        _check_agents(plan.agents)
    command = f"duelbook tournament --out {shlex.quote(str(out))} --resume{trusting(plan.agents)}"
    go_on = f"every finished game is kept, go on with: {command}"
    try:
        with Results(folder, plan) as results, _models(plan.agents, folder / EXCHANGES) as most:
            if results.missing():
                check_reachable(plan.agents)
                with screen.busy("Preparing the games"):
                    job = prepared(plan)
                with closing(hire(job, backend, _fewer(workers, most), ray_address)) as pool:
                    end_well()  # Ray has put a handler in its place that prints a dump
                    results.begin()
                    with screen.counting("Playing", plan.total, len(results)) as told, _kept(go_on):
                        play(results, pool, told)
            with screen.busy("Writing the report"), _kept(go_on):
                document = publish(results)
    except KeyboardInterrupt:
        print(f"duelbook: stopped; {go_on if (folder / MANIFEST).exists() else 'nothing was written'}", file=sys.stderr)
        return INTERRUPTED
    screen.say(standings_text(document))
    screen.say(f"\n{plan.total:,} games; the report is {folder / REPORT}")
    return FINISHED


@contextmanager
def _kept(go_on: str) -> Iterator[None]:
    """Say with every refusal how to go on, and where there is no room to write to."""
    try:
        yield
    except RefusedError as error:
        raise RefusedError(f"{error}; {go_on}") from error
    except OSError as error:
        raise RefusedError(f"the folder cannot be written to: {error.strerror}; {go_on}") from error


def _check_agents(agents: tuple[str, ...]) -> None:
    """Refuse to start a program or reach an endpoint because a file says so."""
    for agent in filter(is_outside, agents):
        raise RefusedError(f"agent '{agent}' is not started because a file names it; if you want it, add --trust")


@contextmanager
def _models(agents: tuple[str, ...], log: Path) -> Iterator[int | None]:
    """Have workers keep the exchanges of language models in one log, and their limits together.

    Answer how many of them there may be: a worker asks for one move at a time. None where no model plays.
    """
    if not any(agent.startswith("llm:") for agent in agents):
        yield None
        return
    from duelbook.agents.llm.budget import spending_together
    from duelbook.agents.llm.settings import read_llm_settings

    os.environ.setdefault("DUELBOOK_LLM_LOG", str(log))
    with spending_together():
        yield read_llm_settings().concurrency


def _fewer(workers: int | None, most: int | None) -> int | None:
    from duelbook.arena.workers import cores

    return workers if most is None else min(workers or cores(), most)


def _check_installed() -> None:
    if find_spec("choix") is None:
        raise RefusedError("this needs the extra `arena`, which is not installed (choix is missing)")


def _wanted(
    games: list[str] | None,
    agents: list[str] | None,
    pairs: int | None,
    seed: int | None,
    ply_limit: int | None,
    manifest: Path | None,
) -> "Tournament | None":
    """Answer the tournament that is asked for; None where nothing is said about it."""
    from duelbook.arena.manifest import load_manifest
    from duelbook.arena.plan import Tournament, check_size, read_agents, read_entries, split_agents

    said = any(value is not None for value in (games, agents, pairs, seed, ply_limit))
    if manifest is not None:
        if said:
            raise RefusedError("--games, --agents, --pairs, --seed and --ply-limit are those of the manifest")
        return load_manifest(file_named(str(manifest)))
    if not said:
        return None
    names = read_agents(split_agents(agents or []))
    tournament = Tournament(read_entries(games or ["all"]), names, pairs or 10, seed or 0, ply_limit)
    check_size(tournament)
    return tournament


@app.command(epilog=MATCH_EXAMPLES)
def match(
    p1: Annotated[str, typer.Option(metavar="AGENT", autocompletion=players, help=AGENT)],
    p2: Annotated[str, typer.Option(metavar="AGENT", autocompletion=players, help=AGENT)],
    games: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many, of each game.")] = 20,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only this game instead of every one.")] = None,
    option: Annotated[list[str] | None, OPTION] = None,
    seed: Annotated[int, SEED] = 0,
    ply_limit: Annotated[int | None, PLIES] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Let two agents play each other, from both seats in turn, and tell how the first one did."""
    from duelbook.arena.duel import check_exact, duel
    from duelbook.arena.plan import make_entry
    from duelbook.arena.report.text import series_text

    end_well()
    for agent in (p1, p2):
        make_agent(agent).close()
    check_reachable((p1, p2))
    if option and game is None:
        raise RefusedError("--option needs --game: options are those of one game")
    options = option_pairs(option or [])
    entries = [make_entry(name, options) for name in ([game] if game else GAMES)]
    screen, documents = Screen(), []
    for entry in entries:
        with screen.busy(f"Preparing {entry.label}"):
            check_exact(entry, (p1, p2))
        with screen.counting(entry.label, games) as told:
            documents.append(duel(entry, (p1, p2), games, seed, told, ply_limit))
        if not as_json:
            screen.say(series_text(documents[-1]))
    if as_json:
        print(json.dumps(documents, indent=2))
    return FINISHED
