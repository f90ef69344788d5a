"""A running program: its pipes, its time limit, and its end together with every process that it started."""

import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from duelbook.agents.agent import Forfeit, ForfeitKind
from duelbook.agents.process.guard import GUARD
from duelbook.text import shorten

MAX_ANSWER_BYTES = 65_536
GRACE_SECONDS = 0.5  # for the program to exit by itself, and again after SIGTERM
POLL_SECONDS = 0.5  # an interrupt by Ray does not end a wait, so no single wait is longer
MAX_STDERR_BYTES = 2_000  # the end of standard error that is kept
START_GATE = ("/bin/sh", "-c", 'read -r go && exec "$@"', "duelbook")  # waits until the guard watches the process
SECRET_VARIABLE = "DUELBOOK_LLM_API_KEY"  # not passed on to programs


class Child:
    """A program in its own process group, with which lines are exchanged."""

    def __init__(self, arguments: Sequence[str]) -> None:
        environment = {name: value for name, value in os.environ.items() if name != SECRET_VARIABLE}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [*START_GATE, *arguments],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=environment,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise Forfeit(ForfeitKind.ERROR, f"The program cannot be started: {error}.") from error
        self._finalizer = weakref.finalize(self, _kill, self._process)  # in case `close` is not called
        GUARD.watch(self._process.pid)  # in case this process dies
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        self._unsent, self._output, self._errors, self._ended = b"", b"", b"", False
        self.send(b"go\n")

    @property
    def _streams(self) -> tuple[IO[bytes], ...]:
        return self._stdin, self._stdout, self._stderr

    def send(self, lines: bytes) -> None:
        """Write the lines as far as they fit into the pipe. The rest is written while `line` waits."""
        self._unsent += lines
        self._write()

    def line(self, seconds: float) -> bytes:
        """Return the next line that the program writes. Raise TimeoutError if there is none in time, or Forfeit."""
        self._converse(time.monotonic() + seconds)
        line, end, rest = self._output.partition(b"\n")
        if end:
            self._output = rest
            return line
        if self._ended:
            raise Forfeit(ForfeitKind.ERROR, self._exit_report())
        if len(line) > MAX_ANSWER_BYTES:
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer is longer than {MAX_ANSWER_BYTES:,} bytes.")
        raise TimeoutError

    def check_silent(self) -> None:
        """Raise Forfeit if the program has written something that nobody asked for."""
        if self._output:
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program wrote more than one line: '{_quoted(self._output)}'.")

    def has_ended(self) -> bool:
        """Return True if the program has closed its output."""
        if not self._ended and not self._output:
            self._read(self._stdout.fileno())
        return self._ended

    def is_silent(self, seconds: float) -> bool:
        """Return True if the program goes on running and writes nothing for this time."""
        self._converse(time.monotonic() + seconds)
        return not self._output and not self._ended

    def close(self) -> bool:
        """End the program and its process group: close its input, then send SIGTERM, then SIGKILL.

        Return True if it closed its output by itself, without a signal.
        """
        self._unsent = b""
        with suppress(OSError):
            self._stdin.close()
        self._wait_for_end()
        by_itself = self._ended
        if not by_itself:
            _signal(self._process, signal.SIGTERM)
            self._wait_for_end()
        self._finalizer()
        for stream in self._streams:
            with suppress(OSError):
                stream.close()
        return by_itself

    def _converse(self, deadline: float) -> None:
        """Write what is unsent, and read until there is a line, the program ends, or the time is up."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._output and len(self._output) <= MAX_ANSWER_BYTES and not self._ended:
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                for key, _ in selector.select(min(left, POLL_SECONDS)):
                    if key.fileobj is self._stdin:
                        self._write()
                        if not self._unsent:
                            selector.unregister(self._stdin)
                    elif not self._read(key.fd):
                        selector.unregister(key.fileobj)

    def _write(self) -> None:
        """Write what fits into the pipe. Nothing is left to send if the program no longer reads."""
        try:
            self._unsent = self._unsent[os.write(self._stdin.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""

    def _read(self, number: int) -> bool:
        """Read what the program has written. Return True if more may come."""
        try:
            chunk = os.read(number, MAX_ANSWER_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            chunk = b""
        if number == self._stderr.fileno():
            self._errors = (self._errors + chunk)[-MAX_STDERR_BYTES:]
            return bool(chunk)
        self._output += chunk
        self._ended = not chunk
        return bool(chunk)

    def _wait_for_end(self) -> None:
        """Give the program a moment to close its output, and drop what it still writes."""
        deadline = time.monotonic() + GRACE_SECONDS
        while not self._ended and time.monotonic() < deadline:
            self._output = b""
            self._converse(deadline)

    def _exit_report(self) -> str:
        """Return a sentence that says how the program ended, with the last line of its standard error."""
        with suppress(OSError):
            self._errors += os.read(self._stderr.fileno(), MAX_STDERR_BYTES)
        self._finalizer()
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if code == -signal.SIGKILL:  # possibly sent by `_kill`
            how = "was killed or closed its output"
        last = self._errors.decode(errors="replace").strip().rpartition("\n")[2]
        return f"The program {how}" + (f": {shorten(last)}" if last else "") + "."


def _quoted(raw: bytes) -> str:
    return shorten(raw.decode(errors="replace"))


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Signal the process group. Its number is not reused, since the process has not been waited for."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    _signal(process, signal.SIGKILL)
    GUARD.release(process.pid)
    process.wait()
