"""Work in a thread of its own, so that the screen never blocks. What is stopped has no effect any more."""

import threading
import time
from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump

from duelbook.play.solve_progress import NOTE_SECONDS, SolveStatus, watched_solve


class StoppedWorkError(Exception):
    """The work is not wanted any more."""


class BackgroundWork:
    """A function that runs in a thread, which does not keep the program from ending."""

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
