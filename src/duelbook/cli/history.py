"""`duelbook history`: the games that you have played."""

import json
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import JSON, CommandGroup, app
from duelbook.cli.completion import complete_game, complete_kept, complete_player
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.history.filters import Filter, opponent_names, read_day
from duelbook.history.kept_game import Result
from duelbook.history.store import History
from duelbook.terminal import EXIT_FAILED, EXIT_FINISHED
from duelbook.terminal.screen import WARNING, Screen
from duelbook.text import did_you_mean, plural, shorten

EXAMPLES = """\b
Examples:
  duelbook history
  duelbook history --game charge --result lost
  duelbook history statistics --opponent hard
  duelbook history export games
  duelbook history import games/12-charge.json
  duelbook history remove 12
"""

history = typer.Typer(cls=CommandGroup, epilog=EXAMPLES, rich_markup_mode=None, invoke_without_command=True)
app.add_typer(history, name="history")

GAME = typer.Option("--game", "--games", metavar="GAME", autocompletion=complete_game, help="Only games of this kind.")
OPPONENT = typer.Option(
    metavar="WHO", autocompletion=complete_player, help="Only games against this agent; human for two people."
)
RESULT = typer.Option(help="Only games that ended like this for you; none if there were two people or two agents.")
SINCE = typer.Option(metavar="DAY", help="Only games that were played on this day or later, such as 2026-11-17.")
UNTIL = typer.Option(metavar="DAY", help="Only games that were played before this day.")
Game = Annotated[str | None, GAME]
Opponent = Annotated[str | None, OPPONENT]
Wanted = Annotated[Result | None, RESULT]
Since = Annotated[str | None, SINCE]
Until = Annotated[str | None, UNTIL]


@history.callback()
def _history(
    context: typer.Context,
    game: Game = None,
    opponent: Opponent = None,
    result: Wanted = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="Show at most N games.")] = 20,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """List the games that you have played, the last one first."""
    if context.invoked_subcommand is not None:
        return
    from duelbook.terminal import history as pages

    kept = History().games()
    games = _filter(game, opponent, result, since, until).of(kept)
    if as_json:
        print(json.dumps([pages.as_json(one) for one in games[:limit]], indent=2))
    else:
        pages.history_page(games[:limit], len(games), len(kept), Screen())


@history.command()
def statistics(game: Game = None, opponent: Opponent = None, since: Since = None, until: Until = None) -> None:
    """Show results by game and opponent, streaks, and your rating."""
    from duelbook.terminal.history import statistics_page

    kept = History().games()
    statistics_page(_filter(game, opponent, None, since, until).of(kept), kept, Screen())


@history.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to write them.")],
    game: Game = None,
    opponent: Opponent = None,
    result: Wanted = None,
    since: Since = None,
    until: Until = None,
) -> None:
    """Write games as records, one file each."""
    from duelbook.history.transfer import export_games

    games = _filter(game, opponent, result, since, until).of(History().games())
    target = full_path(str(folder))
    Screen().say(f"Wrote {plural(export_games(History(), games, target), 'record')} to {target}.")


@history.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records, or folders with records.")],
) -> int:
    """Take over records. They do not count for the rating."""
    from duelbook.history.transfer import import_games

    screen = Screen()
    done = import_games(History(), [full_path(str(file)) for file in files])
    for problem in done.problems:
        screen.say(problem, WARNING)
    known = f"{done.known} {'was' if done.known == 1 else 'were'} known already"
    screen.say(f"Imported {plural(done.added, 'game')}. Extended {done.extended}; {known}.")
    return EXIT_FAILED if done.problems else EXIT_FINISHED


@history.command()
def remove(
    numbers: Annotated[
        list[int], typer.Argument(metavar="NUMBER...", autocompletion=complete_kept, help="The games to remove.")
    ],
) -> None:
    """Remove games from the history."""
    for number in numbers:
        History().game(number)  # raises an error for one that is not there, before any is removed
    Screen().say(f"Removed {plural(History().remove(numbers), 'game')}.")


@history.command()
def repair() -> int:
    """Rescue the games of a damaged history."""
    from duelbook.history.transfer import repair as repair_file

    done = repair_file(History())
    problems = History().unreadable(History().games())
    for problem in problems:
        Screen().say(str(problem), WARNING)
    if done is None and not problems:
        Screen().say(f"Nothing is wrong with {History().path}.")
    if done:
        lost = f"{plural(done.lost or 0, 'game')} cannot be read"
        if done.lost is None:
            lost = "How many are lost is not known"
        Screen().say(f"Took over {plural(done.games, 'game')}. {lost}. The damaged file is {done.damaged}.")
    return EXIT_FAILED if problems else EXIT_FINISHED


def _filter(
    game: str | None, opponent: str | None, result: Result | None, since: str | None, until: str | None
) -> Filter:
    if game is not None or opponent is not None:
        games = History().games()
        _check_known("of", game, {one.game for one in games})
        _check_known("against", opponent, {name for one in games for name in opponent_names(one)})
    return Filter(
        game=game,
        opponent=opponent,
        result=result,
        since=(since and read_day(since)) or None,
        until=(until and read_day(until)) or None,
    )


def _check_known(what: str, name: str | None, known: set[str]) -> None:
    """Raise RefusedError if the history has no game of this kind, or none against this opponent."""
    if name is not None and name not in known:
        names = f"Your history has: {', '.join(sorted(known))}." if known else "Your history is empty."
        close = did_you_mean(name, known)
        raise RefusedError(f"There is no game {what} '{shorten(name)}' in your history.{close} {names}")
