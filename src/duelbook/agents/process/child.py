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

from duelbook.agents import Forfeit, ForfeitKind
from duelbook.agents.process.guard import GUARD
from duelbook.text import shorten

MAX_ANSWER_BYTES = 65_536
GRACE_SECONDS = 0.5  # for the program to exit by itself, and again after SIGTERM
POLL_SECONDS = 0.5  # an interrupt by Ray does not end a wait, so no single wait is longer
MAX_STDERR_BYTES = 2_000  # the end of standard error that is kept
START_GATE = ("/bin/sh", "-c", 'read -r go && exec "$@"', "duelbook")  # waits until the guard watches the process
SECRET_VARIABLE = "DUELBOOK_LLM_API_KEY"  # not passed on to programs


class Child:
    """A program in its own process group. It gets questions and gives answers, one line each."""

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
        self._output, self._errors, self._ended = b"", b"", False
        self._write(b"go\n")

    @property
    def _streams(self) -> tuple[IO[bytes], ...]:
        return self._stdin, self._stdout, self._stderr

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Return the line that the program writes in reply, or raise Forfeit."""
        if self._output:
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program wrote more than one line: '{_quoted(self._output)}'.")
        self._converse(question, time.monotonic() + seconds)
        line, end, self._output = self._output.partition(b"\n")
        if end:
            return line
        if self._ended:
            raise Forfeit(ForfeitKind.ERROR, self._exit_report())
        if len(line) > MAX_ANSWER_BYTES:
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer is longer than {MAX_ANSWER_BYTES:,} bytes.")
        raise Forfeit(ForfeitKind.TIMEOUT, f"The program did not answer within {seconds:g} seconds.")

    def close(self) -> None:
        """End the program and its process group: close its input, then send SIGTERM, then SIGKILL."""
        with suppress(OSError):
            self._stdin.close()
        self._wait_for_end()
        if not self._ended:
            _signal(self._process, signal.SIGTERM)
            self._wait_for_end()
        self._finalizer()
        for stream in self._streams:
            with suppress(OSError):
                stream.close()

    def _converse(self, question: bytes, deadline: float) -> None:
        """Write the question and read until there is a line, the program ends, or the time is up."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            if question:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._output and len(self._output) <= MAX_ANSWER_BYTES and not self._ended:
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                for key, _ in selector.select(min(left, POLL_SECONDS)):
                    if key.fileobj is self._stdin:
                        question = self._write(question)
                        if not question:
                            selector.unregister(self._stdin)
                    elif not self._read(key.fd):
                        selector.unregister(key.fileobj)

    def _write(self, question: bytes) -> bytes:
        """Write what fits into the pipe, and return the rest. Nothing is left if the program no longer reads."""
        try:
            return question[os.write(self._stdin.fileno(), question) :]
        except BlockingIOError:
            return question
        except OSError:
            return b""

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
            self._converse(b"", deadline)

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
