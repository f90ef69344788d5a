"""What is said about games of the history in a terminal and on the full screen; nothing here prints."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from duelbook.agents.levels import RATINGS
from duelbook.game import Reason
from duelbook.history.kept_game import KeptGame, game_title
from duelbook.history.rating import Rating
from duelbook.history.statistics import Statistics, Tally
from duelbook.records.record import HUMAN
from duelbook.text import plural, width_of

GIVEN_UP = {
    Reason.RESIGNATION: "by resignation",
    Reason.TIME: "on time",
    Reason.FORFEIT: "by forfeit",
    Reason.ABSENCE: "by absence",
}
HEADINGS = ("", "played", "game", "opponent", "you", "result")
TALLY_HEADINGS = ("games", "won", "lost", "drawn", "points")
HEADING, NOTE = "cyan", "dim"  # styles of lines
NO_SUCH_GAME = "There is no such game in your history"


class Line(NamedTuple):
    """A line of a page."""

    text: str = ""
    style: str = ""


def game_row(game: KeptGame) -> tuple[str, ...]:
    """Return a game as a line of the list, in the order of HEADINGS. The day is that on this machine."""
    day = game.changed.astimezone().date().isoformat()
    return str(game.number), day, game_title(game.game), *_players(game), result_text(game)


def _players(game: KeptGame) -> tuple[str, str]:
    """Return the opponent, and whether the person moved first; both players if there is not one person."""
    if game.person is not None:
        return game.opponent, "first" if game.person == game.first else "second"
    one, two = (person.name if person.agent == HUMAN else person.agent for person in game.people)
    return f"{one}, {two}", ""


def result_text(game: KeptGame) -> str:
    """Return how a game ended: `won in 9 moves`, `Red won on time`, `unfinished, 4 moves`."""
    moves = plural(game.moves, "move")
    if not game.finished:
        return f"unfinished, {moves}"
    if game.outcome == "none":
        return f"nobody won in {moves}"
    how = GIVEN_UP.get(game.reason, f"in {moves}")
    if game.outcome == "draw":
        return f"drawn {how}"
    if game.person is not None:
        return f"{game.result} {how}"
    assert game.winner is not None
    return f"{game.people[game.winner].name} won {how}"


def statistics_page(statistics: Statistics, rating: Rating | None, columns: int | None) -> Iterator[Line]:
    """Return what games add up to, no wider than the columns; and the rating, which follows from all games."""
    yield Line(f"{plural(statistics.games, 'game')}, {statistics.unfinished} unfinished")
    for whom, total in statistics.totals.items():
        yield Line(f"Against {whom}: {_tally_text(total)}")
    if statistics.totals:
        yield Line(f"Won in a row: {statistics.streaks.now} now, {statistics.streaks.best} at best")
    for heading, tallies in statistics.groups.items():
        yield from _tallies(heading, tallies, columns)
    if statistics.wins:
        wins = ", ".join(f"{name} won {count}" for name, count in statistics.wins.items())
        yield Line(f"\nTwo people at one keyboard, {plural(statistics.two_people, 'game')}: {wins}")
    if rating:
        levels = ", ".join(f"{name} {value}" for name, value in RATINGS.items())
        yield Line(f"\nRating: {rating}, from {plural(rating.games, 'game')} against levels without help", HEADING)
        yield Line(f"(The figure after ± is twice the deviation. The levels: {levels}.)", NOTE)
    else:
        yield Line("\nRating: none yet. Games against a level count if they are finished without help.", NOTE)


def _tallies(heading: str, tallies: Mapping[str, Tally], columns: int | None) -> Iterator[Line]:
    """Return results in columns after an empty line; if there is no room for that, as lines of text."""
    if not tallies:
        return
    yield Line()
    rows = [(name, str(one.games), *map(str, one), _share(one)) for name, one in tallies.items()]
    headings = (heading, *TALLY_HEADINGS)
    if columns is None or table_width(column_widths(headings, rows)) <= columns:
        yield from table(headings, rows)
        return
    yield Line(f"by {heading}", NOTE)
    for name, one in tallies.items():
        yield Line(f"  {name}: {plural(one.games, 'game')}, {_tally_text(one)}")


def results_text(one: Tally) -> str:
    """Return `3 won, 1 lost, 0 drawn`."""
    return f"{one.won} won, {one.lost} lost, {one.drawn} drawn"


def _tally_text(one: Tally) -> str:
    return f"{results_text(one)} ({_share(one)} of the points)"


def _share(one: Tally) -> str:
    return f"{(one.won + one.drawn / 2) / one.games:.0%}"


def column_widths(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how wide the columns of a table are."""
    return [max(map(width_of, column)) for column in zip(headings, *rows, strict=True)]


def table_width(widths: Sequence[int]) -> int:
    """Return how wide a table with such columns is."""
    return sum(widths) + 2 * (len(widths) - 1)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """Return the lines of a table. Plain text in columns is easy to read aloud and to cut apart."""
    widths = column_widths(headings, rows)
    for number, row in enumerate([headings, *rows]):
        cells = [
            cell.rjust(width) if cell[:1].isdecimal() and len(cell) < 6 else cell + " " * (width - width_of(cell))
            for cell, width in zip(row, widths, strict=True)
        ]
        yield Line("  ".join(cells).rstrip(), NOTE if number == 0 else "")
