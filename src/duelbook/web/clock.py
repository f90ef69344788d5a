"""The clock of the service: it stands still while the service is down, so nobody is charged for that."""

import time

from duelbook.match import Clock

BEAT = 1.0  # seconds between two notes of the uptime


class ServiceClock(Clock):
    """Counts the seconds that the service has been up in all, over restarts and processes."""

    def __init__(self) -> None:
        self._noted = 0.0
        self._at = time.monotonic()

    def seconds(self) -> float:
        """Answer the uptime; it never runs far ahead of what is noted in the database."""
        return self._noted + min(time.monotonic() - self._at, 2 * BEAT)

    def heard(self, seconds: float) -> None:
        """Catch up with another process; one that is far ahead belongs to another service."""
        if seconds <= self.seconds() + 2 * BEAT:
            self.noted(seconds)

    def noted(self, seconds: float) -> None:
        """Go on from what has been noted, by this process or by another that is ahead."""
        self._noted = max(seconds, self.seconds())
        self._at = time.monotonic()
