"""The screen of a new game: it shows the fields and sends what is chosen. Their rules: tests/play/test_form.py."""

from textual.widgets import Input, Select, Static

from duelbook.options import write_options
from duelbook.play.data_folder import data_file, load
from duelbook.play.form import FILE, LastChoice
from duelbook.tui.dialogs import PageDialog
from duelbook.tui.new_game import NewGameScreen
from duelbook.tui.play_screen import PlayScreen
from tests.support.full_screen import Person, at_screen


async def open_form(person: Person) -> NewGameScreen:
    person.app.push_screen(NewGameScreen())
    await person.settle()
    screen = person.screen
    assert isinstance(screen, NewGameScreen)
    return screen


async def choose(person: Person, **values: str) -> None:
    for name, value in values.items():
        person.screen.query_one(f"#{name.replace('__', '-')}", (Select, Input)).value = value
        while shown(person, name) != value:
            await person.pilot.pause(0.01)
        await person.settle()


def shown(person: Person, name: str) -> str:
    """Return the value of a field; for a list, that which the form has."""
    field = person.screen.query_one(f"#{name.replace('__', '-')}", (Select, Input))
    return str(person.screen.choices.field(field.id).value if isinstance(field, Select) else field.value)


def test_all_fields_are_shown_and_the_choice_is_remembered() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, two="human")
        assert "a friend at this keyboard" in person.shown()
        await choose(person, one="easy")
        assert "a friend at this keyboard" not in person.shown()
        await choose(person, one="human", game="charge", rules="fair", two="human", first="2", time="30", matches="2")
        assert "Player 2 starts." in person.shown()
        screen.query_one("#start").focus()
        await person.says("message", "duelbook play charge --preset fair --first 2 --time-limit 30 --matches 2")
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, PlayScreen))
        assert person.table.setup.time_limit == 30
        assert person.table.setup.first == 1
        assert load(data_file(FILE), LastChoice) == LastChoice("charge", {"preset": "fair"}, "human", "2", 30.0, 2)
        await person.press("escape")
        await open_form(person)
        fields = ("game", "rules", "two", "first", "time", "matches")
        assert [shown(person, name) for name in fields] == ["charge", "fair", "human", "2", "30", "2"]

    at_screen(play)


def test_options_agents_and_texts_are_checked_when_the_match_starts() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, game="charge", rules="custom", two="advanced")
        screen.query_one("#option-goal").focus()
        await person.says("message", "Goal: ")  # what the option is about
        await person.press("enter", *"21", "enter")
        screen.query_one("#two-parameter").focus()
        await person.press(*"99")
        await choose(person, time="soon")
        await person.press("enter")
        await person.says("message", "DEPTH must be")
        await choose(person, two__parameter="2")
        await person.press("enter")
        await person.says("message", "The seconds for a turn must be a number, not 'soon'.")
        await choose(person, time="")
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, PlayScreen))
        assert write_options(person.table.match.game)["goal"] == 21
        assert load(data_file(FILE), LastChoice) == LastChoice("charge", {"goal": "21"}, "search:2", "1")

    at_screen(play)


def test_what_is_typed_stays_while_other_fields_come_and_go() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, game="charge", rules="custom")
        screen.query_one("#time").focus()
        await person.press(*"15")
        await choose(person, game="crystal-capture", two="advanced", two__kind="greedy", rules="custom")
        assert shown(person, "time") == "15"
        assert not screen.query("#option-refresh, #two-parameter")
        labels = [str(label.content) for label in screen.query(".label").results(Static)]
        assert labels[:7] == ["Game", "Rules", "Crystals", "Goal", "Deadlock", "Player 1", "Player 2"]

    at_screen(play)


def test_a_word_is_typed_or_chosen_from_the_list() -> None:
    async def play(person: Person) -> None:
        await open_form(person)
        await choose(person, game="alpha-chase", two="human")
        await person.press("enter")
        await person.until(lambda: "Player 1, choose your word:" in person.shown())
        await person.press(*"zzzzz", "enter")
        await person.until(lambda: bool(person.text("choice-problem")))
        await person.press(*["backspace"] * 5, *"gho")
        words = person.screen.query_one("#choices")
        assert words.get_option_at_index(words.highlighted).prompt == "GHOST", "the list goes there"
        await person.press(*"st", "enter")
        assert "Player 2, choose your word:" in person.shown()
        await person.press(*"zz", "home", "down", "enter")
        assert write_options(person.table.match.game)["words"] == "GHOST,CHARM"

    at_screen(play)


def test_up_and_down_go_from_line_to_line_also_where_the_form_is_longer_than_the_window() -> None:
    async def walk(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, rules="custom")
        assert screen.query_one("#form").max_scroll_y > 0
        screen.query_one("#option-word_list").focus()
        await person.until(lambda: ": " in person.text("message"))
        assert person.text("message").splitlines()[0][:40] in person.shown(), "what the option is about is in view"
        await person.press("f7")
        assert isinstance(person.screen, PageDialog), "the rules"
        await person.press("escape")
        screen.query_one("#start").focus()
        for key, name in (("up", "matches"), ("up", "time"), ("up", "first"), ("down", "time")):
            await person.press(key)
            assert screen.focused is screen.query_one(f"#{name}")

    at_screen(walk, (60, 20))


def test_two_computers_are_two_agents() -> None:
    async def play(person: Person) -> None:
        await open_form(person)
        await choose(person, game="charge", one="advanced", one__kind="random", two="advanced", two__kind="greedy")
        assert "Player 1 starts." in person.shown()
        person.screen.query_one("#start").focus()
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, PlayScreen))
        assert [one.agent for one in person.table.setup.people] == ["random", "greedy"]

    at_screen(play)
