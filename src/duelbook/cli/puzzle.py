"""`duelbook puzzle`: find the right move."""

from typing import Annotated

import typer

from duelbook.cli.app import GAME, MEMORY, app
from duelbook.cli.completion import complete_level
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook puzzle
  duelbook puzzle crystal-capture --level 3
  duelbook puzzle charge --kind trap
  duelbook puzzle --daily
  duelbook puzzle --day 2026-11-01
  duelbook puzzle word-clash --levels
"""


def complete_kind(incomplete: str) -> list[str]:
    """Return the kinds of puzzles that the shell may complete the text to."""
    from duelbook.study.puzzle_kinds import PuzzleKind

    return [kind for kind in PuzzleKind if kind.startswith(incomplete)]


@app.command("puzzle", epilog=EXAMPLES)
def puzzle(
    game: Annotated[str | None, GAME] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="The same seed gives the same puzzle.")] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=5, autocompletion=complete_level, help="How hard it is: 1 is easy, 5 is hard."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            autocompletion=complete_kind,
            help="What is asked: win (one move wins), only-move (one does not lose) or trap (a tempting move loses).",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="The puzzle with this number in the game's list of such puzzles."),
    ] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")] = False,
    day: Annotated[
        str | None, typer.Option(metavar="DATE", help="The puzzle of a past day. It leaves your streak as it is.")
    ] = None,
    levels: Annotated[
        bool, typer.Option("--levels", help="List the kinds and levels of puzzles that there are.")
    ] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Find the right move in a position. Without GAME, in any game."""
    from duelbook.play.puzzle_request import read_request
    from duelbook.terminal.exercises import pose
    from duelbook.terminal.pages import levels_page

    request = read_request(game, seed, level, kind, day or ("today" if daily else None), number)
    if levels:
        levels_page(game, Screen())
        return 0
    return pose(request, Screen())
