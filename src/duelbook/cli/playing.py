"""Commands for playing: play, replay, games, rules."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from duelbook.cli.app import GAME, OPTION, WHO, app, players
from duelbook.errors import RefusedError
from duelbook.games import find_rules
from duelbook.options import option_pairs
from duelbook.records.document import to_json
from duelbook.records.file import file_named, load
from duelbook.records.record import LARGEST_SEED, TIME_LIMITS, is_time_limit
from duelbook.terminal.pages import games_page, rules_page
from duelbook.terminal.screen import Screen

PLAY_EXAMPLES = """\b
Examples:
  duelbook play flag-chase --name1 Red --name2 Blue
  duelbook play charge --p2 greedy --option goal=21 --record game.json
  duelbook play --resume game.json
  duelbook play alpha-chase --option words=PLANT,GHOST --time-limit 30
"""


@app.command(epilog=PLAY_EXAMPLES)
def play(
    game: Annotated[str | None, GAME] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=players, help=WHO.format(1))] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=players, help=WHO.format(2))] = None,
    name1: Annotated[str | None, typer.Option(metavar="NAME", help="The name of Player 1.")] = None,
    name2: Annotated[str | None, typer.Option(metavar="NAME", help="The name of Player 2.")] = None,
    first: Annotated[
        Literal["1", "2", "random"] | None,
        typer.Option(help="Which player moves first; by default as the book says."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=LARGEST_SEED, help="For chance that comes out the same again."),
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For each turn; running out loses the game.")
    ] = None,
    option: Annotated[list[str] | None, OPTION] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Record the game in a new file.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a recorded game.")] = None,
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Mark every legal move as win, loss or draw, and in how many plies.")
    ] = False,
) -> int:
    """Play a game; without GAME, choose from a menu.

    Two people play at one keyboard, or either player is the computer.
    """
    from duelbook.terminal.start import Wishes
    from duelbook.terminal.start import play as start

    if time_limit is not None and not is_time_limit(time_limit):
        raise RefusedError(f"--time-limit must be {TIME_LIMITS}, not {time_limit}")
    wishes = Wishes(
        game=game,
        options=option_pairs(option or []),
        agents=(p1, p2),
        names=(name1, name2),
        first=first,
        seed=seed,
        time_limit=time_limit,
        record=record and file_named(str(record)),
        resume=resume and file_named(str(resume)),
        show_values=show_values,
    )
    return start(wishes, Screen())


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    at: Annotated[int | None, typer.Option(metavar="N", help="Show only the position after N moves.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Step through a recorded game, forwards and back."""
    from duelbook.terminal.replay import Replay

    record = load(file_named(str(file)))
    if as_json:
        print(json.dumps(to_json(record), indent=2))
    elif at is not None:
        Replay(record, Screen()).show(at)
    else:
        Replay(record, Screen()).step()


@app.command()
def games() -> None:
    """List the games."""
    games_page(Screen())


@app.command()
def rules(game: Annotated[str, GAME]) -> None:
    """Show the rules of a game and its options."""
    find_rules(game)
    rules_page(game, Screen())
