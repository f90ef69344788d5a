"""`duelbook puzzle`: find the right move."""

from typing import Annotated

import typer

from duelbook.cli.app import GAME, MEMORY, app
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook puzzle
  duelbook puzzle crystal-capture --level 3
  duelbook puzzle charge --kind trap
  duelbook puzzle --daily
"""


@app.command("puzzle", epilog=EXAMPLES)
def puzzle(
    game: Annotated[str | None, GAME] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same puzzle.")] = None,
    level: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=5, help="How hard it is: 1 is easy, 5 is hard.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="What is asked: win (one move wins), only-move (one does not lose) or trap (a tempting move loses).",
        ),
    ] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Find the right move in a position. Without GAME, in any game."""
    from duelbook.terminal.puzzle import pose

    return pose(game, seed, level, kind, daily, Screen())
