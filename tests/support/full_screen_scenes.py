"""The main screens of the full-screen interface, for snapshots and pictures.

`python -m tests.support.full_screen_scenes` writes the snapshots that `tests/tui/test_scenes.py` compares, and the
pictures of the documents (part of `make pictures`). Review the diff.
"""

import os
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from duelbook.games import make
from duelbook.match import Match
from duelbook.play.puzzle_request import PuzzleRequest
from duelbook.records import record as records
from duelbook.tui.history import HistoryScreen
from duelbook.tui.learn import LessonsScreen, LessonSubject
from duelbook.tui.new_game import NewGameScreen
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.puzzle import PuzzlesScreen, PuzzleSubject
from duelbook.tui.review import ReviewScreen
from tests.support.full_screen import Person, at_screen
from tests.support.terminal_picture import without_fonts

FOLDER = Path(__file__).parents[2] / "docs/pictures"
PICTURES = {"tui-match": "match", "tui-steps": "steps", "tui-review": "review"}  # and the scene of each
SNAPSHOTS = Path(__file__).parents[1] / "tui/scenes.txt"
DAY = re.compile(r"\b(\d{4}-)?\d\d-\d\d\b")
Scene = Callable[[Person], Awaitable[None]]


async def home(person: Person) -> None:
    await person.settle()


async def new_game(person: Person) -> None:
    person.app.push_screen(NewGameScreen())
    await person.settle()


async def match(person: Person) -> None:
    """A match of Charge with the values of the moves."""
    await person.start("charge")
    await person.press("3", "4")
    await person.press("f3")


async def steps(person: Person) -> None:
    """A match of Word Clash in which a letter is chosen, and a slot is not yet."""
    await person.start("word-clash")
    for name in ("E self 2", "T opponent 1"):
        await person.type(name)
    await person.press("s")


async def ending(person: Person) -> None:
    played = await person.start("flag-chase", two="random")
    while not played.over:
        await person.click(person.choices()[0])


async def review(person: Person) -> None:
    """A mistake in a game of two people."""
    names = ("5", "3", "8", "1", "2")
    match = Match(make("crystal-capture"))
    for name in names:
        match.play(name)
    person.app.push_screen(ReviewScreen(match.record((records.Person("Ann"), records.Person("Ben")), 0)))
    await person.settle()
    await person.press("n")


async def lessons(person: Person) -> None:
    person.app.push_screen(LessonsScreen())
    await person.settle()


async def lesson(person: Person) -> None:
    person.app.push_screen(PlayScreen(LessonSubject("flag-chase")))
    await person.settle()


async def puzzles(person: Person) -> None:
    person.app.push_screen(PuzzlesScreen())
    await person.settle()


async def puzzle(person: Person) -> None:
    person.app.push_screen(PlayScreen(PuzzleSubject(PuzzleRequest("alpha-chase", 1))))
    await person.settle()
    await person.press("f2")


async def help_page(person: Person) -> None:
    """The keys of a match in which a part of a move is chosen."""
    await steps(person)
    await person.press("f1")


async def history(person: Person) -> None:
    person.app.push_screen(HistoryScreen())
    await person.settle()


SCENES: dict[str, Scene] = {
    scene.__name__.replace("_", " "): scene
    for scene in (home, new_game, match, steps, ending, review, lessons, lesson, puzzles, puzzle, help_page, history)
}
TRIES = 100
AT_SIZES = {(60, 20): ("new game", "steps", "review"), (80, 24): tuple(SCENES), (120, 40): ("review",)}


def snapshots() -> str:
    """Return all scenes as text. On a busy machine it may take a moment until a screen looks as in the snapshots."""
    found: list[str] = []
    known = SNAPSHOTS.read_text() if SNAPSHOTS.is_file() else ""
    for (width, height), names in AT_SIZES.items():

        async def show(person: Person, names: tuple[str, ...] = names, size: str = f"{width}×{height}") -> None:
            for name in names:
                await SCENES[name](person)
                for _ in range(TRIES):
                    shown = DAY.sub(lambda day: "a day".ljust(len(day[0])), person.shown())
                    if f"== {name}, {size}\n{shown}\n" in known:
                        break
                    await person.pilot.pause(0.05)
                found.append(f"== {name}, {size}\n{shown}\n")
                while len(person.app.screen_stack) > 2:
                    person.app.pop_screen()
                    await person.pilot.pause()

        at_screen(show, (width, height))
    return "\n".join(found)


def take_pictures() -> None:
    """Save the pictures of the documents."""
    for name, scene in PICTURES.items():

        async def take(person: Person, name: str = name, scene: str = scene) -> None:
            await SCENES[scene](person)
            svg = person.app.export_screenshot(title="duelbook tui")
            (FOLDER / f"{name}.svg").write_text(without_fonts(svg))

        at_screen(take, (100, 28))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        SNAPSHOTS.write_text(snapshots())
        take_pictures()
