"""The command line. Heavy parts are imported by the commands that need them."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer.exceptions import TyperException

from duelbook import GAMES, __version__
from duelbook.agents import AGENTS, agent_names
from duelbook.game import RefusedError, shortened
from duelbook.games import find_rules, make
from duelbook.names import harmless
from duelbook.record import HUMAN, LARGEST_SEED, TIME_LIMITS, is_time_limit
from duelbook.record import replay as replayed
from duelbook.recordfile import file_named, load
from duelbook.recordjson import to_json
from duelbook.talk import plural
from duelbook.terminal import FAULT, LEFT, WRONG_USAGE
from duelbook.terminal.pages import games_page, rules_page
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook play                        choose a game from a menu
  duelbook play charge --p2 greedy     play Charge against the computer
  duelbook rules word-clash            read the rules of a game
  duelbook solve crystal-capture       who wins, how soon, and what every move is worth
  duelbook replay game.json            step through a recorded game
"""
PLAY_EXAMPLES = """\b
Examples:
  duelbook play flag-chase --name1 Red --name2 Blue
  duelbook play charge --p2 greedy --option goal=21 --record game.json
  duelbook play --resume game.json
  duelbook play alpha-chase --option words=PLANT,GHOST --time-limit 30
"""
SOLVE_EXAMPLES = """\b
Examples:
  duelbook solve crystal-capture
  duelbook solve charge --option goal=9 --after "charge 5,block"
  duelbook solve word-clash --after "E self 3" --json
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


def _players(incomplete: str) -> list[str]:
    return [name for name in (HUMAN, *AGENTS) if name.startswith(incomplete)]


GAME = typer.Argument(metavar="GAME", autocompletion=_games, help=f"One of {', '.join(GAMES)}.")
OPTION = typer.Option(metavar="KEY=VALUE", help="A rule option; may be repeated. See: duelbook rules GAME.")
WHO = f"Who plays as Player {{}}: {HUMAN} (default), {' or '.join(agent_names())}."


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
        options=_pairs(option or []),
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


def _pairs(options: list[str]) -> dict[str, str]:
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            raise RefusedError(f"--option takes KEY=VALUE, not '{shortened(text)}'")
        if key.strip() in pairs:
            raise RefusedError(f"--option {key.strip()} is given twice")
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


@app.command(epilog=SOLVE_EXAMPLES)
def solve(
    game: Annotated[str, GAME],
    option: Annotated[list[str] | None, OPTION] = None,
    after: Annotated[
        str, typer.Option(metavar="MOVE,MOVE…", help="The position after these moves instead of the first one.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell who wins a position under best play, how soon, and what every move is worth."""
    from duelbook.terminal.values import solve_page, solve_report

    rules = make(game, **_pairs(option or []))
    moves = tuple(name.strip() for name in after.split(",") if name.strip())
    state = [rules.initial(), *(state for _, state in replayed(rules, moves))][-1]
    with _working(f"Solving {game}") as screen:
        report = solve_report(rules, moves)
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        screen.say(solve_page(rules, report, state))


@contextmanager
def _working(text: str) -> Iterator[Screen]:
    """Show that work goes on; an interruption is one line, and nothing is half-written."""
    screen = Screen()
    try:
        with screen.busy(text):
            yield screen
    except KeyboardInterrupt:
        raise RefusedError(f"{text} was interrupted; nothing was written") from None


@app.command()
def audit(
    game: Annotated[str | None, GAME] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute what is true of the games, and which promises of their rule books hold."""
    from duelbook.audit import audit as audited
    from duelbook.terminal.auditing import audit_json, audit_page

    names = [game] if game else list(GAMES)
    for name in names:
        find_rules(name)
    with _working("The audit"):
        audits = [audited(name) for name in names]
    if as_json:
        print(json.dumps(audit_json(audits), indent=2))
    else:
        print(audit_page(audits), end="")


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove them.")] = False,
) -> None:
    """Show the solutions that are kept in your cache folder."""
    from duelbook.solve.store import cache_folder, clear_cache, kept_files

    screen = Screen()
    if clear:
        screen.say(f"Removed {plural(clear_cache(), 'solution')} from {cache_folder()}.")
        return
    for file in kept_files():
        screen.say(f"{file.stat().st_size // 1024 + 1:6} kB  {file.name}")
    screen.say(f"{plural(len(kept_files()), 'solution')} in {cache_folder()}")


@app.command()
def puzzle(
    game: Annotated[str | None, GAME] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="For the same puzzle again.")] = None,
    level: Annotated[int | None, typer.Option(metavar="1-5", min=1, max=5, help="How hard it is.")] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")] = False,
) -> int:
    """Find the one move that wins."""
    from duelbook.terminal.puzzling import pose

    return pose(game, seed, level, daily, Screen())


@app.command()
def review(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge every move of a recorded game against exact values."""
    from duelbook.review import review as judged
    from duelbook.terminal.reviewing import review_json, review_page

    record = load(file_named(str(file)))
    with _working("The review") as screen:
        result = judged(record.game, record.moves)
    if as_json:
        print(json.dumps(review_json(record, result), indent=2))
    else:
        screen.say(review_page(record, result))


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


def main() -> int:
    """Run the command line and answer the exit code; whatever goes wrong is one line on standard error."""
    try:
        return app(prog_name="duelbook", standalone_mode=False) or 0
    except TyperException as error:
        return _fail(error.format_message(), error.exit_code)
    except RefusedError as error:
        return _fail(str(error), WRONG_USAGE)
    except OSError as error:  # the reader has gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return LEFT if isinstance(error, BrokenPipeError) else _fail(f"cannot go on: {error.strerror}", LEFT)
    except Exception as error:
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        return _fail(f"a fault in Duelbook, please report it ({type(error).__name__}: {error})", FAULT)


def _fail(message: str, code: int) -> int:
    print(f"duelbook: {harmless(' '.join(message.split()))}", file=sys.stderr)
    return code
