"""The games that were played, as every front end lists them and tells what they add up to. Nothing here prints."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from duelbook.agents.levels import RATINGS
from duelbook.errors import RefusedError
from duelbook.game import Reason
from duelbook.history.kept_game import ALL_GAMES, Filter, KeptGame, OwnResult, game_title
from duelbook.history.rating import Rating
from duelbook.history.statistics import ResultCounts, Statistics
from duelbook.history.store import PLAY_A_GAME, History
from duelbook.play.text_tables import HEADING, NOTE, StyledLine, column_widths, table, table_width
from duelbook.records.record import HUMAN, Record
from duelbook.text import plural

GIVEN_UP = {
    Reason.RESIGNATION: "by resignation",
    Reason.TIME: "on time",
    Reason.FORFEIT: "by forfeit",
    Reason.ABSENCE: "by absence",
}
HEADINGS = ("", "played", "game", "opponent", "you", "result")
TALLY_HEADINGS = ("games", "won", "lost", "drawn", "points")
NO_SUCH_GAME = "There is no such game in your history"
RESULTS = tuple(str(result) for result in OwnResult if result is not OwnResult.NONE)
TWO_PEOPLE = "two people"


# Lists


class PastGame(NamedTuple):
    """A game of the history in a list."""

    number: int
    row: tuple[str, ...]  # in the order of HEADINGS
    is_over: bool


class PastGames(NamedTuple):
    """Games of the history, the one that was played last first."""

    games: list[PastGame]
    matching: int  # the number of all that fit the filter
    kept: int  # the number of all in the history

    @property
    def why_empty(self) -> str:
        """Why there is no game in the list, and how to get one."""
        return f"{NO_SUCH_GAME if self.kept else 'Your history is empty'}. {PLAY_A_GAME}"


def past_games(wanted: Filter = ALL_GAMES, limit: int | None = None) -> PastGames:
    """Return the games that fit the filter, and at most `limit` of them."""
    history = History()
    games = [PastGame(game.number, game_row(game), game.finished) for game in history.games(wanted, limit)]
    return PastGames(games, history.count(wanted), history.count())


def wanted_games(game: str | None, opponent: str | None, result: str | None) -> Filter:
    """Return the filter for what a person has chosen; None for what does not matter."""
    return Filter(game, opponent, OwnResult(result) if result else None)


def played_games() -> dict[str, str]:
    """Return the titles of the games that were played, by name."""
    return {name: game_title(name) for name in History().game_names()}


def played_opponents() -> dict[str, str]:
    """Return in words who was played against, by what a filter takes."""
    return {name: TWO_PEOPLE if name == HUMAN else name for name in History().opponents() if name}


def past_record(number: int) -> Record:
    """Return the record of a game, or raise RefusedError, as if it is not installed any more."""
    return History().record(number)


def game_to_continue() -> tuple[int, str] | None:
    """Return the unfinished game that was played last: its number, and what it is. None if there is none."""
    try:
        game = History().last_unfinished()
    except RefusedError:  # there is none, or the history cannot be read, which its own page tells
        return None
    if game.person is not None:
        against = f"against {game.opponent}"
    else:
        against = TWO_PEOPLE if game.opponent == HUMAN else "two computers"
    moves = f", {plural(game.moves, 'move')}" if game.moves else ""
    return game.number, f"{game_title(game.game)}, {against}{moves}"


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


# What games add up to


class Totals(NamedTuple):
    """What games add up to; and the rating, which follows from all games."""

    statistics: Statistics
    rating: Rating | None

    @property
    def is_empty(self) -> bool:
        """True if there is no such game."""
        return not self.statistics.games

    def summary(self) -> str:
        """Return results and the rating in a line."""
        if self.is_empty:
            return f"{NO_SUCH_GAME}."
        decided = "".join(f"; against {whom} {_results_text(total)}" for whom, total in self.statistics.totals.items())
        rated = f" Your overall rating, against levels without help: {self.rating}." if self.rating else ""
        return f"{plural(self.statistics.games, 'game')}{decided}.{rated}"

    def page(self, columns: int | None) -> Iterator[StyledLine]:
        """Return results by game and by opponent, streaks and the rating, no wider than the columns."""
        statistics = self.statistics
        yield StyledLine(f"{plural(statistics.games, 'game')}, {statistics.unfinished} unfinished")
        for whom, total in statistics.totals.items():
            yield StyledLine(f"Against {whom}: {_tally_text(total)}")
        if statistics.totals:
            yield StyledLine(f"Won in a row: {statistics.streaks.now} now, {statistics.streaks.best} at best")
        for heading, tallies in statistics.groups.items():
            yield from _tallies(heading, tallies, columns)
        if statistics.wins:
            wins = ", ".join(f"{name} won {count}" for name, count in statistics.wins.items())
            yield StyledLine(f"\nTwo people at one keyboard, {plural(statistics.two_people, 'game')}: {wins}")
        yield from _rating_lines(self.rating)


def totals(wanted: Filter = ALL_GAMES) -> Totals:
    """Return what the games that fit the filter add up to."""
    history = History()
    return Totals(history.statistics(wanted), history.rating(datetime.now(UTC)))


def _rating_lines(rating: Rating | None) -> Iterator[StyledLine]:
    if rating:
        levels = ", ".join(f"{name} {value}" for name, value in RATINGS.items())
        games = plural(rating.games, "game")
        yield StyledLine(f"\nRating: {rating}, from {games} against levels without help", HEADING)
        yield StyledLine(f"(The figure after ± is twice the deviation. The levels: {levels}.)", NOTE)
    else:
        yield StyledLine("\nRating: none yet. Games against a level count if they are finished without help.", NOTE)


def _tallies(heading: str, tallies: Mapping[str, ResultCounts], columns: int | None) -> Iterator[StyledLine]:
    """Return results in columns after an empty line; if there is no room for that, as lines of text."""
    if not tallies:
        return
    yield StyledLine()
    rows = [(name, str(one.games), *map(str, one), _share(one)) for name, one in tallies.items()]
    headings = (heading, *TALLY_HEADINGS)
    if columns is None or table_width(column_widths(headings, rows)) <= columns:
        yield from table(headings, rows)
        return
    yield StyledLine(f"by {heading}", NOTE)
    for name, one in tallies.items():
        yield StyledLine(f"  {name}: {plural(one.games, 'game')}, {_tally_text(one)}")


def _results_text(one: ResultCounts) -> str:
    """Return `3 won, 1 lost, 0 drawn`."""
    return f"{one.won} won, {one.lost} lost, {one.drawn} drawn"


def _tally_text(one: ResultCounts) -> str:
    return f"{_results_text(one)} ({_share(one)} of the points)"


def _share(one: ResultCounts) -> str:
    return f"{(one.won + one.drawn / 2) / one.games:.0%}"
