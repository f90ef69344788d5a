"""`duelbook decisions`: every decision of a tournament or an evaluation as a Parquet file."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import MEMORY, app
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.files import check_new_file, full_path
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook decisions results
  duelbook decisions eval-mcts-200 --out decisions.parquet
"""


@app.command("decisions", epilog=EXAMPLES)
def decisions(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a tournament or an evaluation.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A new file. By default decisions.parquet in the folder.")
    ] = None,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Write every decision of a run to a Parquet file.

    Each row is a decision: the match, the position, the move, its exact value before and after, and the time it took.
    """
    require_extra("lab")
    from duelbook.arena.decisions import DECISIONS, write_decisions
    from duelbook.arena.results import open_results
    from duelbook.positions.comparison import holds_positions
    from duelbook.positions.evaluation import ANSWERS

    screen, folder = Screen(), full_path(str(run))
    file = full_path(str(out)) if out else folder / DECISIONS
    if out:
        check_new_file(file, "remove that one first")
    if holds_positions(folder):
        raise RefusedError(f"'{folder}' holds a position evaluation: each decision is a line of {ANSWERS} there.")
    with open_results(folder) as results:
        with screen.progress("Judging the moves", len(results)) as report:
            count = write_decisions(results, file, report)
        played = f"{len(results):,} of {results.plan.total:,} matches"
    screen.say(f"{count:,} decision{'' if count == 1 else 's'} in {played}: {shlex.quote(str(file))}")
