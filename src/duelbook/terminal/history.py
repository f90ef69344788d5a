"""The pages of `duelbook history`: the list of games, and what they add up to."""

import sys
from collections.abc import Iterable, Sequence

from duelbook.history.kept_game import KeptGame, Result
from duelbook.history.rating import Rating
from duelbook.history.statistics import Statistics
from duelbook.history.store import PLAY_A_GAME
from duelbook.history.texts import (
    HEADINGS,
    NO_SUCH_GAME,
    Line,
    column_widths,
    game_row,
    statistics_page,
    table,
    table_width,
)
from duelbook.terminal.layout import cut
from duelbook.terminal.screen import NOTE, Screen
from duelbook.text import plural

MIN_WIDTHS = {HEADINGS.index("opponent"): 10, HEADINGS.index("result"): 18}  # of the columns that can be cut


def show_games(games: Sequence[KeptGame], matching: int, kept: int, screen: Screen) -> None:
    """Show games, the last one first. `matching` is the number of all that fit the filter, `kept` that of all."""
    if not games:
        screen.say(f"{NO_SUCH_GAME if kept else 'Your history is empty'}. {PLAY_A_GAME}")
        return
    _show(_games_lines([game_row(one) for one in games], screen.columns), screen)
    screen.say()
    if matching > len(games):
        screen.say(f"These are {len(games)} of {plural(matching, 'game')}. See more with --limit {matching}", NOTE)
    screen.say(f"Review, replay or resume a game by its number, as in: duelbook review {games[0].number}", NOTE)
    screen.say("See what they add up to with: duelbook history statistics", NOTE)


def show_statistics(statistics: Statistics, rating: Rating | None, screen: Screen) -> None:
    """Show what games add up to, and the rating."""
    _show(statistics_page(statistics, rating, screen.columns), screen)


def _show(lines: Iterable[Line], screen: Screen) -> None:
    for line in lines:
        screen.say(*line)


def _games_lines(rows: Sequence[tuple[str, ...]], room: int | None) -> Iterable[Line]:
    """Return the list of games in columns; if the terminal is too narrow for that, as lines of text."""
    if room is None or table_width(column_widths(HEADINGS, rows)) <= room:
        return table(HEADINGS, rows)
    shorter = [(number, day[5:], *rest) for number, day, *rest in rows]  # without the year
    widths = column_widths(HEADINGS, shorter)
    while table_width(widths) > room:
        widest = max(MIN_WIDTHS, key=lambda column: widths[column] - MIN_WIDTHS[column])
        if widths[widest] == MIN_WIDTHS[widest]:
            return _text_lines(rows)
        widths[widest] -= 1
    cells = [[cut(cell, width, sys.stdout) for cell, width in zip(row, widths, strict=True)] for row in shorter]
    return table(HEADINGS, cells)


def _text_lines(rows: Sequence[tuple[str, ...]]) -> Iterable[Line]:
    width = max(len(row[0]) for row in rows)
    for number, day, game, players, seat, result in rows:
        own = f" (you moved {seat})" if seat else ""
        yield Line(f"{number.rjust(width)}  {day}, {game}, {players}{own}: {result}")


def as_json(game: KeptGame) -> dict[str, object]:
    """Return a game of the list as a JSON object."""
    return {
        "number": game.number,
        "game": game.game,
        "players": [{"name": person.name, "agent": person.agent} for person in game.people],
        "first": game.first + 1,
        "moves": game.moves,
        "result": str(game.result) if game.result is not Result.NONE else None,
        "winner": None if game.winner is None else game.winner + 1,
        "reason": str(game.reason),
        "changed": game.changed.isoformat(),
        "helped": game.helped,
        "imported": game.imported,
    }
