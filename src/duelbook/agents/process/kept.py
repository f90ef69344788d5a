"""Programs that wait for their next match, so that one process plays many matches of a run."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from duelbook.agents.process.program import Program


class KeptPrograms:
    """The programs of this process that wait. Each plays one match at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0  # that are under way
        self._waiting: list[Program] = []

    @contextmanager
    def during_run(self) -> Iterator[None]:
        """Keep programs until the run ends, and end them with it."""
        with self._lock:
            self._runs += 1
        try:
            yield
        finally:
            with self._lock:
                self._runs -= 1
                ending, self._waiting = ([], self._waiting) if self._runs else (self._waiting, [])
            for program in ending:
                program.close()

    def keep_until_exit(self) -> None:
        """Keep programs until this process ends: the guard ends them then."""
        with self._lock:
            self._runs = max(1, self._runs)

    def take(self, arguments: Sequence[str]) -> Program | None:
        """Return a program with this command that waits, or None."""
        while True:
            with self._lock:
                fitting = [program for program in self._waiting if program.arguments == tuple(arguments)]
                if not fitting:
                    return None
                self._waiting.remove(fitting[-1])
            if fitting[-1].plays_on:
                return fitting[-1]
            fitting[-1].close()

    def keep(self, program: Program) -> None:
        """Let the program wait for its next match, or end it if there is none or it plays only one."""
        with self._lock:
            if self._runs and program.plays_on:
                self._waiting.append(program)
                return
        program.close()


KEPT = KeptPrograms()
