"""`duelbook new-game`: a new game to begin with."""

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import app
from duelbook.scaffold import NewGame, write_game
from duelbook.terminal.screen import NOTE, Screen


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game, such as tall-tower.")],
    here: Annotated[
        bool, typer.Option("--here", help="Write a folder of this clone of Duelbook, not a package of its own.")
    ] = False,
) -> None:
    """Write a small game that works, to be changed into your own."""
    written = write_game(name, Path.cwd(), here=here)
    screen = Screen()
    for file in written.files:
        screen.say(os.path.relpath(file), NOTE)
    screen.say(_next_steps(written, here))


def _next_steps(game: NewGame, here: bool) -> str:
    rules = os.path.relpath(game.folder / "rules.py" if here else game.folder / game.module / "rules.py")
    play = f"duelbook play {game.name} --p2 greedy"
    check = f"duelbook check {game.name}"
    if here:
        steps = [play, check, f"make golden GAME={game.name}", "make docs", f"python -m pytest {_shown(game.folder)}"]
    else:
        rules = f"{game.module}/rules.py"
        steps = [f"cd {_shown(game.folder)}", "pip install --editable .", play, check, "python -m pytest"]
    lines = "\n".join(f"  {step}" for step in steps)
    return f"\n{game.name} is a small game that works. Try it:\n\n{lines}\n\nThen write your own rules in {rules}."


def _shown(folder: Path) -> str:
    return shlex.quote(os.path.relpath(folder))
