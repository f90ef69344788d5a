"""Line-by-line input and output: plain text everywhere, colour only on a terminal that supports it."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from duelbook.terminal.layout import as_encoded, columns_of, wrapped
from duelbook.terminal.line_editor import (
    Candidates,
    Interrupts,
    LineInterruptedError,
    ScriptLines,
    TimeUpError,
    can_edit,
    is_time_up,
    read_edited,
    remember_line,
    wait_for_input,
    with_clock,
)
from duelbook.text import sanitize, width_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

HEADING, WARNING, NOTE, RESULT = "cyan", "yellow", "dim", "bold green"  # styles on a colour terminal


class Screen:
    """Standard input and output. Everything that is shown is sanitized first."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()  # a person types, not a script
        self._script = ScriptLines()
        self._is_interruptible = False  # the time or news could interrupt a prompt
        no_colour = os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("NO_COLOR"))
        self.plain = no_colour or not sys.stdout.isatty()
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()  # a person can answer what is shown

    @cached_property
    def _console(self) -> "Console":
        from rich.console import Console

        return Console(markup=False, highlight=False, emoji=False)

    def say(self, text: str = "", style: str = "") -> None:
        """Print the text and a newline."""
        shown = self._wrapped(text)
        if self.plain or not style:
            print(shown, flush=True)
        else:
            self._console.print(shown, style=style, soft_wrap=True)

    def show_hint(self, text: str, note: str) -> None:
        """Print one step of help, and what asking again gives."""
        self.say(text)
        if note:
            self.say(note, NOTE)

    def note(self, text: str) -> None:
        """Print a sentence to standard error."""
        print(f"duelbook: {as_encoded(sanitize(text), sys.stderr)}", file=sys.stderr, flush=True)

    def show(self, picture: "RenderableType") -> None:
        """Print a Rich table or page. The screen must not be plain."""
        self._console.print(picture)

    @contextmanager
    def busy(self, text: str, note: str = "") -> Iterator[None]:
        """Show that the work inside goes on, and how far a solve is, if it takes longer than a moment.

        The note, such as what Ctrl-C does, is shown above it if it takes a while.
        """
        from duelbook.terminal.waiting import waiting  # here and below, so that a game of two people starts sooner

        with waiting(text, note):
            yield

    @contextmanager
    def progress(self, text: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
        """Show how much is done, the rate or how far a solve is, and the time left.

        Yield the function that takes the number done.
        """
        from duelbook.terminal.waiting import can_show_bars, progress_console, silent_keys, text_column

        if not can_show_bars():
            yield lambda count: None
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        from duelbook.play.solve_progress import watched_solve

        columns = (text_column("{task.description}"), BarColumn(20), MofNCompleteColumn())
        detail, console = text_column("{task.fields[detail]}"), progress_console()
        began = time.monotonic()
        with silent_keys(), Progress(*columns, detail, TimeRemainingColumn(), console=console, transient=True) as bar:
            task = bar.add_task(as_encoded(text, sys.stderr), total=total, completed=done, detail="")

            def report(count: int) -> None:
                per_second = (count - done) / max(0.001, time.monotonic() - began)
                bar.update(task, completed=count, detail=f"{per_second:.3g}/s")

            with watched_solve(lambda solve: bar.update(task, detail=solve.text)):
                yield report

    def ask(
        self,
        prompt: str,
        deadline: float | None = None,
        candidates: Candidates | None = None,
        *,
        remember: bool = True,
        interrupts: Interrupts | None = None,
        typed: str = "",
    ) -> str:
        """Return the line that the person types. Raise EOFError at the end of input, TimeUpError at the deadline.

        `candidates` completes what is typed. A line that is not remembered does not come back with the arrow keys.
        When `interrupts` returns True, raise LineInterruptedError. To go on, ask again with what was `typed`.
        """
        clock = with_clock("", deadline)
        *above, last = self._wrapped(prompt, width_of(clock)).split("\n")
        if above:
            print("\n".join(above))
        sys.stdout.flush()
        try:
            line = self._read_line(last, deadline, candidates, interrupts, typed)
        except TimeUpError:
            _discard_typed_input()
            raise
        if remember and can_edit():
            remember_line(line)
        return line.strip()

    def _read_line(
        self,
        prompt: str,
        deadline: float | None,
        candidates: Candidates | None,
        interrupts: Interrupts | None,
        typed: str,
    ) -> str:
        """Return the line with the editor that fits.

        Once a prompt could be interrupted, the same editor reads all lines: it may have read more than one.
        """
        self._is_interruptible |= deadline is not None or interrupts is not None
        if can_edit() and self._is_interruptible:
            from duelbook.terminal.interruptible_prompt import read_interruptible  # which loads slowly

            return read_interruptible(prompt, deadline, candidates, interrupts, typed)
        try:
            return read_edited(prompt, candidates) if can_edit() else self._read_plain(prompt, deadline, interrupts)
        except (KeyboardInterrupt, EOFError, LineInterruptedError, TimeUpError):
            print(flush=True)
            raise

    def can_answer(self) -> bool:
        """Return True if a question can be answered: by a person who sees it, or by a script with more lines."""
        return sys.stdout.isatty() if self.interactive else self._script.has_more()

    def _read_plain(self, prompt: str, deadline: float | None, interrupts: Interrupts | None) -> str:
        print(with_clock(prompt, deadline), end="", flush=True)
        if self.interactive:
            wait_for_input(deadline, interrupts)
            line = sys.stdin.readline()
        else:
            line = self._script.next(deadline, interrupts)
        if is_time_up(deadline, interrupts):  # on systems that cannot wait with a limit
            raise TimeUpError
        if not line:
            raise EOFError
        if not self.interactive:  # so that a transcript of piped play reads like a session at the keyboard
            print(sanitize(line.rstrip()), flush=True)
        return line

    @property
    def columns(self) -> int | None:
        """The width of the terminal, or None if the output goes elsewhere."""
        return columns_of(sys.stdout)

    def _wrapped(self, text: str, room: int = 0) -> str:
        """Return the text as it is shown: lines too long for the terminal, with so much room, break between words."""
        return wrapped(as_encoded(sanitize(text), sys.stdout), self.columns and self.columns - room)


def _discard_typed_input() -> None:
    """Drop a half-typed answer, so that it does not end up in the shell."""
    if sys.stdin.isatty():
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
