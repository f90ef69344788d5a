"""The pages of `duelbook history`: the list of games, and what they add up to."""

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Protocol

from duelbook.agents.levels import RATINGS
from duelbook.game import Reason
from duelbook.games import GAMES, title
from duelbook.history.kept_game import KeptGame, Result
from duelbook.history.statistics import Tally, streaks, tallies, tally, tally_computer, tally_online, wins_by_name
from duelbook.history.store import PLAY_A_GAME
from duelbook.records.record import HUMAN
from duelbook.terminal.layout import cut, width_of
from duelbook.terminal.screen import HEADING, NOTE, Screen
from duelbook.text import plural

GIVEN_UP = {
    Reason.RESIGNATION: "by resignation",
    Reason.TIME: "on time",
    Reason.FORFEIT: "by forfeit",
    Reason.ABSENCE: "by absence",
}
HEADINGS = ("", "played", "game", "opponent", "you", "result")
MIN_WIDTHS = {HEADINGS.index("opponent"): 10, HEADINGS.index("result"): 18}  # of the columns that can be cut


class Output(Protocol):
    """Where a page is shown: a terminal, or a page of the full-screen interface."""

    @property
    def columns(self) -> int | None: ...

    def say(self, text: str = "", style: str = "") -> None: ...


def history_page(games: Sequence[KeptGame], matching: int, kept: int, screen: Screen) -> None:
    """Show games, the last one first. `matching` is the number of all that fit the filter, `kept` that of all."""
    if not games:
        screen.say(f"{'There is no such game in your history' if kept else 'Your history is empty'}. {PLAY_A_GAME}")
        return
    _show_games([game_row(one) for one in games], screen)
    screen.say()
    if matching > len(games):
        screen.say(f"These are {len(games)} of {plural(matching, 'game')}. See more with --limit {matching}", NOTE)
    screen.say(f"Review, replay or resume a game by its number, as in: duelbook review {games[0].number}", NOTE)
    screen.say("See what they add up to with: duelbook history statistics", NOTE)


def _show_games(rows: Sequence[tuple[str, ...]], screen: Screen) -> None:
    """Show the list of games in columns; if the terminal is too narrow for that, as lines of text."""
    room = screen.columns
    if room is None or _table_width(HEADINGS, rows) <= room:
        _show_table(HEADINGS, rows, screen)
        return
    shorter = [(number, day[5:], *rest) for number, day, *rest in rows]  # without the year
    widths = _widths(HEADINGS, shorter)
    while sum(widths) + 2 * (len(widths) - 1) > room:
        widest = max(MIN_WIDTHS, key=lambda column: widths[column] - MIN_WIDTHS[column])
        if widths[widest] == MIN_WIDTHS[widest]:
            _show_lines(rows, screen)
            return
        widths[widest] -= 1
    cells = [[cut(cell, width, sys.stdout) for cell, width in zip(row, widths, strict=True)] for row in shorter]
    _show_table(HEADINGS, cells, screen)


def _show_lines(rows: Sequence[tuple[str, ...]], screen: Screen) -> None:
    width = max(len(row[0]) for row in rows)
    for number, day, game, players, seat, result in rows:
        own = f" (you moved {seat})" if seat else ""
        screen.say(f"{number.rjust(width)}  {day}, {game}, {players}{own}: {result}")


def game_row(game: KeptGame) -> tuple[str, ...]:
    """Return a game as a line of the list, in the order of HEADINGS."""
    return str(game.number), _day(game), _title(game.game), *_players(game), result_text(game)


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


def statistics_page(games: Sequence[KeptGame], all_games: Sequence[KeptGame], screen: Output) -> None:
    """Show what the games add up to: results and streaks; and the rating, which follows from all games."""
    people, unfinished = wins_by_name(games), sum(not game.finished for game in games)
    screen.say(f"{plural(len(games), 'game')}, {unfinished} unfinished")
    if tally(games).games:
        streak = streaks(games)
        for whom, total in totals(games).items():
            screen.say(f"Against {whom}: {_tally_text(total)}")
        screen.say(f"Won in a row: {streak.now} now, {streak.best} at best")
        _show_tallies("game", {_title(name): one for name, one in _by_game(games).items()}, screen)
        _show_tallies("opponent", _by_strength(tallies(games, lambda game: game.opponent)), screen)
        _show_tallies("game and opponent", _by_both(games), screen)
    if people:
        finished = sum(game.opponent == HUMAN and game.finished for game in games)
        wins = ", ".join(f"{name} won {count}" for name, count in people.items())
        screen.say(f"\nTwo people at one keyboard, {plural(finished, 'game')}: {wins}")
    _show_rating(all_games, screen)


