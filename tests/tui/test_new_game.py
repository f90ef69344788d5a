"""The form of a new game: what it offers, remembers and refuses."""

from duelbook.play.data_folder import data_file, load
from duelbook.terminal.menu import FILE, LastChoice
from duelbook.tui.dialogs import Page
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
        await choose(person, two="human")
        assert "a friend at this screen" in person.shown()
        await choose(person, one="easy")
        assert "a friend at this screen" not in person.shown()
        await choose(person, one="human", game="charge", rules="fair", two="human", first="2", time="30")
        assert "Player 2 starts." in person.shown()
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, MatchScreen))
        match = person.screen
        assert match.live.setup.time_limit == 30
        assert match.live.setup.first == 1
        assert load(data_file(FILE), LastChoice) == LastChoice("charge", {"preset": "fair"}, "human", "2", 30.0)
        await person.press("escape")
        screen = await open_form(person)
        assert [screen.query_one(f"#{name}").value for name in ("game", "rules", "two", "first", "time")] == [  # type: ignore[attr-defined]
            "charge",
            "fair",
            "human",
            "2",
            "30",
        ]

    at_screen(play)


def test_options_agents_and_seconds_are_checked() -> None:
    async def play(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, game="charge", rules="custom", two="human")
        await person.settle()
        [goal] = [line for line in screen.query("#options Select") if line.name == "goal"]
        screen.set_focus(goal)
        await person.says("message", "Goal: ")  # what the option is about
        await person.press("enter", *"21", "enter")
        screen.query_one("#start").focus()
        await choose(person, two="other", time="soon")
        await person.press("enter")
        await person.says("message", "Unknown agent ''")
        await choose(person, **{"other-two": "search:99"})
        await person.press("enter")
        await person.says("message", "DEPTH must be")
        await choose(person, **{"other-two": "search:2"})
        await person.press("enter")
        await person.says("message", "The seconds for a turn must be a number, not 'soon'.")
        await choose(person, time="")
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, MatchScreen))
        assert person.screen.live.match.game.goal == 21
        assert load(data_file(FILE), LastChoice).options == {"goal": "21"}

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
        assert person.screen.live.match.game.words == ("GHOST", "CHARM")

    at_screen(play)


def test_up_and_down_go_from_line_to_line_also_where_the_form_is_longer_than_the_window() -> None:
    async def walk(person: Person) -> None:
        screen = await open_form(person)
        await choose(person, rules="custom")
        await person.settle()
        assert screen.query_one("#form").max_scroll_y > 0
        goal = screen.query_one("#options Select, #options Input")
        screen.set_focus(goal)
        await person.until(lambda: ": " in person.text("message"))
        assert person.text("message").splitlines()[0][:40] in person.shown(), "what the option is about is in view"
        screen.query_one("#start").focus()
        await person.press("up")
        assert screen.focused is screen.query_one("#time")
        await person.press("up")
        assert screen.focused is screen.query_one("#first")
        await person.press("down", "down")
        assert screen.focused is screen.query_one("#start")

    at_screen(walk, (60, 20))


def test_two_computers_are_two_agents_and_nobody_is_you() -> None:
    async def play(person: Person) -> None:
        await open_form(person)
        await choose(person, game="charge", two="hard")
        assert "You start." in person.shown()
        await choose(person, one="hard", two="human")
        assert "The computer starts." in person.shown()
        await choose(person, one="other", two="other", **{"other-one": "random", "other-two": "greedy"})
        assert "Player 1 starts." in person.shown()
        await person.press("enter")
        await person.until(lambda: isinstance(person.screen, MatchScreen))
        assert [one.agent for one in person.screen.live.setup.people] == ["random", "greedy"]

    at_screen(play)


def test_the_form_offers_and_checks_what_the_rules_accept() -> None:
    async def play(person: Person) -> None:
        # Only values that the rules accept are offered.
        screen = await open_form(person)

        async def offered(game: str, option: str) -> list[str]:
            await choose(person, game=game, rules="custom")
            await person.settle()
            [line] = [line for line in screen.query("#options Select") if line.name == option]
            return [text for text, _ in line._options]  # type: ignore[attr-defined]

        assert (await offered("flag-chase", "cells"))[:4] == ["5 (book rules)", "3", "7", "9"]
        assert "2" in await offered("crystal-capture", "crystals"), "which needs another goal, too"

        # Rules that are preselected are said to be suggested.
        await open_form(person)
        await choose(person, game="flag-chase")
        await person.settle()
        assert "(suggested): " in person.shown()

        # An option that cannot be listed is typed and checked.
        screen = await open_form(person)
        await choose(person, game="alpha-chase", rules="custom")
        await person.settle()
        [words] = [line for line in screen.query("#options Input") if line.name == "word_list"]
        assert "Word list" in person.shown()
        words.value = "nowhere.txt"  # type: ignore[attr-defined]
        await person.press("enter")
        await person.says("message", "word_list cannot be 'nowhere.txt'")
        await person.press("f7")
        assert isinstance(person.screen, Page)

    at_screen(play)
