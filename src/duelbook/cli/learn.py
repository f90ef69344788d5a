"""`duelbook learn`: learn a game in a few small positions."""

from typing import Annotated

import typer

from duelbook.cli.app import GAME, app
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook learn
  duelbook learn word-clash
  duelbook learn charge --step 3
"""


@app.command("learn", epilog=EXAMPLES)
def learn(
    game: Annotated[str | None, GAME] = None,
    step: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Begin with this step, not where you stopped.")
    ] = None,
) -> int:
    """Learn a game in a few small positions. Without GAME, choose from all lessons."""
    from duelbook.terminal.exercises import learn as start

    return start(game, step, Screen())
