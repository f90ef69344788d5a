"""`duelbook positions`: a benchmark of single decisions as a dataset."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import GAME_LIST, MEMORY, SEED, app
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED
from duelbook.terminal.screen import Screen
from duelbook.text import plural

EXAMPLES = """\b
Examples:
  duelbook positions --games all --per-cell 20 --seed 1 --out positions
  duelbook positions --games charge,flag-chase:cells=21 --out positions
  duelbook positions --out positions --held-out private --secret seed.txt
  duelbook eval --agent greedy --positions positions
"""


@app.command("positions", epilog=EXAMPLES)
def positions(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the dataset, new or empty.")],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    per_cell: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=10_000,
            help="Positions of each game, seat, distance to the end, number of legal moves and share of good ones: "
            "three tenths go into train, half into test, two tenths into a held-out split.",
        ),
    ] = 20,
    seed: Annotated[int, SEED] = 0,
    held_out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder for a held-out split, which is drawn with a secret seed."),
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file with the secret seed of the held-out split. It is made if it is not there."
        ),
    ] = None,
    parquet: Annotated[
        bool, typer.Option("--parquet/--no-parquet", help="Whether Parquet files are written, too (extra lab).")
    ] = True,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Write a benchmark of single decisions as a dataset.

    In every position the choice of the move matters, and the value of every move is exact. Neither a position nor one
    that is symmetric to it is in both the train and the test split. The same seed gives the same files. Measure an
    agent on them with: duelbook eval --positions DIR
    """
    from duelbook.positions import HeldOut, make_dataset

    if (held_out is None) != (secret is None):
        raise RefusedError("--held-out and --secret go together: a held-out split is drawn with a secret seed.")
    folder = full_path(str(out))
    hidden = HeldOut(full_path(str(held_out)), full_path(str(secret))) if held_out and secret else None
    screen = Screen()
    try:
        made = make_dataset(
            games or ["all"], folder, per_cell=per_cell, seed=seed, held_out=hidden, parquet=parquet, display=screen
        )
    except KeyboardInterrupt:
        print("duelbook: Drawing positions was interrupted. The dataset was not written.", file=sys.stderr)
        return EXIT_INTERRUPTED
    for split, part in made.splits.items():
        screen.say(f"{split}: {plural(part.positions, 'position')}")
    screen.say(f"The dataset is in {shlex.quote(str(folder))}.")
    if hidden and made.held_out:
        screen.say(f"held-out: {plural(made.held_out.positions, 'position')}, in {shlex.quote(str(hidden.folder))}.")
    return EXIT_FINISHED
