"""What all screens share: a title, notices, the keys in their order, help on them, and work in the background."""

from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from duelbook.errors import RefusedError
from duelbook.games import broken_game
from duelbook.text import sanitize
from duelbook.tui.key_help import Sections, help_page, key_texts, order
from duelbook.tui.window import TooSmall, plain
from duelbook.tui.work import BackgroundWork

WIDE = 100  # columns from which lists stand beside the board
NOTICE_SECONDS = 20.0
STATUS_SECONDS = 0.2  # between two looks at how far the work is
GENERAL_ACTIONS = ("app.focus_next", "app.focus_previous", "screen.copy_text")  # of every screen
T = TypeVar("T")


class DuelScreen(Screen[None]):
    """A screen of the interface."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 # as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", tooltip="show this page"),
        Binding("escape", "leave", "Back", tooltip="go back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.work: BackgroundWork | None = None
        self._work_timer: Timer | None = None
        self._notice_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield TooSmall()
        yield plain(name="title")
        yield plain(name="notice")
        yield from self.content()
        yield Footer(show_command_palette=False, compact=True)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmall).fit(event.size)

    def content(self) -> ComposeResult:
        """Return what stands between the title and the keys."""
        yield from ()

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that work now, in the order in which they are shown."""
        found = super().active_bindings
        return {key: found[key] for key in sorted(found, key=order)}

    def say(self, name: str, text: str) -> None:
        """Show a text in the widget with this name."""
        widget, shown = self.query_one(f"#{name}", Static), sanitize(text)
        if widget.content != shown:
            widget.update(shown)

    # Notices

    def tell(self, text: str) -> None:
        """Show a notice below the title, where it covers nothing. It goes after a while, and with the screen."""
        self.say("notice", text)
        self.query_one("#notice").display = bool(text)
        if self._notice_timer:
            self._notice_timer.stop()
        self._notice_timer = self.set_timer(NOTICE_SECONDS, lambda: self.tell("")) if text else None

    def on_screen_suspend(self) -> None:
        self.tell("")

    def failed(self, error: Exception) -> None:
        """Tell what is wrong, if that is meant for a person; other errors end the program."""
        self.tell(problem_text(error))

    def leave_telling(self, text: str) -> None:
        """Go back to the screen before, and show the notice there, if there is one."""
        self.app.pop_screen()
        if text and isinstance(self.app.screen, DuelScreen):
            self.app.screen.tell(text)

    # Work in the background

    def start_work(self, text: str, function: Callable[[], T], then: Callable[[T], None], note: str = "") -> None:
        """Run the function in a thread, and then do something with its result. Other work is stopped.

        The note says what can be done meanwhile. It is shown if the work takes a while.
        """
        self.stop_work()
        self.work = BackgroundWork(self, text, function, then, note)
        self._show_status()
        self._work_timer = self.set_interval(STATUS_SECONDS, self._show_status)

    def stop_work(self) -> None:
        if self.work:
            self.work.stop()
            self._end_work()

    def _end_work(self) -> None:
        self.work = None
        if self._work_timer:
            self._work_timer.stop()
        self.show_busy("")

    def show_busy(self, text: str) -> None:
        """Show what the program is doing; an empty text if it does nothing."""

    def _show_status(self) -> None:
        if self.work:
            self.show_busy(self.work.status())

    def on_background_work_finished(self, event: BackgroundWork.Finished) -> None:
        if event.work is not self.work or event.work.stopped:
            return
        self._end_work()
        if event.error is None:
            event.work.then(event.result)
        else:
            self.failed(event.error)

    def on_unmount(self) -> None:
        if self.work:
            self.work.stop()

    # Leaving, and help

    def action_leave(self) -> None:
        self.app.pop_screen()

    def more_help(self) -> Sections:
        """Return what is to be said besides the keys of the screen."""
        return {}

    def action_help(self) -> None:
        """Show the keys of this screen, and what else can be done on it."""
        own = {
            key: one
            for key, one in self.active_bindings.items()
            if one.node is self and one.binding.action not in GENERAL_ACTIONS
        }
        self.app.push_screen(help_page({"Keys": key_texts(own), **self.more_help()}))


def problem_text(error: Exception) -> str:
    """Return what is wrong, if that is meant for a person; raise any other error again."""
    told = error if isinstance(error, RefusedError) else broken_game(error)
    if told is None:
        raise error
    return str(told)
