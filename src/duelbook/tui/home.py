"""The first screen: continue the last game, play, learn, puzzles, history."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from duelbook.errors import RefusedError
from duelbook.games import problems
from duelbook.play.arguments import PlayArguments
from duelbook.play.past_games import game_to_continue
from duelbook.play.progress import load_puzzles, marks_text
from duelbook.text import sanitize
from duelbook.tui.screens import DuelScreen
from duelbook.tui.window import plain

LOGO = "●◆ Duelbook"
ABOUT = "Two-player strategy games, exactly as their rule books say."
KEYS = "Arrows and Enter, or the mouse. F1 shows the keys of each screen, F9 changes the theme, Ctrl-C ends."


class HomeScreen(DuelScreen):
    """The menu. Escape does nothing here: one too many would end the program."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("f9", "app.next_theme", "Theme", tooltip="change the theme"),
        Binding("ctrl+c", "app.quit", "End", tooltip="end the program"),
    ]

    def content(self) -> ComposeResult:
        yield plain(LOGO, name="logo")
        yield plain(ABOUT, name="about")
        yield OptionList(id="menu", markup=False)
        yield plain(KEYS, name="keys")
        yield plain("\n".join(problems()), name="problems")

    def on_screen_resume(self) -> None:
        """Show the menu as it is now: the last game and the day's result may have changed."""
        menu = self.query_one("#menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        menu.add_options([Option(text, id=name) for name, (text, _) in self._entries().items()])
        menu.highlighted = at if at is not None and at < menu.option_count else 0
        menu.focus()
        self.say("title", "Duelbook")

    def _entries(self) -> dict[str, tuple[str, Callable[[], None]]]:
        entries: dict[str, tuple[str, Callable[[], None]]] = {}
        if last := game_to_continue():
            number, about = last
            entries["continue"] = f"Continue: {sanitize(about)}", lambda: self._resume(number)
        today = datetime.now(UTC).date()
        done = load_puzzles().days.get(str(today), "")
        entries |= {
            "play": ("Play", self._play),
            "network": ("Play over the network", self._network),
            "learn": ("Learn a game", self._learn),
            "daily": (f"Puzzle of the day{f'  {marks_text(done)}' if done else ''}", self._daily),
            "puzzles": ("Puzzles", self._puzzles),
            "history": ("History", self._history),
            "theme": (f"Theme: {self.app.theme.removeprefix('duelbook-')}", self._next_theme),
            "quit": ("Quit", self.app.exit),
        }
        return entries

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        entry = self._entries().get(event.option.id or "")
        if entry is None:  # the last game was finished elsewhere
            self.on_screen_resume()
            return
        try:
            entry[1]()
        except RefusedError as error:
            self.failed(error)

    def action_leave(self) -> None:
        pass

    def _next_theme(self) -> None:
        self.app.action_next_theme()  # type: ignore[attr-defined] # of this application
        self.on_screen_resume()

    def _resume(self, number: int) -> None:
        from duelbook.tui.starting import start_match

        start_match(self.app, PlayArguments(kept=number))

    def _play(self) -> None:
        from duelbook.tui.new_game import NewGameScreen

        self.app.push_screen(NewGameScreen())

    def _network(self) -> None:
        from duelbook.extras import require_extra

        require_extra("online")
        from duelbook.tui.network import NetworkScreen

        self.app.push_screen(NetworkScreen())

    def _learn(self) -> None:
        from duelbook.tui.learn import LessonsScreen

        self.app.push_screen(LessonsScreen())

    def _daily(self) -> None:
        from duelbook.play.puzzle_request import TODAY, read_request
        from duelbook.tui.play_screen import PlayScreen
        from duelbook.tui.puzzle import PuzzleSubject

        self.app.push_screen(PlayScreen(PuzzleSubject(read_request(None, None, None, None, TODAY))))

    def _puzzles(self) -> None:
        from duelbook.tui.puzzle import PuzzlesScreen

        self.app.push_screen(PuzzlesScreen())

    def _history(self) -> None:
        from duelbook.tui.history import HistoryScreen

        self.app.push_screen(HistoryScreen())
