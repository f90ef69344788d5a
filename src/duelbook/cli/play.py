"""`duelbook play`: play a game in the terminal."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from duelbook.cli.agent_command import AgentCommand
from duelbook.cli.app import GAME, MEMORY, OPTION, PRESET_OPTION, SEED, SHOW_VALUES, app, rule_options
from duelbook.cli.completion import complete_match, complete_player, complete_server
from duelbook.files import full_path
from duelbook.play.arguments import MAX_MATCHES, PlayArguments
from duelbook.records.record import HUMAN, check_time_limit
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook play flag-chase --name1 Red --name2 Blue
  duelbook play charge --p2 greedy --option goal=21 --record game.json
  duelbook play --resume game.json
  duelbook play flag-chase --matches 2 --p2 greedy
  duelbook play alpha-chase --option words=PLANT,GHOST --time-limit 30
  duelbook play charge --server https://play.example --name1 Ann
  duelbook play --join https://play.example/match/0123456789abcdef01234567
"""
PLAYER = f"Who plays as Player {{}}: {HUMAN} (the default), or one of the agents."


@app.command("play", cls=AgentCommand, epilog=EXAMPLES)
def play(
    game: Annotated[str | None, GAME] = None,
    p1: Annotated[
        str | None, typer.Option(metavar="WHO", autocompletion=complete_player, help=PLAYER.format(1))
    ] = None,
    p2: Annotated[
        str | None, typer.Option(metavar="WHO", autocompletion=complete_player, help=PLAYER.format(2))
    ] = None,
    name1: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of Player 1. Over the network, your name.")
    ] = None,
    name2: Annotated[str | None, typer.Option(metavar="NAME", help="The name of Player 2.")] = None,
    first: Annotated[
        Literal["1", "2", "random"] | None,
        typer.Option(help="Who moves first: Player 1, Player 2 or chance. By default as the rule book says."),
    ] = None,
    matches: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=MAX_MATCHES,
            help="Play N matches from the same start, with the seats swapped each time.",
        ),
    ] = 1,
    seed: Annotated[int | None, SEED] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time for each turn. Running out of time loses the game.")
    ] = None,
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game to a new file as you play.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Continue a saved game.")] = None,
    no_history: Annotated[bool, typer.Option("--no-history", help="Do not keep the game in your history.")] = False,
    server: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            autocompletion=complete_server,
            help="Play over the network: make the match on this server. Without GAME, choose from a menu.",
        ),
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            autocompletion=complete_match,
            help="Join a match of a server, or come back to it: by its link, or by its code and --server.",
        ),
    ] = None,
    watch: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            autocompletion=complete_match,
            help="Watch a match of a server: by its link, or by its code and --server.",
        ),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="End after the game. At a terminal, a next game is offered otherwise.")
    ] = False,
    show_values: Annotated[bool, SHOW_VALUES] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Play a game. Without GAME, choose one from a menu.

    Two people share the keyboard, or the computer takes one or both sides. With --server, --join or --watch, the match
    is one of a service, and the other player can be anywhere.
    """
    if time_limit is not None:
        check_time_limit("--time-limit", time_limit)
    arguments = PlayArguments(
        game=game,
        options=rule_options(option, preset),
        agents=(p1, p2),
        names=(name1, name2),
        first=first,
        seed=seed,
        time_limit=time_limit,
        record=record and full_path(str(record)),
        resume=resume and full_path(str(resume)),
        show_values=show_values,
        matches=matches,
        keep=not no_history,
        once=once,
        server=server,
        join=join,
        watch=watch,
    )
    if server is not None or join is not None or watch is not None:
        from duelbook.terminal.online import play_online

        return play_online(arguments, Screen())
    from duelbook.terminal.start import play as start

    return start(arguments, Screen())
