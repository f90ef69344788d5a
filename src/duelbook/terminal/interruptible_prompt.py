"""A prompt at a terminal that the clock or news from the network can interrupt: that of prompt_toolkit.

It loads more slowly than readline, so only a prompt that can be interrupted loads it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from itertools import takewhile

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from duelbook.terminal.line_editor import (
    POLL_SECONDS,
    Candidates,
    Interrupts,
    LineInterruptedError,
    TimeUpError,
    is_time_up,
    remembered_lines,
    with_clock,
)

ENTER = (Keys.ControlM, Keys.ControlJ)


def read_interruptible(
    prompt: str, deadline: float | None, candidates: Candidates | None, interrupts: Interrupts | None, typed: str
) -> str:
    """Return the line that the person types; `typed` stands in it already. The time left runs before the prompt.

    Raise EOFError at the end of input, TimeUpError at the deadline, and LineInterruptedError, after the prompt is
    erased, when `interrupts` returns True. The deadline is then only shown, since somebody else decides.
    """
    session: PromptSession[str] = PromptSession(
        lambda: with_clock(prompt, deadline),
        completer=WholeLines(candidates) if candidates else None,
        complete_while_typing=False,
        complete_style=CompleteStyle.MULTI_COLUMN,
        history=InMemoryHistory(remembered_lines()),
        key_bindings=_keys(),
        output=TerminalOutput.from_pty(sys.stdout, os.environ["TERM"], ColorDepth.from_env()),
    )

    app = session.app

    async def watch() -> None:
        shown = ""
        while not app.is_done:
            if is_time_up(deadline, interrupts):
                app.exit(exception=TimeUpError())
            elif interrupts and interrupts():
                app.erase_when_done = True
                app.exit(exception=LineInterruptedError(session.default_buffer.text))
            elif shown != (now := with_clock("", deadline)):
                shown = now
                app.invalidate()
            await asyncio.sleep(POLL_SECONDS)

    def start() -> None:
        app.create_background_task(watch())

    try:
        line = session.prompt(default=typed, pre_run=start)
    except LineInterruptedError as interrupted:
        line = _finished_line(app.input, interrupted.typed)
    return line.encode(errors="surrogateescape").decode(errors="replace")  # a stray byte must not stop a game


def _finished_line(source: Input, typed: str) -> str:
    """Return the line if it was finished while its prompt was interrupted, or raise LineInterruptedError again.

    What was typed before the next question could be read belongs to this one: it is no answer to another.
    """
    with source.raw_mode():  # or keys could be read only after Enter
        keys = [*get_typeahead(source), *source.read_keys()]
    own = list(takewhile(lambda key: key.data.isprintable(), keys))
    text, rest = typed + "".join(key.data for key in own), keys[len(own) :]
    is_finished = bool(rest) and rest[0].key in ENTER
    store_typeahead(source, rest[1:] if is_finished else rest)
    if not is_finished:
        raise LineInterruptedError(text)
    return text


class WholeLines(Completer):
    """Completes what is typed to whole lines."""

    def __init__(self, candidates: Candidates) -> None:
        self._candidates = candidates

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield the lines that the text before the cursor may become."""
        typed = document.text_before_cursor
        return (Completion(line, -len(typed)) for line in self._candidates(typed))


class TerminalOutput(Vt100_Output):
    """A terminal that is asked for nothing that some terminals do not answer."""

    def enable_bracketed_paste(self) -> None:
        """Do nothing: several pasted lines are several answers, as if they were typed."""

    @property
    def responds_to_cpr(self) -> bool:
        """False: no prompt needs to know where the cursor is, and a terminal that cannot tell would get a warning."""
        return False


def _keys() -> KeyBindings:
    """Return the keys that differ from those of prompt_toolkit.

    Ctrl-Z stops the program, unless the parent process let it be ignored. A colour code that is pasted looks like a
    click, which no prompt asks for, and would fail.
    """
    keys = KeyBindings()

    @keys.add("c-z")
    def stop(event: KeyPressEvent) -> None:
        if signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL:
            event.app.suspend_to_background()

    @keys.add(Keys.Vt100MouseEvent)
    def ignore(event: KeyPressEvent) -> None:
        pass

    return keys
