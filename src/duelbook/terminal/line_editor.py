"""The line that a person types, or a script: edited with Python's readline, or plain.

Readline is part of Python and loads in a millisecond. Where the time or news can interrupt a line, see
`interruptible_prompt`.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from glob import escape, glob
from types import FrameType

from duelbook.text import clock_text, fold

try:
    import readline
    import termios
except ImportError:  # as on Windows
    readline = None  # type: ignore[assignment]

BINDINGS = ("tab: complete", "set completion-ignore-case on", "set show-all-if-ambiguous on")
NO_BRACKETED_PASTE = "set enable-bracketed-paste off"  # several pasted lines are several answers
LIBEDIT_BINDING = "bind ^I rl_complete"
POLL_SECONDS = 0.1  # how often a prompt looks whether it is to be interrupted
READ_BYTES = 8192  # of a script at once

Candidates = Callable[[str], Sequence[str]]  # from what is typed to the lines that it may become
Interrupts = Callable[[], bool]  # returns True if there is something to tell


class TimeUpError(Exception):
    """The time for an answer has run out."""


class LineInterruptedError(Exception):
    """There is something to tell before the person goes on typing; `typed` is what they had typed."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


def can_edit() -> bool:
    """Return True if lines can be edited: input and output are a terminal that can move its cursor."""
    if readline is None or os.environ.get("TERM", "") in ("", "dumb"):
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and sys.stdin is sys.__stdin__


def starting_with(typed: str, lines: Sequence[str]) -> list[str]:
    """Return the lines that begin with what is typed, whatever its case."""
    return [line for line in lines if fold(line).startswith(fold(typed))]


def files_starting_with(typed: str) -> list[str]:
    """Return the files and folders whose path begins with the text; folders end in a slash."""
    found = sorted(glob(f"{escape(os.path.expanduser(typed))}*"))
    return [f"{path}/" if os.path.isdir(path) else path for path in found]


def with_clock(prompt: str, deadline: float | None) -> str:
    """Return the prompt behind the time that is left, if time runs."""
    return prompt if deadline is None else f"{clock_text(deadline - time.monotonic())} {prompt}"


def is_time_up(deadline: float | None, interrupts: Interrupts | None) -> bool:
    """Return True if the deadline has passed. Where news interrupt, it is only shown: somebody else decides."""
    return deadline is not None and interrupts is None and time.monotonic() >= deadline


def read_edited(prompt: str, candidates: Candidates | None) -> str:
    """Return the line that the person types with readline. The prompt is one line."""
    libedit = "libedit" in (readline.__doc__ or "")
    for binding in (LIBEDIT_BINDING,) if libedit else (*BINDINGS, NO_BRACKETED_PASTE):
        readline.parse_and_bind(binding)
    readline.set_auto_history(False)
    readline.set_completer_delims("")  # a candidate is a whole line
    found: list[str] = []

    def complete(typed: str, number: int) -> str | None:
        if number == 0:
            found[:] = candidates(typed) if candidates else ()
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    with _shown_again_after_stop(prompt):
        return input(prompt)


def remember_line(line: str) -> None:
    """Let the line come back with the arrow keys, unless it is empty or the last one once more."""
    if line.strip() and [line] != remembered_lines()[-1:]:
        readline.add_history(line)


def remembered_lines() -> list[str]:
    """Return the lines that come back with the arrow keys."""
    return [readline.get_history_item(number + 1) for number in range(readline.get_current_history_length())]


def wait_for_input(deadline: float | None, interrupts: Interrupts | None) -> None:
    """Wait until there is something to read, or raise TimeUpError or LineInterruptedError."""
    while sys.platform != "win32":  # which cannot wait for a pipe: the time is looked at when there is a line
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if select.select([sys.stdin], [], [], POLL_SECONDS if interrupts else left)[0]:
            break
        if is_time_up(deadline, interrupts):
            raise TimeUpError
        if interrupts and interrupts():
            raise LineInterruptedError("")


class ScriptLines:
    """The lines of a script. Python's own buffer would not say whether there is one to read."""

    def __init__(self) -> None:
        self._unread = b""

    def has_more(self) -> bool:
        """Return True if there is another line. Wait until that is clear."""
        return bool(self._unread) or self._read_more()

    def next(self, deadline: float | None, interrupts: Interrupts | None) -> str:
        """Return the next line with its end, or an empty text after the last one. Raise as `wait_for_input`."""
        is_more = True
        while is_more and b"\n" not in self._unread:
            wait_for_input(deadline, interrupts)
            is_more = self._read_more()
        line, end, self._unread = self._unread.partition(b"\n")
        return (line + end).decode(sys.stdin.encoding, "replace")

    def _read_more(self) -> bool:
        """Read what there is, and return False at the end."""
        read = os.read(sys.stdin.fileno(), READ_BYTES)
        self._unread += read
        return bool(read)


@contextmanager
def _shown_again_after_stop(prompt: str) -> Iterator[None]:
    """Give the shell its terminal as it was when Ctrl-Z stops the program, and show the line again after `fg`.

    Python leaves the terminal as readline needs it. If the parent process let Ctrl-Z be ignored, that stays.
    """
    if signal.getsignal(signal.SIGTSTP) != signal.SIG_DFL:
        yield
        return
    shell = termios.tcgetattr(sys.stdin)

    def stop(number: int, frame: FrameType | None) -> None:
        editing = termios.tcgetattr(sys.stdin)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, shell)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, stop)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, editing)
        sys.stdout.write(f"\n{prompt}{readline.get_line_buffer()}")
        sys.stdout.flush()

    signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
