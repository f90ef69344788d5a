"""A program that was started: its pipes, its time, and its end with all that it has started itself."""

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

LONGEST_ANSWER = 65_536  # bytes
GRACE = 0.5  # seconds to end by itself, and again after being told to
GLANCE = 0.5  # seconds after which waiting looks up: an interrupt by Ray does not end it
COMPLAINT = 2_000  # bytes of what it said on standard error that are remembered
GATE = ("/bin/sh", "-c", 'read -r go && exec "$@"', "duelbook")  # until whoever is to end the program knows of it
SECRET = "DUELBOOK_LLM_API_KEY"  # no business of the program's


class Child:
    """One program in a process group of its own, asked and answering line by line."""

    def __init__(self, arguments: Sequence[str]) -> None:
        kept = {name: value for name, value in os.environ.items() if name != SECRET}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [*GATE, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=kept, start_new_session=True, bufsize=0
            )
        except (OSError, ValueError) as error:
            raise Forfeit(ForfeitKind.ERROR, f"the program cannot be started: {error}") from error
        self._finalizer = weakref.finalize(self, _kill, self._process)  # should nobody close it
        GUARD.watch(self._process.pid)  # should nobody be left to
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        self._answer, self._complaint, self._ended = b"", b"", False
        self._write(b"go\n")

    @property
    def _streams(self) -> tuple[IO[bytes], ...]:
        return self._stdin, self._stdout, self._stderr

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Answer the line that the program writes in reply, or raise Forfeit."""
        if self._answer:
            raise Forfeit(ForfeitKind.ILLEGAL, f"the program said more than asked: '{_quoted(self._answer)}'")
        self._converse(question, time.monotonic() + seconds)
        line, end, self._answer = self._answer.partition(b"\n")
        if end:
            return line
        if self._ended:
            raise Forfeit(ForfeitKind.ERROR, self._last_words())
        if len(line) > LONGEST_ANSWER:
            raise Forfeit(ForfeitKind.ILLEGAL, f"the program answered more than {LONGEST_ANSWER} bytes")
        raise Forfeit(ForfeitKind.TIMEOUT, f"the program did not answer within {seconds:g} seconds")

    def close(self) -> None:
        """End the program: by the end of its input, then by SIGTERM, then by SIGKILL; its whole group goes."""
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
        """Write the question and read until a line is there, the program ends, or the time is up."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            selector.register(self._stderr, selectors.EVENT_READ)
            if question:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            while b"\n" not in self._answer and len(self._answer) <= LONGEST_ANSWER and not self._ended:
                left = deadline - time.monotonic()
                if left <= 0:
                    return
                for key, _ in selector.select(min(left, GLANCE)):
                    if key.fileobj is self._stdin:
                        question = self._write(question)
                        if not question:
                            selector.unregister(self._stdin)
                    elif not self._read(key.fd):
                        selector.unregister(key.fileobj)

    def _write(self, question: bytes) -> bytes:
        """Write what the pipe takes; answer what is left to write, which is nothing once nobody reads."""
        try:
            return question[os.write(self._stdin.fileno(), question) :]
        except BlockingIOError:
            return question
        except OSError:
            return b""

    def _read(self, number: int) -> bool:
        """Take what the program has written; tell whether more may come."""
        try:
            chunk = os.read(number, LONGEST_ANSWER)
        except BlockingIOError:
            return True
        except OSError:
            chunk = b""
        if number == self._stderr.fileno():
            self._complaint = (self._complaint + chunk)[-COMPLAINT:]
            return bool(chunk)
        self._answer += chunk
        self._ended = not chunk
        return bool(chunk)

    def _wait_for_end(self) -> None:
        """Give the program a moment to close its output; what it still says is dropped."""
        deadline = time.monotonic() + GRACE
        while not self._ended and time.monotonic() < deadline:
            self._answer = b""
            self._converse(b"", deadline)

    def _last_words(self) -> str:
        """Answer how the program ended, with the last line of its complaint."""
        with suppress(OSError):
            self._complaint += os.read(self._stderr.fileno(), COMPLAINT)
        self._finalizer()
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if code == -signal.SIGKILL:  # which may have been ours
            how = "was killed or closed its output"
        said = self._complaint.decode(errors="replace").strip().rpartition("\n")[2]
        return f"the program {how}" + (f": {shorten(said)}" if said else "")


def _quoted(raw: bytes) -> str:
    return shorten(raw.decode(errors="replace"))


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    """Signal the whole group; its number cannot be another's, since nobody has waited for the process yet."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    _signal(process, signal.SIGKILL)
    GUARD.release(process.pid)
    process.wait()
