"""`duelbook tournament`: let many agents play each other."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duelbook.agents import is_external, trust_option
from duelbook.cli.agent_command import AgentCommand
from duelbook.cli.app import (
    BACKEND,
    GAME_LIST,
    MEMORY,
    OPENINGS,
    PLY_LIMIT,
    RAY_ADDRESS,
    SEED,
    BrokenGames,
    OpeningsName,
    app,
    treat_sigterm_as_ctrl_c,
    workers_option,
)
from duelbook.cli.completion import complete_agents
from duelbook.contract import verify
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.files import full_path
from duelbook.games import GAMES, make
from duelbook.play.exit_codes import EXIT_INTERRUPTED
from duelbook.solve import try_solve
from duelbook.terminal.screen import Screen

if TYPE_CHECKING:
    from duelbook.arena import TournamentPlan

EXAMPLES = """\b
Examples:
  duelbook tournament --agents random,greedy,perfect --pairs 50 --out results
  duelbook tournament --games charge:goal=21 --agents medium,mcts:50 --out out
  duelbook tournament --out results --resume
  duelbook tournament --manifest results/manifest.json --out again
"""


@app.command("tournament", cls=AgentCommand, epilog=EXAMPLES)
def tournament(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the results.")],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            *("--agents", "--agent"),
            metavar="AGENT,...",
            autocompletion=complete_agents,
            help="Two or more agents.",
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1_000_000, help="Pairs of matches for every two agents and game. By default 10."
        ),
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    openings: Annotated[OpeningsName | None, OPENINGS] = None,
    ply_limit: Annotated[int | None, PLY_LIMIT] = None,
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Play the tournament that this manifest describes again.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Allow the programs and language models that a manifest names.")
    ] = False,
    backend: Annotated[str, BACKEND] = "process",
    workers: Annotated[int | None, workers_option("Matches at the same time. By default one for each core.")] = None,
    ray_address: Annotated[str | None, RAY_ADDRESS] = None,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Let agents play each other, and report how they did.

    Every two agents play each game in pairs of matches: the same opening, once from each seat. The same seed gives
    the same files. Of all games, those whose rules are broken do not take part; the exit code is then 1.
    """
    treat_sigterm_as_ctrl_c()
    require_extra("arena")
    from duelbook.arena import TournamentPlan, UnfinishedError, run_tournament
    from duelbook.arena.report.text import standings_text
    from duelbook.arena.results_log import resolve_plan
    from duelbook.arena.tournament import REPORT

    if resume and agents is None and any(value is not None for value in (games, pairs, seed, openings, ply_limit)):
        raise RefusedError(
            "--resume continues the plan in the folder. Leave out --games, --pairs, --seed, --openings and "
            "--ply-limit, or repeat the whole plan with --agents."
        )
    folder, screen = full_path(str(out)), Screen()
    broken = BrokenGames(is_one_of_many=games in (None, ["all"]))
    if agents is not None and broken.is_one_of_many:
        with screen.busy("Checking the games"):
            games = _sound_games(broken)
    requested = _plan(games, agents, pairs, seed, openings, ply_limit, manifest)
    plan = resolve_plan(folder, requested, TournamentPlan, resume=resume)
    if agents is None and not trust:
        _check_agents(plan.agents)
    command = f"duelbook tournament --out {shlex.quote(str(out))} --resume{trust_option(plan.agents)}"
    how_to_resume = f"Every finished match is saved. Continue with: {command}"
    try:
        document = run_tournament(
            plan, folder, resume=resume, backend=backend, workers=workers, ray_address=ray_address, display=screen
        )
    except UnfinishedError as error:
        raise RefusedError(f"{error} {how_to_resume}") from error
    except KeyboardInterrupt:
        saved = (folder / plan.manifest_name).exists()
        print(f"duelbook: Stopped. {how_to_resume if saved else 'Nothing was written.'}", file=sys.stderr)
        return EXIT_INTERRUPTED
    screen.say(standings_text(document))
    screen.say(f"\nPlayed {plan.total:,} matches. The report is {folder / REPORT}")
    return broken.report()


def _sound_games(broken: BrokenGames) -> list[str]:
    """Return the names of all games whose rules keep the contract, as far as a few games or the solver show."""
    sound = []
    for name in GAMES:
        with broken.passed_over():
            verify(make(name))
            try_solve(make(name))
            sound.append(name)
    return sound


def _check_agents(agents: tuple[str, ...]) -> None:
    """Raise RefusedError if a file, not the person, names a program to start or an endpoint to reach."""
    for agent in filter(is_external, agents):
        raise RefusedError(f"The manifest names the agent '{agent}'. If you trust it, add --trust.")


def _plan(
    games: list[str] | None,
    agents: list[str] | None,
    pairs: int | None,
    seed: int | None,
    openings: str | None,
    ply_limit: int | None,
    manifest: Path | None,
) -> "TournamentPlan | None":
    """Return the tournament that the options describe; None if they describe none."""
    from duelbook.arena import TournamentPlan, load_manifest, plan_tournament
    from duelbook.arena.entries import split_agents
    from duelbook.arena.openings import Openings

    described = any(value is not None for value in (games, agents, pairs, seed, openings, ply_limit))
    if manifest is not None:
        if described:
            raise RefusedError(
                "--manifest cannot be combined with --games, --agents, --pairs, --seed, --openings or --ply-limit."
            )
        return load_manifest(full_path(str(manifest)), TournamentPlan)
    if not described:
        return None
    names = split_agents(agents or [])
    return plan_tournament(
        games or ["all"],
        names,
        pairs=pairs or 10,
        seed=seed or 0,
        openings=openings or Openings.BALANCED,
        ply_limit=ply_limit,
    )
