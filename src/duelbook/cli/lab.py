"""`duelbook lab`: measure the variants of a game."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import (
    BACKEND,
    GAME,
    OPTION,
    PRESET_OPTION,
    RAY_ADDRESS,
    SEED,
    allow_given_memory,
    app,
    rule_options,
    treat_sigterm_as_ctrl_c,
    workers_option,
)
from duelbook.cli.completion import complete_option, one_of
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED
from duelbook.terminal.screen import Screen
from duelbook.text import plural

EXAMPLES = """\b
Examples:
  duelbook lab charge --sweep goal=9..30 --sweep steal_cards=0..3 --out lab
  duelbook lab crystal-capture --sweep crystals=7,9 --out lab
  duelbook lab flag-chase --sweep cells=3..21..2 --pairs 50 --out lab
  duelbook lab --out lab --resume
"""


@app.command("lab", epilog=EXAMPLES)
def lab(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the results.")],
    game: Annotated[str | None, GAME] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=VALUES",
            autocompletion=complete_option,
            help="The values of a rule option: 9..30, 9..30..3, names or numbers with commas, or all; may be repeated.",
        ),
    ] = None,
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=1_000_000, help="Pairs of matches for every two levels that meet. By default 20."
        ),
    ] = None,
    starts: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=1000, help="Starts of a game whose start is drawn. By default 10."),
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the lab in the folder.")] = False,
    backend: Annotated[str, BACKEND] = "process",
    workers: Annotated[int | None, workers_option("Variants at the same time. By default one for each core.")] = None,
    ray_address: Annotated[str | None, RAY_ADDRESS] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            autocompletion=one_of("800M", "2G", "4G"),
            callback=allow_given_memory,
            help="Memory for solving one variant, such as 800M or 4G. By default 1G; larger variants are not measured.",
        ),
    ] = None,
) -> int:
    """Measure every combination of some rule options of a game.

    For each variant the lab finds who wins, how fair it is between equal levels, how far skill matters, and how long it
    takes. It writes a table as CSV and Parquet, and a report with pictures. The same seed gives the same files.
    """
    treat_sigterm_as_ctrl_c()
    from duelbook.arena.results_log import resolve_plan
    from duelbook.arena.runner import UnfinishedError
    from duelbook.lab import LabPlan, plan_lab, run_lab
    from duelbook.lab.run import REPORT
    from duelbook.lab.text import lab_text

    requested = None
    given = {"pairs": pairs, "starts": starts, "seed": seed}
    numbers = {name: value for name, value in given.items() if value is not None}
    if game is not None:
        requested = plan_lab(game, sweep or [], rule_options(option, preset), **numbers)
    elif sweep or option or preset or any(value is not None for value in given.values()) or not resume:
        raise RefusedError("Name a game, such as: duelbook lab charge --sweep goal=9..30 --out lab")
    folder, screen = full_path(str(out)), Screen()
    plan = resolve_plan(folder, requested, LabPlan, resume=resume)
    how_to_resume = (
        f"Every finished variant is saved. Continue with: duelbook lab --out {shlex.quote(str(out))} --resume"
    )
    try:
        variants = run_lab(
            plan, folder, resume=resume, backend=backend, workers=workers, ray_address=ray_address, display=screen
        )
    except UnfinishedError as error:
        raise RefusedError(f"{error} {how_to_resume}") from error
    except KeyboardInterrupt:
        saved = (folder / plan.manifest_name).exists()
        print(f"duelbook: Stopped. {how_to_resume if saved else 'Nothing was written.'}", file=sys.stderr)
        return EXIT_INTERRUPTED
    screen.say(lab_text(plan, variants))
    screen.say(f"\nMeasured {plural(plan.total, 'variant')}. The report is {folder / REPORT}")
    return EXIT_FINISHED
