"""`duelbook tui`: the full-screen interface."""

import os
import sys
from typing import Annotated

import typer

from duelbook.cli.app import MEMORY, app
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.text import sanitize

USE_PLAY = "The full-screen interface {why}. The line dialogue has the same games: duelbook play"


@app.command("tui")
def tui(
    screen_reader: Annotated[
        bool, typer.Option("--screen-reader", help="Say which command to use with a screen reader.")
    ] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Play, learn and review on the full screen."""
    if screen_reader:
        print(USE_PLAY.format(why="draws boards, which a screen reader cannot read well"))
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        raise RefusedError(USE_PLAY.format(why="needs a terminal that can draw"))
    if "utf" not in sys.stdout.encoding.lower():
        raise RefusedError(USE_PLAY.format(why="needs more than ASCII, as with LANG=C.UTF-8"))
    require_extra("tui")
    from duelbook.tui.app import run

    code, said = run()
    for text in said:
        print(sanitize(text))
    return code
