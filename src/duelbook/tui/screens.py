"""What all screens share: the smallest size, work in the background, and questions to answer with yes or no."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from rich.markdown import Markdown
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Button, Footer, Static

from duelbook.errors import RefusedError
from duelbook.games import broken_game
from duelbook.guide import guide_text
from duelbook.text import sanitize
from duelbook.tui.work import Work

MIN_WIDTH, MIN_HEIGHT = 60, 20
WIDE = 100  # columns from which lists stand beside the board
GENERAL_ACTIONS = ("app.focus_next", "app.focus_previous", "screen.copy_text")  # of every screen
T = TypeVar("T")


def plain(text: str = "", *, name: str | None = None, classes: str | None = None) -> Static:
    """Return a text that is shown as it is."""
    return Static(sanitize(text), id=name, classes=classes, markup=False)


class DuelScreen(Screen[None]):
    """A screen of the interface. In a window that is too small it says so, and goes on when it is enlarged."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 # as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f1", "help", "Help"), Binding("escape", "leave", "Back")]

    def __init__(self) -> None:
        super().__init__()
        self.work: Work | None = None
        self._focused_before: Widget | None = None  # while the window is too small

    def compose(self) -> ComposeResult:
        yield plain(name="too-small")
        yield plain(name="title")
        yield from self.content()
        yield Footer(show_command_palette=False, compact=True)

    def content(self) -> ComposeResult:
        """Return what stands between the title and the keys."""
        yield from ()

    def say(self, name: str, text: str) -> None:
        """Show a text in the widget with this name."""
        widget, shown = self.query_one(f"#{name}", Static), sanitize(text)
        if widget.content != shown:
            widget.update(shown)

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        too_small = width < MIN_WIDTH or height < MIN_HEIGHT
        if too_small and not self.has_class("-too-small"):
            self._focused_before = self.focused
        self.set_class(too_small, "-too-small")
        if not too_small and self._focused_before:
            self.call_after_refresh(self.set_focus, self._focused_before)
            self._focused_before = None
        self.say("too-small", f"This window has {width}×{height} characters. Enlarge it to {MIN_WIDTH}×{MIN_HEIGHT}.")

    # Work in the background

    def start_work(self, text: str, function: Callable[[], T], then: Callable[[T], None]) -> None:
        """Run the function in a thread, and then do something with its result. Other work is stopped."""
        self.stop_work()
        self.work = Work(self, text, function, then)
        self.show_busy(text)

    def stop_work(self) -> None:
        if self.work:
            self.work.stop()
            self.work = None
            self.show_busy("")

    def show_busy(self, text: str) -> None:
        """Show what the program is doing; an empty text if it does nothing."""

    def on_work_progressed(self, event: Work.Progressed) -> None:
        if event.work is self.work:
            self.show_busy(f"{event.work.text}: {event.text}" if event.text else event.work.text)

    def on_work_done(self, event: Work.Done) -> None:
        if event.work is not self.work or event.work.stopped:
            return
        self.work = None
        self.show_busy("")
        if event.error is None:
            event.work.then(event.result)
        else:
            self.failed(event.error)

    def failed(self, error: Exception) -> None:
        """Tell what is wrong, if that is meant for a person; other errors end the program."""
        told = error if isinstance(error, RefusedError) else broken_game(error)
        if told is None:
            raise error
        self.notify(sanitize(str(told)), severity="error", markup=False, timeout=10)

    def on_unmount(self) -> None:
        if self.work:
            self.work.stop()

    def action_leave(self) -> None:
        self.app.pop_screen()

    def help_lines(self) -> list[str]:
        """Return what is to be said besides the keys."""
        return []

    def action_help(self) -> None:
        """Show the keys of this screen, and what can be typed on it."""
        own = (active.binding for active in self.active_bindings.values() if active.node is self and active.enabled)
        keys = {self.app.get_key_display(one): one.description for one in own if one.action not in GENERAL_ACTIONS}
        keys |= {"f9": "Theme", "^z": "To the shell; fg comes back", "^c": "End"}
        lines = [f"{key:<10} {about}" for key, about in sorted(keys.items()) if about]
        self.app.push_screen(Page("\n".join(["Keys", *lines, "", *self.help_lines()]).strip()))


class Confirmation(ModalScreen[bool]):
    """A question to answer with yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right,up,down", "app.focus_next", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield plain(self._question, name="confirmation")
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


class Page(ModalScreen[None]):
    """A page to read: the rules of a game, or a list."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,f7,f5,f1", "app.pop_screen", "Back")]

    def __init__(self, text: str, *, is_markdown: bool = False) -> None:
        super().__init__()
        self._text, self._is_markdown = sanitize(text), is_markdown

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page"):
            yield Static(Markdown(self._text)) if self._is_markdown else plain(self._text)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def rules_page(game: Any, *, full: bool = False) -> Page:
    """Return the rules of a game as they are with its options; `full` adds examples and tips."""
    from duelbook.games import rules_text
    from duelbook.terminal.pages import options_text

    guide = guide_text(game) if full else ""
    return Page(f"{rules_text(game)}\n{guide}\n{options_text(game)}", is_markdown=True)
