"""The form of a new game: what it offers, remembers and refuses."""

from duelbook.terminal.data_folder import data_file, load
from duelbook.terminal.menu import FILE, LastChoice
from duelbook.tui.match import MatchScreen
from duelbook.tui.new_game import NewGameScreen
from tests.support.full_screen import Person, at_screen


async def open_form(person: Person) -> NewGameScreen:
    person.app.push_screen(NewGameScreen())
    await person.settle()
    screen = person.screen
    assert isinstance(screen, NewGameScreen)
    return screen


async def choose(person: Person, **values: str) -> None:
    for name, value in values.items():
        person.screen.query_one(f"#{name}").value = value
        await person.pilot.pause()


def test_a_choice_is_remembered_where_the_menu_of_the_terminal_remembers_it() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, game="charge", rules="fair", two="human", first="2", time="30")
        assert "Player 2 starts." in person.shown()
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, MatchScreen))
        match = person.screen
        assert match.live.setup.time_limit == 30
        assert match.live.setup.first == 1
        assert load(data_file(FILE), LastChoice) == LastChoice("charge", {"preset": "fair"}, "human", "2")
        await person.press("escape")
        screen = await open_form(person)
        assert [screen.query_one(f"#{name}").value for name in ("game", "rules", "two", "first")] == [  # type: ignore[attr-defined]
            "charge",
            "fair",
            "human",
            "2",
        ]

    at_screen(play)


def test_options_agents_and_seconds_are_checked() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, game="charge", rules="custom", two="human")
        await person.settle()
        [goal] = [line for line in screen.query("#options Input") if line.name == "goal"]
        goal.value = "999"  # type: ignore[attr-defined]
        await person.press("enter")
        await person.says("message", "goal must be from 1 to 60, not 999.")
        goal.value = "21"  # type: ignore[attr-defined]
        await choose(person, two="other", time="soon")
        await person.press("enter")
        await person.says("message", "Unknown agent ''")
        await choose(person, other="search:99")
        await person.press("enter")
        await person.says("message", "DEPTH must be")
        await choose(person, other="search:2")
        await person.press("enter")
        await person.says("message", "The seconds for a turn must be a number, not 'soon'.")
        await choose(person, time="")
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, MatchScreen))
        assert person.screen.live.match.game.goal == 21
        assert load(data_file(FILE), LastChoice).options == {"goal": "21"}

    at_screen(play)


def test_a_word_is_chosen_from_the_list_or_typed() -> None:
    async def play(person: Person) -> None:
        await open_form(person)
        await choose(person, game="alpha-chase", two="human")
        await person.press("enter")
        await person.until(lambda: "Player 1, choose your word:" in person.shown())
        field = person.screen.query_one("#choice")
        field.focus()
        field.value = "QQQQQ"
        await person.press("enter")
        await person.until(lambda: bool(person.text("choice-problem")))
        field.value = "ghost"
        await person.press("enter")
        assert "Player 2, choose your word:" in person.shown()
        await person.press("down", "enter")
        assert person.screen.live.match.game.words == ("GHOST", "CHARM")

    at_screen(play)
