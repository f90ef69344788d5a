"""The history on the full screen: filtered, reviewed, resumed, and damaged."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Select, Static

from duelbook.games import GAMES, make
from duelbook.history.database import history_file
from duelbook.history.store import History
from duelbook.match import Match
from duelbook.records import record as records
from duelbook.tui.dialogs import PageDialog
from duelbook.tui.history import HistoryScreen
from duelbook.tui.home import HomeScreen
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.review import ReviewScreen
from tests.support.full_screen import Person, at_screen


def test_games_are_listed_filtered_reviewed_and_resumed() -> None:
    async def look(person: Person) -> None:
        await person.start("flag-chase", two="random")
        await person.press("f6", "y")
        await person.start("charge")
        await person.press("2")
        person.app.push_screen(HistoryScreen())
        await person.settle()
        table = person.screen.query_one("#games")
        assert table.row_count == 2
        assert "2 games; against the computer 0 won, 1 lost, 0 drawn" in person.text("message")
        await person.press("enter")  # the last one is unfinished
        assert isinstance(person.screen, PlayScreen)
        assert person.table.record().moves == ("charge 2",)
        await person.press("escape")
        person.screen.query_one("#game", Select).value = "flag-chase"
        await person.settle()
        assert table.row_count == 1
        await person.press("f4")  # a game that is over is not resumed
        assert isinstance(person.screen, HistoryScreen)
        assert "f4" not in person.screen.active_bindings
        await person.press("f5")
        assert isinstance(person.screen, PageDialog)
        shown = str(person.screen.query_one(VerticalScroll).query_one(Static).content)
        assert "Against the computer: 0 won, 1 lost, 0 drawn (0% of the points)" in shown
        assert "random" in shown
        assert "Charge" not in shown, "that game does not fit the filter"
        await person.press("escape")
        table.focus()
        await person.press("enter")
        assert isinstance(person.screen, ReviewScreen)
        await person.press("escape")
        person.screen.query_one("#result", Select).value = "won"
        await person.settle()
        assert table.row_count == 0
        assert person.text("message") == "There is no such game in your history."
        await person.press("f3", "f4")
        assert isinstance(person.screen, HistoryScreen)

    at_screen(look)


def keep(game: str, opponent: str, results: str) -> None:
    """Keep finished games against a level, one for each `w` (won) and `l` (lost)."""
    for result in results:
        match = Match(make(game))
        match.resign(result == "w")
        History().keep(None, match.record((records.Person("Ann"), records.Person("Bot", opponent)), 0), helped=False)


def test_streaks_and_the_rating_do_not_follow_from_a_filter_of_results() -> None:
    keep("flag-chase", "easy", "wlw")
    keep("charge", "easy", "l")
    rating = str(History().rating(datetime.now(UTC)))

    async def look(person: Person) -> None:
        person.app.push_screen(HistoryScreen())
        await person.settle()
        assert f"Your overall rating, against levels without help: {rating}." in person.text("message")
        for name, value in (("game", "flag-chase"), ("result", "won")):
            person.screen.query_one(f"#{name}", Select).value = value
            await person.settle()
        await person.press("f5")
        shown = str(person.screen.query_one(VerticalScroll).query_one(Static).content)
        assert shown.startswith("These are the games with any result, not only 'won'.\n")
        assert "Won in a row: 1 now, 1 at best" in shown
        assert "2 won, 1 lost" in shown
        assert f"Rating: {rating}, from 4 games" in shown
        await person.press("escape")
        person.screen.query_one("#result", Select).value = "drawn"
        await person.settle()
        assert "F5 Statistics" in person.shown()

    at_screen(look)


def test_a_narrow_window_shows_the_whole_result_of_every_game() -> None:
    keep("crystal-capture", "search:depth=12,seconds=10", "wl")
    keep("charge", "easy", "w")

    async def look(person: Person) -> None:
        person.app.push_screen(HistoryScreen())
        await person.settle()
        rows = [" ".join(row.split()) for row in person.shown().splitlines()[3:6]]
        assert rows[0].startswith("3 Charge easy won by resignation")
        assert rows[1].startswith("2 Crystal Capture search:depth… lost by resignation")
        assert rows[2].startswith("1 Crystal Capture search:depth… won by resignation")
        await person.pilot.resize_terminal(100, 24)
        await person.settle()
        assert "search:depth=12,seconds=10" in person.shown()
        assert History().games()[0].changed.astimezone().date().isoformat() in person.shown()

    at_screen(look, (60, 20))


def test_a_damaged_history_is_told_and_the_game_goes_on() -> None:
    history_file().parent.mkdir(parents=True, exist_ok=True)
    history_file().write_bytes(b"not a database" * 100)

    async def look(person: Person) -> None:
        assert isinstance(person.screen, HomeScreen)
        person.app.push_screen(HistoryScreen())
        await person.settle()
        assert "duelbook history repair" in person.text("message")
        await person.start("charge")
        await person.press("1", "1")
        assert len(person.table.match.moves) == 2
        await person.notified("This game is not kept.")

    at_screen(look)


def test_a_game_that_is_not_installed_is_not_offered_to_be_continued(
    use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_games("tests.support.games.number_row:NumberRow")

    async def play(person: Person) -> None:
        await person.start("charge", two="random")
        await person.press("3")
        await person.press("escape")
        await person.start("number-row", two="random")
        await person.press("enter", "enter")
        monkeypatch.delenv("DUELBOOK_GAMES")
        GAMES.reload()
        while not isinstance(person.screen, HomeScreen):
            await person.press("escape")
        assert "Continue: Charge, against random, 2 moves" in person.shown()
        person.app.push_screen(HistoryScreen())
        await person.settle()
        await person.press("f4")
        await person.notified("Game 2 of your history is a game of 'number-row', which is not installed.")
        assert not person.app._notifications, "nothing covers the screen"

    at_screen(play)


def test_a_game_that_cannot_be_used_is_told_on_the_first_screen(use_games: Callable[[str], None]) -> None:
    use_games("nonsense:Foo")

    async def look(person: Person) -> None:
        assert "The game 'foo' (DUELBOOK_GAMES) cannot be used." in person.text("problems")

    at_screen(look)


def test_the_chosen_game_stays_chosen_after_coming_back() -> None:
    async def look(person: Person) -> None:
        for _ in range(3):
            await person.start("charge")
            await person.press("2")
        person.app.push_screen(HistoryScreen())
        await person.settle()
        await person.press("down", "down", "enter")
        assert isinstance(person.screen, PlayScreen)
        await person.press("escape")
        assert isinstance(person.screen, HistoryScreen)
        chosen = person.screen._chosen()
        assert chosen
        assert chosen.number == 1

    at_screen(look)
