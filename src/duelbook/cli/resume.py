"""`duelbook resume`: continue a game of the history."""

from itertools import takewhile
from typing import Annotated

import typer

from duelbook.cli.app import MEMORY, SHOW_VALUES, app
from duelbook.cli.completion import complete_player, complete_unfinished
from duelbook.files import full_path
from duelbook.terminal.screen import WARNING, Screen

EXAMPLES = """\b
Examples:
  duelbook resume
  duelbook resume 12
  duelbook resume game.json
"""
WHO = "Who plays as Player {} from now on."


@app.command("resume", epilog=EXAMPLES)
def resume(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="NUMBER",
            autocompletion=complete_unfinished,
            help="A game of your history, or a record. By default the last one.",
        ),
    ] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=complete_player, help=WHO.format(1))] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=complete_player, help=WHO.format(2))] = None,
    once: Annotated[bool, typer.Option("--once", help="End after the game.")] = False,
    show_values: Annotated[bool, SHOW_VALUES] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Continue an unfinished game, by default the last one."""
    from duelbook.history.store import History, is_number
    from duelbook.play.arguments import PlayArguments
    from duelbook.terminal.start import play

    number = game
    if number is None:
        last = History().last_unfinished()
        for problem in History().unreadable(takewhile(lambda one: one != last, History().games())):
            Screen().say(str(problem), WARNING)
        number = str(last.number)
    arguments = PlayArguments(
        agents=(p1, p2),
        kept=int(number) if is_number(number) else None,
        resume=None if is_number(number) else full_path(number),
        once=once,
        show_values=show_values,
    )
    return play(arguments, Screen())
