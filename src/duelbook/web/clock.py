"""The clock of the service. It stands still while the service is down, so no player is charged for that."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from duelbook.match import Clock

UPTIME_SECONDS = 1.0  # between two records of the uptime


def utc_now() -> datetime:
    return datetime.now(UTC)


class ServiceClock(Clock):
    """Counts the seconds that the service has been up in total, over restarts and processes."""

    def __init__(self, now: Callable[[], datetime] = utc_now) -> None:
        self._now = now
        self._recorded = 0.0
        self._recorded_at: float | None = None  # by the event loop

    def seconds(self) -> float:
        """Return the uptime. It never runs far ahead of the uptime that the database has recorded."""
        if self._recorded_at is None:
            return self._recorded
        return self._recorded + min(asyncio.get_running_loop().time() - self._recorded_at, 2 * UPTIME_SECONDS)

    def now(self) -> datetime:
        """Return the time of day."""
        return self._now()

    def catch_up(self, seconds: float) -> None:
        """Take over the uptime of another process. One that is far ahead belongs to another service."""
        if seconds <= self.seconds() + 2 * UPTIME_SECONDS:
            self.set(seconds)

    def set(self, seconds: float) -> None:
        """Continue from an uptime that was recorded, unless this clock is ahead of it."""
        self._recorded = max(seconds, self.seconds())
        self._recorded_at = asyncio.get_running_loop().time()
