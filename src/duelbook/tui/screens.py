"""What all screens share: a title, notices, the keys in their order, help on them, and work in the background."""

import threading
import time
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static

from duelbook.errors import RefusedError
from duelbook.games import broken_game
from duelbook.play.solve_progress import NOTE_SECONDS, SolveStatus, watched_solve
from duelbook.text import sanitize
from duelbook.tui.keys import Sections, help_page, key_texts, order
from duelbook.tui.window import TooSmall, plain

NOTICE_SECONDS = 20.0
STATUS_SECONDS = 0.2  # between two looks at how far the work is
GENERAL_ACTIONS = ("app.focus_next", "app.focus_previous", "screen.copy_text")  # of every screen
T = TypeVar("T")


class StoppedWorkError(Exception):
    """The work is not wanted any more."""


class BackgroundWork:
    """A function that runs in a thread. A worker of Textual would keep the program from ending before it."""

    class Finished(Message):
        """The work has ended: with a result, or with an error."""

        def __init__(self, work: "BackgroundWork", result: Any, error: Exception | None) -> None:
            self.work, self.result, self.error = work, result, error
            super().__init__()

    def __init__(
        self, owner: MessagePump, text: str, function: Callable[[], Any], then: Callable[[Any], None], note: str = ""
    ) -> None:
        self.text, self.note = text, note  # what is done, and what the person can do about it
        self.then = then
        self.stopped = False
        self._started, self._progress = time.monotonic(), ""
        self._owner, self._function = owner, function
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Drop the result. A solve ends at its next report."""
        self.stopped = True

    def status(self) -> str:
        """Return what is done and how far it is; after a while also for how long, and the note."""
        progress, seconds = self._progress and f": {self._progress}", int(time.monotonic() - self._started)
        if seconds < NOTE_SECONDS:
            return f"{self.text}{progress} …"
        return f"{self.text}{progress}, {seconds // 60}:{seconds % 60:02} … {self.note}".rstrip()

    def _run(self) -> None:
        try:
            with watched_solve(self._report):
                result, error = self._function(), None
        except Exception as raised:  # told by the screen that asked for the work
            result, error = None, raised
        if not self.stopped:
            self._owner.post_message(self.Finished(self, result, error))

    def _report(self, status: SolveStatus) -> None:
        if self.stopped:
            raise StoppedWorkError
        self._progress = status.text


class DuelScreen(Screen[None]):
    """A screen of the interface."""

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
        """Show what the program is doing, where the screen has a message; an empty text if it does nothing."""
        if self.is_mounted and self.query("#message"):
            self.say("message", text)

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
