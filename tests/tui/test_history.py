"""The history on the full screen: filtered, reviewed, resumed, and damaged."""

from textual.widgets import Select

from duelbook.history.database import history_file
from duelbook.tui.history import HistoryScreen
from duelbook.tui.home import HomeScreen
from duelbook.tui.match import MatchScreen
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
        assert isinstance(person.screen, MatchScreen)
        assert person.screen.live.record().moves == ("charge 2",)
        await person.press("escape")
        person.screen.query_one("#game", Select).value = "flag-chase"
        await person.settle()
        assert table.row_count == 1
        await person.press("f4")
        assert person.text("message") == "This game is over. Press Enter to review it."
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


def test_a_damaged_history_is_told_and_the_game_goes_on() -> None:
    history_file().parent.mkdir(parents=True, exist_ok=True)
    history_file().write_bytes(b"not a database" * 100)

    async def look(person: Person) -> None:
        assert isinstance(person.screen, HomeScreen)
        person.app.push_screen(HistoryScreen())
        await person.settle()
        assert "duelbook history repair" in person.text("message")
        screen = await person.start("charge")
        await person.press("1", "1")
        assert len(screen.live.match.moves) == 2
        await person.notified("This game is not kept.")

    at_screen(look)
