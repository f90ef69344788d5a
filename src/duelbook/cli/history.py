"""`duelbook history`: the games that you have played."""

import json
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import JSON, app
from duelbook.cli.completion import complete_game, complete_kept, complete_player
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.history.kept_game import Filter, KeptGame, OwnResult, read_day
from duelbook.history.store import History
from duelbook.play.exit_codes import EXIT_FAILED, EXIT_FINISHED
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

history = typer.Typer(epilog=EXAMPLES, rich_markup_mode=None, invoke_without_command=True)
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
Wanted = Annotated[OwnResult | None, RESULT]
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
    from duelbook.play.past_games import past_games
    from duelbook.terminal.history import show_games

    wanted = _filter(game, opponent, result, since, until)
    if as_json:
        print(json.dumps([_json_object(one) for one in History().games(wanted, limit)], indent=2))
    else:
        show_games(past_games(wanted, limit), Screen())


def _json_object(game: KeptGame) -> dict[str, object]:
    return {
        "number": game.number,
        "game": game.game,
        "players": [{"name": person.name, "agent": person.agent} for person in game.people],
        "first": game.first + 1,
        "moves": game.moves,
        "result": str(game.result) if game.result is not OwnResult.NONE else None,
        "winner": None if game.winner is None else game.winner + 1,
        "reason": str(game.reason),
        "changed": game.changed.isoformat(),
        "helped": game.helped,
        "imported": game.imported,
    }


@history.command()
def statistics(game: Game = None, opponent: Opponent = None, since: Since = None, until: Until = None) -> None:
    """Show results by game and opponent, streaks, and your rating."""
    from duelbook.play.past_games import totals
    from duelbook.terminal.history import show_totals

    show_totals(totals(_filter(game, opponent, None, since, until)), Screen())


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

    games = History().games(_filter(game, opponent, result, since, until))
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
    game: str | None, opponent: str | None, result: OwnResult | None, since: str | None, until: str | None
) -> Filter:
    if game is not None:
        _check_known("of", game, {*History().game_names()})
    if opponent is not None:
        opponents = History().opponents()
        _check_known("against", opponent, {*opponents, *(one.partition(":")[0] for one in opponents)})
    return Filter(
        game=game,
        opponent=opponent,
        result=result,
        since=read_day(since) if since else None,
        until=read_day(until) if until else None,
    )


def _check_known(what: str, name: str, known: set[str]) -> None:
    """Raise RefusedError if the history has no game of this kind, or none against this opponent."""
    if name not in known:
        names = f"Your history has: {', '.join(sorted(filter(None, known)))}." if known else "Your history is empty."
        close = did_you_mean(name, known)
        raise RefusedError(f"There is no game {what} '{shorten(name)}' in your history.{close} {names}")
