"""Line-by-line input and output: plain text everywhere, colour only on a terminal that supports it."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from duelbook.solve.progress import watched_by
from duelbook.terminal.waiting import can_show_bars, progress_console, progress_text, waiting
from duelbook.text import sanitize

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

HEADING, WARNING, NOTE, RESULT = "cyan", "yellow", "dim", "bold green"  # styles on a colour terminal


class TimeUpError(Exception):
    """The time for an answer has run out."""


class Screen:
    """Standard input and output. Everything that is shown is sanitized first."""

    def __init__(self) -> None:
        self._echo = not sys.stdin.isatty()
        no_colour = os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("NO_COLOR"))
        self.plain = no_colour or not sys.stdout.isatty()

    @cached_property
    def _console(self) -> "Console":
        from rich.console import Console

        return Console(markup=False, highlight=False, emoji=False)

    def say(self, text: str = "", style: str = "") -> None:
        """Print the text and a newline."""
        if self.plain or not style:
            print(sanitize(text), flush=True)
        else:
            self._console.print(sanitize(text), style=style, soft_wrap=True)

    def show_hint(self, text: str, note: str) -> None:
        """Print one step of help, and what asking again gives."""
        self.say(text)
        if note:
            self.say(note, NOTE)

    def show(self, picture: "RenderableType") -> None:
        """Print a Rich table or page. The screen must not be plain."""
        self._console.print(picture)

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """Show that the work inside goes on, and how far a solve is, if it takes longer than a moment."""
        with waiting(text):
            yield

    @contextmanager
    def progress(self, text: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
        """Show how much is done, the rate or how far a solve is, and the time left.

        Yield the function that takes the number done.
        """
        if not can_show_bars():
            yield lambda count: None
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(20), MofNCompleteColumn())
        detail = TextColumn("{task.fields[detail]}", markup=False)
        began = time.monotonic()
        with Progress(*columns, detail, TimeRemainingColumn(), console=progress_console(), transient=True) as bar:
            task = bar.add_task(text, total=total, completed=done, detail="")

            def report(count: int) -> None:
                per_second = (count - done) / max(0.001, time.monotonic() - began)
                bar.update(task, completed=count, detail=f"{per_second:.3g}/s")

            with watched_by(lambda solve: bar.update(task, detail=progress_text(solve))):
                yield report

    def ask(self, prompt: str, deadline: float | None = None) -> str:
        """Return the line that the person types. Raise EOFError at the end of input, TimeUpError at the deadline."""
        print(sanitize(prompt), end="", flush=True)
        try:
            with _alarm(deadline):
                line = sys.stdin.readline()
            if deadline and time.monotonic() > deadline:  # on systems that have no alarm
                raise TimeUpError
        except KeyboardInterrupt:
            print(flush=True)
            raise
        except TimeUpError:
            print(flush=True)
            _discard_typed_input()
            raise
        if not line:
            print(flush=True)
            raise EOFError
        if self._echo:  # so that a transcript of piped play reads like a session at the keyboard
            print(sanitize(line.rstrip()), flush=True)
        return line.strip()


def _discard_typed_input() -> None:
    """Drop a half-typed answer, so that it does not end up in the shell."""
    if sys.stdin.isatty():
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)


@contextmanager
def _alarm(deadline: float | None) -> Iterator[None]:
    """Raise TimeUpError inside the block when the deadline (of the monotonic clock) passes."""
    if deadline is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(0.001, deadline - time.monotonic()))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
