"""What a person at a terminal sees while the program works: after a moment a bar, and how far the work is."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from duelbook.compiled import events
from duelbook.play.solve_progress import NOTE_SECONDS, SolveStatus, watched_solve
from duelbook.terminal.layout import as_encoded, columns_of, cut, wrapped
from duelbook.text import ELLIPSIS, sanitize

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TextColumn

SHOW_SECONDS = 0.2  # what takes less shows nothing
REFRESH_SECONDS = 0.1
LINE_SECONDS = 5.0  # between two lines on a terminal that cannot change a line
BAR_WIDTH = 10  # so that all fits into 80 columns
ERASE_LINE = "\r\x1b[2K"
COMPILING = "compiling the rules, once for each installation"


@contextmanager
def waiting(text: str, note: str = "") -> Iterator[None]:
    """Show on standard error that work inside goes on and how far a solve is, if it is a terminal.

    The note is shown above it once the work takes a while.
    """
    if not sys.stderr.isatty():
        yield
        return
    display = Display(text, note)
    display.start()
    events.listeners.append(display.note_compiling)
    try:
        with watched_solve(display.report):
            yield
    finally:
        events.listeners.remove(display.note_compiling)
        display.end()


def can_show_bars() -> bool:
    """Return True if standard error is a terminal on which a line can be changed."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def progress_console() -> "Console":
    """Return the console on which progress is shown."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def text_column(template: str) -> "TextColumn":
    """Return a column of a bar. One that is too wide is cut, by an ellipsis only where that is one character."""
    from rich.progress import TextColumn
    from rich.table import Column

    whole = as_encoded(ELLIPSIS, sys.stderr) == ELLIPSIS
    return TextColumn(
        template, markup=False, table_column=Column(no_wrap=True, overflow="ellipsis" if whole else "crop")
    )


@contextmanager
def silent_keys() -> Iterator[None]:
    """Show nothing of what is typed meanwhile, which would break the bar. It is there at the next question."""
    _set_echo(False)
    try:
        yield
    finally:
        _set_echo(True)


def _set_echo(on: bool) -> None:
    """Let the terminal show what is typed, or not. In the background, the system would stop the program for that."""
    try:
        import termios
    except ImportError:  # as on Windows
        return
    with suppress(OSError, ValueError, termios.error):
        keyboard = sys.stdin.fileno()
        if os.tcgetpgrp(keyboard) == os.getpgrp():
            modes = termios.tcgetattr(keyboard)
            modes[3] = modes[3] | termios.ECHO if on else modes[3] & ~termios.ECHO
            termios.tcsetattr(keyboard, termios.TCSANOW, modes)


class Display(threading.Thread):
    """Draws from a thread of its own, so that the work need not care. Nothing of the bar remains at the end."""

    def __init__(self, text: str, note: str = "") -> None:
        super().__init__(daemon=True)
        self._text, self._note = (as_encoded(sanitize(part), sys.stderr) for part in (text, note))
        self._status = SolveStatus("")
        self._compiling = self._has_compiled = False
        self._ended = threading.Event()

    def report(self, status: SolveStatus) -> None:
        self._status = status
        if status.has_states:
            self._has_compiled = False

    def note_compiling(self, begun: bool) -> None:
        self._compiling, self._has_compiled = begun, True

    def detail(self) -> str:
        """Return what is being done. All compilations before compiled code finds states are shown as one."""
        if self._status.has_states:
            return self._status.text + (", compiling" if self._compiling else "")
        return COMPILING if self._has_compiled else self._status.text

    def end(self) -> None:
        self._ended.set()
        self.join()

    def run(self) -> None:
        if self._ended.wait(SHOW_SECONDS):
            return
        if can_show_bars():
            self._draw_bar()
        else:
            self._write_lines()

    def _write_lines(self) -> None:
        while not self._ended.wait(LINE_SECONDS):
            detail, note, self._note = self.detail(), self._note, ""
            line = f"{self._text}{detail and f': {detail}'} …{note and f' {note}'}"
            print(wrapped(as_encoded(line, sys.stderr), columns_of(sys.stderr)), file=sys.stderr, flush=True)

    def _draw_bar(self) -> None:
        """Draw a bar that moves, and fills up once it is known how much there is to do.

        Until the bar is loaded, which takes a while beside other work, the text stands alone.
        """
        with silent_keys():
            self._draw()

    def _draw(self) -> None:
        sys.stderr.write(cut(as_encoded(f"{self._text} …", sys.stderr), (columns_of(sys.stderr) or 80) - 1, sys.stderr))
        sys.stderr.flush()
        from rich.progress import BarColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            text_column("{task.description}"),
            BarColumn(BAR_WIDTH),
            text_column("{task.fields[detail]}"),
            TimeElapsedColumn(),
        )
        sys.stderr.write(ERASE_LINE)
        with Bar(
            *columns,
            console=progress_console(),
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,  # the work may write what it likes
            redirect_stderr=False,
        ) as bar:
            task = bar.add_task(self._text, total=None, detail="")
            note_at = time.monotonic() + NOTE_SECONDS
            while not self._ended.wait(REFRESH_SECONDS):
                if self._note and time.monotonic() > note_at:
                    bar.console.print(self._note, style="dim")
                    self._note = ""
                status = self._status
                bar.update(task, detail=self.detail(), total=status.total, completed=status.done, refresh=True)
