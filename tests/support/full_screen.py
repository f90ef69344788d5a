"""The full-screen interface as a person uses it: by keys and by mouse, in a terminal of a given size."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Button

from duelbook.match import Match
from duelbook.play.arguments import PlayArguments
from duelbook.play.screen_table import ScreenTable
from duelbook.tui.app import DuelbookApp
from duelbook.tui.board import BoardView
from duelbook.tui.match import MatchSubject
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.starting import start_match

Scenario = Callable[["Person"], Awaitable[None]]
WAIT_SECONDS = 60.0


class Person:
    """Somebody at the screen."""

    def __init__(self, app: DuelbookApp, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> Any:
        return self.app.screen

    @property
    def table(self) -> ScreenTable:
        """The table of the match that is shown."""
        screen = self.screen
        assert isinstance(screen, PlayScreen)
        assert isinstance(screen.subject, MatchSubject)
        return screen.subject.table

    @property
    def played(self) -> list[str]:
        """The names of the moves so far."""
        return [*self.table.record().moves]

    async def press(self, *keys: str) -> None:
        await self.until(lambda: not self.screen.query("Button.-active"))  # which is not pressed twice in a moment
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Enter a line into the field below the board."""
        field = self.screen.query_one("#typed")
        field.focus()
        field.value = text
        await self.press("enter")

    async def click(self, answer: str) -> None:
        """Click on the piece of the board that gives this answer."""
        board = self.screen.query_one(BoardView)
        placed = next(one for one in board._active() if one.piece.words == answer)
        assert await self.pilot.click(BoardView, offset=(placed.x + 1, placed.y))
        await self.settle()

    async def settle(self) -> None:
        """Wait until the program waits for the person."""
        for _ in range(int(WAIT_SECONDS / 0.005)):
            if not self._is_busy():
                await self.pilot.pause()
                if not self._is_busy():
                    return
            await asyncio.sleep(0.005)
        raise AssertionError(f"still busy: {self.screen}")

    def _is_busy(self) -> bool:
        screen = self.screen
        if getattr(screen, "work", None) or any(not keys.children for keys in screen.query("Footer")):
            return True
        return isinstance(screen, PlayScreen) and screen.conversation.work is not None

    async def start(self, game: str, *, one: str = "human", two: str = "human", **options: Any) -> Match:
        """Start a match without the form."""
        start_match(self.app, PlayArguments(game, agents=(one, two), **{"seed": 1, **options}))
        await self.settle()
        while not isinstance(self.screen, PlayScreen):  # each chooses a word or the like
            await self.press("enter")
        await self.settle()
        return self.table.match

    def buttons(self) -> list[str]:
        """Return what the buttons are called."""
        return [str(one.label) for one in self.screen.query(Button).results()]

    def typed(self) -> str:
        """Return what stands in the line below the board."""
        return str(self.screen.line.field.value)

    async def choose(self, label: str) -> None:
        """Press the button that is called so."""
        button = next(one for one in self.screen.query(Button).results() if str(one.label) == label)
        await self.pilot.click(button)

    async def says(self, name: str, text: str) -> None:
        """Wait until the widget with this name shows the text."""
        await self.until(lambda: text in self.text(name))

    async def notified(self, text: str) -> None:
        """Wait for a notice with this text."""
        await self.until(lambda: text in self.text("notice") and self.screen.query_one("#notice").display)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        for _ in range(int(WAIT_SECONDS / 0.01)):
            if condition():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(self.shown())

    def choices(self) -> list[str]:
        """Return what can be pressed on the board."""
        return [placed.piece.words for placed in self.screen.query_one(BoardView)._active()]

    def text(self, name: str) -> str:
        """Return what the widget with this name shows; nothing before the screen is there."""
        found = self.screen.query(f"#{name}")
        return str(found.first().content) if found else ""

    def shown(self) -> str:
        """Return the whole screen as text."""
        height = self.app.size.height
        lines = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines[:height])


def at_screen(scenario: Scenario, size: tuple[int, int] = (80, 24)) -> None:
    """Start the interface in a terminal of this size, and let the person do something."""

    async def run() -> None:
        app = DuelbookApp()
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scenario(Person(app, pilot))

    asyncio.run(run())
