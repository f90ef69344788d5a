"""What a run may spend: requests and tokens, counted across all its matches and all its processes."""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duelbook.agents import StoppedError

SHARED = "DUELBOOK_LLM_SPENT"  # the environment variable that tells workers the file in which they count together


class SpentError(StoppedError):
    """What a run may spend is spent."""


class Spending:
    """Counts what is spent, and refuses the request that would begin beyond a limit; 0 is no limit."""

    def __init__(self, max_calls: int = 0, max_tokens: int = 0, shared: str | None = None) -> None:
        self.calls = 0
        self.tokens = 0
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._shared = shared

    def take_call(self) -> None:
        """Count a request before it is sent."""
        with self._counting():
            if self._max_calls and self.calls >= self._max_calls:
                raise SpentError(f"the limit of {self._max_calls:,} requests is reached")
            if self._max_tokens and self.tokens >= self._max_tokens:
                raise SpentError(f"the limit of {self._max_tokens:,} tokens is reached: {self.tokens:,} are spent")
            self.calls += 1

    def add_tokens(self, tokens: int) -> None:
        with self._counting():
            self.tokens += tokens

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Let nobody else count meanwhile, here or in another process of the run."""
        with self._lock:
            if self._shared is None:
                yield
                return
            try:
                with _locked(self._shared) as file:
                    if told := os.pread(file, 100, 0):
                        self.calls, self.tokens = map(int, told.split())
                    yield
                    os.pwrite(file, b"%020d %020d" % (self.calls, self.tokens), 0)
            except OSError as error:
                raise StoppedError(f"what the run has spent cannot be counted: {error.strerror}") from error


@contextmanager
def _locked(name: str) -> Iterator[int]:
    """Answer the file, open and locked; a process that dies lets go of it."""
    import fcntl  # which not every system has

    file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


@contextmanager
def spending_together() -> Iterator[None]:
    """Have all processes that are started meanwhile count together, from nothing on."""
    with tempfile.TemporaryDirectory(prefix="duelbook-llm-") as folder:
        os.environ[SHARED] = str(Path(folder) / "spent")
        try:
            yield
        finally:
            del os.environ[SHARED]
