"""The list of games, the rules of one game, and the puzzles that there are."""

from collections.abc import Collection

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, broken_narrations, origin, problems
from duelbook.play.rules_page import game_summary, read_rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen

MIN_TABLE_COLUMNS = 60  # in a narrower terminal, a table would cut words


def games_page(screen: Screen) -> None:
    """Show every game with its name, its aim and where it comes from, then what is wrong with some of them."""
    if screen.plain or (screen.columns or MIN_TABLE_COLUMNS) < MIN_TABLE_COLUMNS:
        width = max(map(len, GAMES))
        screen.say("\n".join(f"{name.ljust(width)}  {game_summary(name)} ({origin(name)})" for name in GAMES))
        _problem_lines(screen)
        return
    from rich.table import Column, Table

    table = Table(Column("game", no_wrap=True), "aim", Column("from", no_wrap=True))
    for name in GAMES:
        table.add_row(name, game_summary(name), origin(name))
    screen.show(table)
    _problem_lines(screen)


def _problem_lines(screen: Screen) -> None:
    for problem in (*problems(), *broken_narrations()):
        screen.say(problem, WARNING)


def rules_page(game: AnyGame, screen: Screen, unknown: Collection[str] = (), *, full: bool = False) -> None:
    """Show the rules of a game as they are with its options. `unknown` names those that are drawn or chosen later."""
    page = read_rules_page(game, unknown, full=full)
    if screen.plain:
        screen.say(page.text)
    else:
        from rich.markdown import Markdown

        screen.show(Markdown(page.text))
    if page.problem:
        screen.say(page.problem, WARNING)
    elif page.note:
        screen.say(page.note, NOTE)


def levels_page(game: str | None, screen: Screen) -> None:
    """Show the kinds and levels of puzzles that a game has, or all games."""
    from duelbook.study.puzzle_bank import levels_text, puzzle_levels  # which the other pages do not need

    names = [game] if game else list(GAMES)
    width = max(map(len, names))
    for name in names:
        try:
            with screen.busy(f"Looking for puzzles of {name}"):
                known = levels_text(puzzle_levels(name)) or "none"
        except RefusedError as error:
            if game:
                raise
            known = f"none. {error}"
        screen.say(f"{name.ljust(width)}  {known}")
