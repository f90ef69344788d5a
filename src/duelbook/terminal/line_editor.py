"""The line that a person types: edited, remembered and completed with the system's readline.

Readline is part of Python and loads in a millisecond. A terminal that cannot be edited on gets plain lines.
"""

import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from glob import escape, glob
from types import FrameType
from typing import NoReturn, TypeVar

from duelbook.text import fold, width_of

try:
    import readline
except ImportError:  # as on Windows
    readline = None  # type: ignore[assignment]

MAX_REMEMBERED_LINES = 500
BINDINGS = ("tab: complete", "set completion-ignore-case on", "set show-all-if-ambiguous on")
LIBEDIT_BINDING = "bind ^I rl_complete"
POLL_SECONDS = 0.1  # how often a prompt looks whether it is to be interrupted
AGAIN_SECONDS = 1.0  # before it is interrupted again, if readline was just completing and has dropped the error
NO_BRACKETED_PASTE = "set enable-bracketed-paste off"  # several pasted lines are several answers

T = TypeVar("T")
Candidates = Callable[[str], Sequence[str]]  # from what is typed to the lines that it may become
Interrupts = Callable[[], bool]  # returns True if there is something to tell


class TimeUpError(Exception):
    """The time for an answer has run out."""


class LineInterruptedError(Exception):
    """There is something to tell before the person goes on typing; `typed` is what they had typed."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.typed = typed


class _SuspendedError(Exception):
    """The person pressed Ctrl-Z; the text is what was typed until then."""


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


def read_edited(
    prompt: str,
    deadline: float | None,
    candidates: Candidates | None,
    *,
    remember: bool,
    interrupts: Interrupts | None = None,
    typed: str = "",
) -> str:
    """Return the line that the person types. The prompt is one line. After Ctrl-Z and `fg` it is shown again.

    Raise EOFError at the end of input, TimeUpError at the deadline, LineInterruptedError as `ticking` says.
    `typed` stands in the line already.
    """
    _configure(candidates)
    while True:
        readline.set_startup_hook(_inserting(typed))
        try:
            with _suspending(), ticking(deadline, lambda left: _redraw_clock(left, prompt), interrupts) as stop:
                line = read_once(input, _with_clock(prompt, deadline), stop)
            break
        except _SuspendedError as suspended:
            typed = str(suspended)
            sys.stdout.write("\n")
            sys.stdout.flush()
            os.kill(os.getpid(), signal.SIGTSTP)  # with the terminal as the shell expects it
        except LineInterruptedError as interrupted:
            erase(_with_clock(prompt, deadline) + interrupted.typed)
            raise
    if remember and line.strip() and (not (count := readline.get_current_history_length()) or line != _item(count)):
        readline.add_history(line)
        if count >= MAX_REMEMBERED_LINES:
            readline.remove_history_item(0)
    return line


def read_once(read: Callable[[T], str], argument: T, stop: Callable[[], None]) -> str:
    """Return the line that the function reads. An interruption that comes just after it does not lose the line.

    No signal handler runs between the end of `read` and the moment at which the line is in the list. After that, `stop`
    ends the ticking, and what it may have raised until then is caught.
    """
    lines: list[str] = []
    try:
        lines.extend(map(read, [argument]))
        stop()
    except LineInterruptedError:
        if not lines:
            raise
    return lines[0]


def read_typed(stop: Callable[[], None]) -> str:
    """Return the line that is typed at a terminal without readline, after `stop` has ended the ticking.

    It waits until there is a line: an interruption while Python reads and decodes one would lose it.
    """
    if hasattr(signal, "setitimer"):
        select.select([sys.stdin], [], [])
    stop()
    return sys.stdin.readline()


def read_script(stop: Callable[[], None]) -> str:
    """Return the next line of a script, whose time may be up while it is waited for."""
    return read_once(sys.stdin.readline, -1, stop)


def clock_text(seconds: float) -> str:
    """Return the time left as `[0:25]`."""
    whole = max(0, math.ceil(seconds))
    return f"[{whole // 60}:{whole % 60:02}]"


@contextmanager
def ticking(
    deadline: float | None, tick: Callable[[float], None], interrupts: Interrupts | None = None
) -> Iterator[Callable[[], None]]:
    """Call `tick` with the seconds left whenever the clock shows a new second. Yield the function that stops that.

    Raise TimeUpError inside the block when the deadline (of the monotonic clock) passes. With `interrupts`, raise
    LineInterruptedError as soon as that returns True; the deadline is then only shown, since somebody else decides.
    """
    if (deadline is None and interrupts is None) or not hasattr(signal, "setitimer"):
        yield lambda: None
        return
    shown = 0

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def ring_in(seconds: float) -> None:
        """Set the alarm. It rings again: one that comes just before readline begins to wait does not end its wait."""
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)

    def ring(number: int = 0, frame: FrameType | None = None) -> None:
        nonlocal shown
        left = math.inf if deadline is None else deadline - time.monotonic()
        if left <= 0 and not interrupts:
            raise TimeUpError
        if number and interrupts and interrupts():
            ring_in(AGAIN_SECONDS)
            raise LineInterruptedError(readline.get_line_buffer() if can_edit() else "")
        if deadline is not None:
            before, shown = shown, math.ceil(left)
            if number and shown != before:
                tick(left)
        ring_in(POLL_SECONDS if interrupts else left - math.ceil(left) + 1 or 1)

    handler = signal.signal(signal.SIGALRM, ring)
    try:
        ring()
        yield stop
    finally:
        stop()
        signal.signal(signal.SIGALRM, handler)


def erase(shown: str) -> None:
    """Remove a prompt and what was typed from the terminal."""
    rows = width_of(shown) // _columns()
    sys.stdout.write((f"\x1b[{rows}A" if rows else "") + "\r\x1b[J")
    sys.stdout.flush()


def _columns() -> int:
    """Return the columns of the terminal; some say that they have none."""
    return os.get_terminal_size(sys.stdout.fileno()).columns or 80


def _with_clock(prompt: str, deadline: float | None) -> str:
    return prompt if deadline is None else f"{clock_text(deadline - time.monotonic())} {prompt}"


def _redraw_clock(left: float, prompt: str) -> None:
    """Write the time left over the old one, unless the line is so long that its beginning is further up."""
    shown = width_of(prompt + readline.get_line_buffer()) + len("[00:00] ")
    if shown < _columns():
        sys.stdout.write(f"\x1b7\r{clock_text(left)}\x1b8")
        sys.stdout.flush()


def _item(number: int) -> str | None:
    return readline.get_history_item(number)


def _configure(candidates: Candidates | None) -> None:
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


def _inserting(text: str) -> Callable[[], None]:
    return lambda: readline.insert_text(text)


@contextmanager
def _suspending() -> Iterator[None]:
    """Turn Ctrl-Z into _SuspendedError, unless the parent process told this one to ignore it."""
    if signal.getsignal(signal.SIGTSTP) != signal.SIG_DFL:
        yield
        return

    def suspend(number: int, frame: FrameType | None) -> NoReturn:
        raise _SuspendedError(readline.get_line_buffer())

    signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
