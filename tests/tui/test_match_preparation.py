"""While a game is solved before a match: how long that takes, what keys do, and how to play on without it."""

import re
import threading
from collections.abc import Callable

import pytest
from textual.message_pump import MessagePump

from duelbook.play.arguments import PlayArguments
from duelbook.solve import Stage
from duelbook.solve.progress import Meter
from duelbook.tui import screens
from duelbook.tui.home import HomeScreen
from duelbook.tui.starting import start_match
from tests.support.full_screen import Person, at_screen


@pytest.fixture(autouse=True)
def slow_game(use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose solve takes longer than any test."""
    use_games("tests.support.games.slow_stones:SlowStones")
    monkeypatch.setattr(screens, "NOTE_SECONDS", 0)


def slow_match(opponent: str, pause: int) -> PlayArguments:
    """Return a match of a game that no other test has stopped solving: it would not be solved again."""
    return PlayArguments("slow-stones", agents=("human", opponent), first="1", options={"pause": str(pause)})


def test_a_person_can_play_on_without_the_solution() -> None:
    async def play(person: Person) -> None:
        start_match(person.app, slow_match("easy", 20001))
        await person.until(
            lambda: (
                re.fullmatch(
                    r"Solving the game: [\d,]+ states, \d:\d\d … Press F8 to play on without the solution\.",
                    person.text("message"),
                )
                is not None
            )
        )
        await person.until(lambda: ", 0:00 …" not in person.text("message"))
        await person.pilot.press("f8")
        await person.settle()
        assert person.text("message").startswith("Stopped. This game is not solved: levels play by search")
        await person.press("1")
        assert len(person.table.match.moves) == 2, "the level has replied"
        await person.press("f8")
        assert len(person.table.match.moves) == 2

    at_screen(play)


def test_every_key_that_can_do_nothing_meanwhile_is_answered() -> None:
    async def play(person: Person) -> None:
        start_match(person.app, slow_match("medium", 20002))
        await person.says("message", "Solving the game")
        for key in ("1", "f2", "f4", "enter", "x"):
            await person.pilot.press(key)
            await person.notified("The game is being solved. Press F8 to play on without the solution.")
            person.screen.tell("")
        await person.pilot.press("f1")
        await person.until(lambda: "play on without the solution" in person.shown())
        await person.pilot.press("escape", "f8")
        await person.settle()
        await person.press("f1")
        assert "play on without the solution" not in person.shown()

    at_screen(play)


def test_an_opponent_that_needs_the_solution_is_waited_for_or_left() -> None:
    async def play(person: Person) -> None:
        start_match(person.app, slow_match("perfect", 20003))
        await person.says("message", " states, ")
        await person.pilot.press("f8")
        await person.notified("The game is being solved. Press Esc to go back.")
        assert "F8" not in person.text("message")
        await person.pilot.press("escape")
        await person.until(lambda: isinstance(person.screen, HomeScreen))

    at_screen(play)


def test_it_is_said_that_the_solution_is_being_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "NOTE_SECONDS", 60)
    reported, ended = threading.Event(), threading.Event()

    def save() -> None:
        Meter().report(Stage.SAVING, 972_531, 972_531)
        reported.set()
        ended.wait()

    saving = screens.BackgroundWork(MessagePump(), "Solving the game", save, lambda _: None)
    reported.wait()
    assert saving.status() == "Solving the game: saving 972,531 states, 0% …"
    saving.stop()
    ended.set()
