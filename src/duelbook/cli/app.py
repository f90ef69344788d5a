"""The application, and what its commands share."""

import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from duelbook import __version__
from duelbook.cli.completion import (
    complete_game,
    complete_games,
    complete_kept,
    complete_moves,
    complete_option,
    complete_preset,
    one_of,
)
from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame
from duelbook.games import broken_game, find_rules, make
from duelbook.options import PRESET, draw, drawn_options, option_pairs
from duelbook.play.exit_codes import EXIT_FAILED, EXIT_FINISHED, EXIT_INTERRUPTED
from duelbook.presets import expand_preset
from duelbook.records.record import MAX_SEED
from duelbook.terminal.screen import Screen
from duelbook.text import sanitize

COMMANDS = (  # the modules, in the order of `duelbook --help`
    *("play", "learn", "puzzle", "history", "tui", "resume", "review", "replay", "games", "rules"),
    *("solve", "certify", "audit", "check", "cache"),
    *("match", "tournament", "eval", "compare", "decisions", "positions", "check-player", "lab", "bench"),
    *("serve", "db"),
    *("new-game",),
)

EXAMPLES = """\b
Examples:
  duelbook play                        choose a game from a menu
  duelbook play charge --p2 easy       play Charge against the computer
  duelbook rules word-clash            read the rules of a game
  duelbook puzzle --daily              find the winning move of the day
  duelbook solve crystal-capture       see who wins, and how
  duelbook history                     see the games that you have played
  duelbook review                      see the mistakes of your last game
  duelbook match --p1 mcts --p2 hard   let two agents play each other
"""


class OrderedGroup(TyperGroup):
    """The commands in the order in which people need them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands that are loaded, in order."""
        return sorted(self.commands, key=COMMANDS.index)


app = typer.Typer(
    cls=OrderedGroup,
    help="Two-player strategy games, exactly as their rule books say.",
    epilog=EXAMPLES,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def in_range(name: str, low: float, high: float) -> Callable[[Any], Any]:
    """Return a callback that checks the value of an option, if it is given; the help text does not show the range."""

    def check(value: Any) -> Any:
        if value is not None:
            check_range(name, value, low, high)
        return value

    return check


GAME = typer.Argument(
    metavar="GAME", autocompletion=complete_game, help="A game, such as charge. List them with: duelbook games."
)
OPTION = typer.Option(
    metavar="KEY=VALUE",
    autocompletion=complete_option,
    help="A rule option; may be repeated. List them with: duelbook rules GAME.",
)
PRESET_OPTION = typer.Option(
    "--preset",
    metavar="NAME",
    autocompletion=complete_preset,
    help="Rule options under a name, such as book. List them with: duelbook rules GAME.",
)
SEED = typer.Option(
    metavar="N", callback=in_range("--seed", 0, MAX_SEED), help="The same seed repeats the same random choices."
)
GAME_LIST = typer.Option(
    *("--games", "--game"),
    metavar="GAME,...",
    autocompletion=complete_games,
    help="Games, such as charge, or charge:goal=21 to set a rule option. By default all games.",
)
PLY_LIMIT = typer.Option(
    metavar="N", min=1, max=1_000_000, help="Stop a match after N moves, with no winner. By default the game's limit."
)
OPENINGS = typer.Option(
    help="What chance decides before the agents take over: also a few moves, to positions that are won for each side "
    "in turn (balanced); only what the rule book draws (book); nothing (none)."
)
OpeningsName = Literal["balanced", "book", "none"]
RECORD = typer.Argument(
    metavar="GAME",
    autocompletion=complete_kept,
    help="The number of a game of your history, or a file with a record. By default your last game.",
)
AFTER = typer.Option(
    metavar="MOVE,MOVE...",
    autocompletion=complete_moves,
    help="Take the position after these moves, not the first one.",
)
DRAW_SEED = typer.Option(metavar="N", min=0, help="Draw the start, if the game has one that is drawn, with this seed.")
JSON = typer.Option("--json", help="Print JSON.")


def allow_given_memory(text: str | None) -> str | None:
    """Allow this much memory for solving, if it is given."""
    if text is not None:
        from duelbook.solve.budget import allow_memory

        allow_memory(text)
    return text


BACKEND = typer.Option(
    metavar="NAME",
    autocompletion=one_of("serial", "process", "ray"),
    help="Where the work is done: serial, process or ray.",
)
RAY_ADDRESS = typer.Option(
    metavar="HOST:PORT",
    autocompletion=one_of("auto"),
    help="The Ray cluster, or auto. By default one is started on this machine.",
)
SHOW_VALUES = typer.Option(
    "--show-values", help="Show for every legal move whether it wins, loses or draws, and how soon."
)
MEMORY = typer.Option(
    metavar="SIZE",
    autocompletion=one_of("800M", "2G", "4G"),
    callback=allow_given_memory,
    help="Memory for solving a game, such as 800M or 4G. By default half of what is free.",
)


def workers_option(about: str, maximum: int = 10_000) -> Any:
    """Return the option for how much is done at the same time, which has one name in all commands."""
    return typer.Option("--workers", metavar="N", min=1, max=maximum, help=about)


def rule_options(pairs: list[str] | None, preset: str | None) -> dict[str, str]:
    """Return the rule options of a command line: those that `--option` gives, and the preset, if there is one."""
    options = option_pairs(pairs or [])
    if preset is not None and PRESET in options:
        raise RefusedError("The preset is given twice. Leave out --preset or --option preset=NAME.")
    return options if preset is None else {**options, PRESET: preset}


def _version(wanted: bool) -> None:
    if wanted:
        print(f"duelbook {__version__}")
        raise typer.Exit


@app.callback()
def _duelbook(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Two-player strategy games, exactly as their rule books say."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def chosen_game(name: str, pairs: list[str] | None, preset: str | None, seed: int | None) -> AnyGame:
    """Return the game with the options of the command line. A seed draws the start."""
    options = expand_preset(find_rules(name), rule_options(pairs, preset))
    game = make(name, **options)
    if seed is None:
        return game
    drawn = drawn_options(type(game), options)
    if not drawn:
        raise RefusedError(f"There is nothing to draw in {name} with these options. Leave out --seed.")
    return draw(game, random.Random(seed), drawn)


def move_list(text: str) -> tuple[str, ...]:
    """Return the names of moves that commas separate."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def treat_sigterm_as_ctrl_c() -> None:
    """Make SIGTERM raise KeyboardInterrupt, so that a command stops the programs that it started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def show_progress(text: str) -> Iterator[Screen]:
    """Show a progress bar; turn Ctrl-C into one line on standard error."""
    screen = Screen()
    try:
        with screen.busy(text):
            yield screen
    except KeyboardInterrupt:
        print(f"duelbook: {text} was interrupted. Nothing was written.", file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from None


class BrokenGames:
    """Games that fail while a command works on all games. Unless the game is one of many, its error is raised."""

    def __init__(self, *, is_one_of_many: bool) -> None:
        self.is_one_of_many = is_one_of_many
        self._sentences: list[str] = []

    @contextmanager
    def passed_over(self) -> Iterator[None]:
        """Note an error of a game's own code, so that the command goes on with the next game."""
        try:
            yield
        except Exception as error:
            broken = broken_game(error)
            if broken is None or not self.is_one_of_many:
                raise
            self._sentences.append(str(broken))

    def report(self) -> int:
        """Print a sentence about each game that failed, and return the exit code."""
        for text in self._sentences:
            print(f"duelbook: {sanitize(' '.join(text.split()))}", file=sys.stderr)
        return EXIT_FAILED if self._sentences else EXIT_FINISHED
