"""The command line. Heavy parts are imported by the commands that need them."""

import json
import math
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer.exceptions import TyperException

from duelbook import GAMES, __version__
from duelbook.agents import AGENTS
from duelbook.game import RefusedError
from duelbook.games import find_rules
from duelbook.names import harmless
from duelbook.record import HUMAN
from duelbook.recordfile import load
from duelbook.recordjson import to_json
from duelbook.terminal.pages import games_page, rules_page
from duelbook.terminal.screen import Screen

WRONG_USAGE, INTERRUPTED, BROKEN = 2, 130, 70  # exit codes
LARGEST_SEED = 2**63 - 1

EXAMPLES = """\b
Examples:
  duelbook play                        choose a game from a menu
  duelbook play charge --p2 greedy     play Charge against the computer
  duelbook rules word-clash            read the rules of a game
  duelbook replay game.json            step through a recorded game
"""
PLAY_EXAMPLES = """\b
Examples:
  duelbook play flag-chase --name1 Red --name2 Blue
  duelbook play charge --p2 greedy --option goal=21 --record game.json
  duelbook play --resume game.json
  duelbook play alpha-chase --option words=PLANT,GHOST --time-limit 30
"""

app = typer.Typer(
    help="Two-player strategy games, exactly as their rule books say.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _games(incomplete: str) -> list[str]:
    return [name for name in GAMES if name.startswith(incomplete)]


def _players(incomplete: str) -> list[str]:
    return [name for name in (HUMAN, *AGENTS) if name.startswith(incomplete)]


GAME = typer.Argument(metavar="GAME", autocompletion=_games, help=f"One of {', '.join(GAMES)}.")
WHO = f"Who plays as Player {{}}: {HUMAN} (default), {' or '.join(AGENTS)}."


def _version(wanted: bool) -> None:
    if wanted:
        print(f"duelbook {__version__}")
        raise typer.Exit


@app.callback()
def _duelbook(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Two-player strategy games, exactly as their rule books say."""


@app.command(epilog=PLAY_EXAMPLES)
def play(
    game: Annotated[str | None, GAME] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=_players, help=WHO.format(1))] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", autocompletion=_players, help=WHO.format(2))] = None,
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
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A rule option; may be repeated. See: duelbook rules GAME."),
    ] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Record the game in a new file.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a recorded game.")] = None,
) -> int:
    """Play a game; without GAME, choose from a menu.

    Two people play at one keyboard, or either player is the computer.
    """
    from duelbook.terminal.start import Wishes
    from duelbook.terminal.start import play as start

    if time_limit is not None and not (time_limit > 0 and math.isfinite(time_limit)):
        raise RefusedError(f"--time-limit must be a positive number of seconds, not {time_limit}")
    wishes = Wishes(game, _pairs(option or []), (p1, p2), (name1, name2), first, seed, time_limit, record, resume)
    return start(wishes, Screen())


def _pairs(options: list[str]) -> dict[str, str]:
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            raise RefusedError(f"--option takes KEY=VALUE, not '{text}'")
        pairs[key.strip()] = value.strip()
    return pairs


@app.command()
def games() -> None:
    """List the games."""
    games_page(Screen())


@app.command()
def rules(game: Annotated[str, GAME]) -> None:
    """Show the rules of a game and its options."""
    find_rules(game)
    rules_page(game, Screen())


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    at: Annotated[int | None, typer.Option(metavar="N", help="Show only the position after N moves.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Step through a recorded game, forwards and back."""
    from duelbook.terminal.replay import Replay

    record = load(file)
    if as_json:
        print(json.dumps(to_json(record), indent=2))
    elif at is not None:
        Replay(record, Screen()).show(at)
    else:
        Replay(record, Screen()).step()


def main() -> None:
    """Run the command line; whatever goes wrong is one line on standard error and an exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a stray byte must not stop a game
    sys.exit(_run())


def _run() -> int:
    try:
        return app(prog_name="duelbook", standalone_mode=False) or 0
    except TyperException as error:
        return _fail(error.format_message(), error.exit_code)
    except RefusedError as error:
        return _fail(str(error), WRONG_USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        return _fail(f"a fault in Duelbook, please report it ({type(error).__name__}: {error})", BROKEN)


def _fail(message: str, code: int) -> int:
    print(f"duelbook: {harmless(message)}", file=sys.stderr)
    return code
