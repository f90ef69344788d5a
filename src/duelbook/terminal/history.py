"""The pages of `duelbook history`: the list of games, and what they add up to."""

import sys
from collections.abc import Iterable, Sequence

from duelbook.play.past_games import HEADINGS, PastGames, Totals
from duelbook.play.text_tables import StyledLine, column_widths, table, table_width
from duelbook.terminal.layout import cut
from duelbook.terminal.screen import NOTE, Screen
from duelbook.text import plural

MIN_WIDTHS = {HEADINGS.index("opponent"): 10, HEADINGS.index("result"): 18}  # of the columns that can be cut


def show_games(found: PastGames, screen: Screen) -> None:
    """Show games, the last one first."""
    games, matching = found.games, found.matching
    if not games:
        screen.say(found.why_empty)
        return
    _show(_games_lines([game.row for game in games], screen.columns), screen)
    screen.say()
    if matching > len(games):
        screen.say(f"These are {len(games)} of {plural(matching, 'game')}. See more with --limit {matching}", NOTE)
    screen.say(f"Review, replay or resume a game by its number, as in: duelbook review {games[0].number}", NOTE)
    screen.say("See what they add up to with: duelbook history statistics", NOTE)


def show_totals(totals: Totals, screen: Screen) -> None:
    """Show what games add up to, and the rating."""
    _show(totals.page(screen.columns), screen)


def _show(lines: Iterable[StyledLine], screen: Screen) -> None:
    for line in lines:
        screen.say(*line)


def _games_lines(rows: Sequence[tuple[str, ...]], room: int | None) -> Iterable[StyledLine]:
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


def _text_lines(rows: Sequence[tuple[str, ...]]) -> Iterable[StyledLine]:
    width = max(len(row[0]) for row in rows)
    for number, day, game, players, seat, result in rows:
        own = f" (you moved {seat})" if seat else ""
        yield StyledLine(f"{number.rjust(width)}  {day}, {game}, {players}{own}: {result}")
