"""A guard over programs: a process that ends them once the process that started them is gone, even by SIGKILL.

The guard runs this file by itself, without the rest of Duelbook, so that it is there at once.
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
    """Knows the process groups to end; nothing but the end of the pipe to it makes it act."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()

    def watch(self, group: int) -> None:
        """From now on the group ends with this process."""
        with self._starting:
            if self._process is None:
                self._process = _started()
                atexit.register(self._process.communicate)
        self._tell(group)

    def release(self, group: int) -> None:
        """The group has ended, and its number may soon be another's."""
        self._tell(-group)

    def _tell(self, number: int) -> None:
        if self._process and self._process.stdin:
            with suppress(OSError, ValueError):  # somebody has ended the guard, or we are at our own end
                self._process.stdin.write(b"%d\n" % number)


def _started() -> "subprocess.Popen[bytes]":
    """Start the guard where no terminal's signals reach it."""
    silent = subprocess.DEVNULL
    command = [sys.executable, "-I", "-S", __file__]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=silent, stderr=silent, bufsize=0, start_new_session=True
    )


def keep(lines: Iterable[str]) -> None:
    """Read the groups that come and go, and end those that are left."""
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
    keep(sys.stdin)
