"""The guard: a process that kills programs when the process that started them is gone, even by SIGKILL.

The guard process runs this file alone, without the rest of Duelbook, so that it starts at once.
"""

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress


class Guard:
    """Starts the guard process and tells it which process groups to kill when the pipe to it closes."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()

    def watch(self, group: int) -> None:
        """Let the process group end with this process."""
        with self._starting:
            if self._process is None:
                self._process = _start()
                atexit.register(self._process.communicate)
        self._send(group)

    def release(self, group: int) -> None:
        """Forget a process group that has ended, since its number may be reused."""
        self._send(-group)

    def _send(self, number: int) -> None:
        if self._process and self._process.stdin:
            with suppress(OSError, ValueError):  # the guard was killed, or this process is exiting
                self._process.stdin.write(b"%d\n" % number)


def _start() -> "subprocess.Popen[bytes]":
    """Start the guard in its own session, where no signal of a terminal reaches it."""
    silent = subprocess.DEVNULL
    command = [sys.executable, "-I", "-S", __file__]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, bufsize=0, start_new_session=True
    )


def guard(lines: Iterable[str]) -> None:
    """Read which groups start (+) and end (-); when the input closes, kill those that are left."""
    groups: set[int] = set()
    for number in map(int, lines):
        if number > 0:
            groups.add(number)
        else:
            groups.discard(-number)
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


GUARD = Guard()

if __name__ == "__main__":
    guard(sys.stdin)
