"""What a run may spend: requests and tokens, counted across all its matches."""

import threading

from duelbook.agents.forfeit import StoppedError


class SpentError(StoppedError):
    """What a run may spend is spent."""


class Spending:
    """Counts what is spent, and refuses the request that would begin beyond a limit; 0 is no limit."""

    def __init__(self, max_calls: int = 0, max_tokens: int = 0) -> None:
        self.calls = 0
        self.tokens = 0
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._lock = threading.Lock()

    def take_call(self) -> None:
        """Count a request before it is sent."""
        with self._lock:
            if self._max_calls and self.calls >= self._max_calls:
                raise SpentError(f"the limit of {self._max_calls:,} requests is reached")
            if self._max_tokens and self.tokens >= self._max_tokens:
                raise SpentError(f"the limit of {self._max_tokens:,} tokens is reached: {self.tokens:,} are spent")
            self.calls += 1

    def add_tokens(self, tokens: int) -> None:
        with self._lock:
            self.tokens += tokens
