"""The budget of a run: requests and tokens, counted across all its matches and all its processes."""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from duelbook.agents import StoppedError

SHARED_FILE = "DUELBOOK_LLM_SPENT"  # environment variable: the file in which the processes of a run count together


class BudgetSpentError(StoppedError):
    """The budget of the run is spent."""


class Budget:
    """Counts requests and tokens, and raises BudgetSpentError once a limit is reached. 0 means no limit."""

    def __init__(self, max_calls: int = 0, max_tokens: int = 0, shared_file: str | None = None) -> None:
        self.calls = 0
        self.tokens = 0
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._shared_file = shared_file

    def take_call(self) -> None:
        """Count a request before it is sent, or raise BudgetSpentError. Raise StoppedError after `stop_requests`."""
        if self._shared_file and _stop_file(self._shared_file).exists():
            raise StoppedError("The run is being stopped.")
        with self._counting():
            if self._max_calls and self.calls >= self._max_calls:
                raise BudgetSpentError(f"The limit of {self._max_calls:,} requests is reached.")
            if self._max_tokens and self.tokens >= self._max_tokens:
                raise BudgetSpentError(
                    f"The limit of {self._max_tokens:,} tokens is reached ({self.tokens:,} are spent)."
                )
            self.calls += 1

    def add_tokens(self, tokens: int) -> None:
        with self._counting():
            self.tokens += tokens

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Hold the counters exclusively, among the threads and the processes of the run."""
        with self._lock:
            if self._shared_file is None:
                yield
                return
            try:
                with _locked(self._shared_file) as file:
                    if counts := os.pread(file, 100, 0):
                        self.calls, self.tokens = map(int, counts.split())
                    yield
                    os.pwrite(file, b"%020d %020d" % (self.calls, self.tokens), 0)
            except OSError as error:
                raise StoppedError(f"The budget of the run cannot be counted: {error.strerror}.") from error


@contextmanager
def _locked(name: str) -> Iterator[int]:
    """Open and lock the file. The lock ends with the process that holds it."""
    import fcntl  # not on every system

    file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


@contextmanager
def shared_budget() -> Iterator[None]:
    """Let all processes that start within this context count together, from zero."""
    with tempfile.TemporaryDirectory(prefix="duelbook-llm-") as folder:
        os.environ[SHARED_FILE] = str(Path(folder) / "spent")
        try:
            yield
        finally:
            del os.environ[SHARED_FILE]


def stop_requests() -> None:
    """Let no process that counts within the present `shared_budget` send another request. Those under way go on."""
    _stop_file(os.environ[SHARED_FILE]).touch()


def _stop_file(shared_file: str) -> Path:
    return Path(f"{shared_file}.stop")