def totals(games: Sequence[KeptGame]) -> dict[str, Tally]:
    """Return the results against the computer, and against people over the network, as far as there are any."""
    found = {"the computer": tally_computer(games), "people over the network": tally_online(games)}
    return {whom: total for whom, total in found.items() if total.games}


def _show_rating(games: Sequence[KeptGame], screen: Output) -> None:
    from duelbook.history.rating import rating_of

    rating = rating_of(games, datetime.now(UTC))
    if rating:
        levels = ", ".join(f"{name} {value}" for name, value in RATINGS.items())
        screen.say(f"\nRating: {rating}, from {plural(rating.games, 'game')} against levels without help", HEADING)
        screen.say(f"(The figure after ± is twice the deviation. The levels: {levels}.)", NOTE)
    else:
        screen.say("\nRating: none yet. Games against a level count if they are finished without help.", NOTE)


def _by_game(games: Sequence[KeptGame]) -> dict[str, Tally]:
    return dict(sorted(tallies(games, lambda game: game.game).items()))


def _by_both(games: Sequence[KeptGame]) -> dict[str, Tally]:
    """Return the tallies by game and opponent, if there is more than one of each."""
    found: dict[str, Tally] = {}
    for name in _by_game(games):
        own = tallies([game for game in games if game.game == name], lambda game: game.opponent)
        found |= {f"{_title(name)}, {opponent}": one for opponent, one in _by_strength(own).items()}
    several = len({game.game for game in games}) > 1 and len({game.opponent for game in games}) > 1
    return found if several else {}


def _by_strength(found: Mapping[str, Tally]) -> dict[str, Tally]:
    """Return the tallies in the order of the levels, the weakest first, and then the others by name."""
    order = [*RATINGS]
    return dict(sorted(found.items(), key=lambda one: (order.index(one[0]) if one[0] in order else len(order), one[0])))


def _show_tallies(heading: str, found: Mapping[str, Tally], screen: Output) -> None:
    if found:
        rows = [(name, str(one.games), *map(str, one), _share(one)) for name, one in found.items()]
        headings = (heading, "games", "won", "lost", "drawn", "points")
        screen.say()
        if screen.columns is None or _table_width(headings, rows) <= screen.columns:
            _show_table(headings, rows, screen)
            return
        screen.say(f"by {heading}", NOTE)
        for name, one in found.items():
            screen.say(f"  {name}: {plural(one.games, 'game')}, {_tally_text(one)}")


def results_text(one: Tally) -> str:
    """Return `3 won, 1 lost, 0 drawn`."""
    return f"{one.won} won, {one.lost} lost, {one.drawn} drawn"


def _tally_text(one: Tally) -> str:
    return f"{results_text(one)} ({_share(one)} of the points)"


def _share(one: Tally) -> str:
    return f"{(one.won + one.drawn / 2) / one.games:.0%}"


def _table_width(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    return sum(_widths(heading, rows)) + 2 * (len(heading) - 1)


def _widths(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width_of, column)) for column in zip(heading, *rows, strict=True)]


def _show_table(heading: Sequence[str], rows: Sequence[Sequence[str]], screen: Output) -> None:
    """Show rows in columns. Plain text is easy to read aloud and to cut apart."""
    widths = _widths(heading, rows)
    for number, row in enumerate([heading, *rows]):
        cells = [
            cell.rjust(width) if cell[:1].isdecimal() and len(cell) < 6 else cell + " " * (width - width_of(cell))
            for cell, width in zip(row, widths, strict=True)
        ]
        screen.say("  ".join(cells).rstrip(), NOTE if number == 0 else "")


def _title(game: str) -> str:
    return title(game) if game in GAMES else game  # one that is not installed any more


def _players(game: KeptGame) -> tuple[str, str]:
    """Return the opponent, and whether the person moved first; both players if there is not one person."""
    if game.person is not None:
        return game.opponent, "first" if game.person == game.first else "second"
    one, two = (person.name if person.agent == HUMAN else person.agent for person in game.people)
    return f"{one}, {two}", ""


def _day(game: KeptGame) -> str:
    """Return the day on this machine on which the game was last played."""
    return game.changed.astimezone().date().isoformat()


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
