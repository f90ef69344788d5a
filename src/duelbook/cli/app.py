"""The application, and what its commands have in common."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from duelbook import GAMES, __version__
from duelbook.agents import AGENTS, agent_names
from duelbook.errors import RefusedError
from duelbook.records.record import HUMAN
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook play                        choose a game from a menu
  duelbook play charge --p2 greedy     play Charge against the computer
  duelbook rules word-clash            read the rules of a game
  duelbook solve crystal-capture       who wins, how soon, and what every move is worth
  duelbook replay game.json            step through a recorded game
  duelbook match --p1 mcts --p2 club   let two agents play each other
"""

app = typer.Typer(
    help="Two-player strategy games, exactly as their rule books say.",
    epilog=EXAMPLES,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _games(incomplete: str) -> list[str]:
    return [name for name in GAMES if name.startswith(incomplete)]


def players(incomplete: str) -> list[str]:
    return [name for name in (HUMAN, *AGENTS) if name.startswith(incomplete)]


GAME = typer.Argument(metavar="GAME", autocompletion=_games, help=f"One of {', '.join(GAMES)}.")
OPTION = typer.Option(metavar="KEY=VALUE", help="A rule option; may be repeated. See: duelbook rules GAME.")
WHO = f"Who plays as Player {{}}: {HUMAN} (default), {' or '.join(agent_names())}."


def end_well() -> None:
    """Take a signal to end for Ctrl-C, so that programs which were started end, too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"duelbook {__version__}")
        raise typer.Exit


@app.callback()
def _duelbook(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Two-player strategy games, exactly as their rule books say."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@contextmanager
def working(text: str) -> Iterator[Screen]:
    """Show that work goes on; an interruption is one line, and nothing is half-written."""
    screen = Screen()
    try:
        with screen.busy(text):
            yield screen
    except KeyboardInterrupt:
        raise RefusedError(f"{text} was interrupted; nothing was written") from None
