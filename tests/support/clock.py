"""A clock that a test sets."""

from datetime import UTC, datetime, timedelta

from duelbook.match import Clock


class ManualClock(Clock):
    """Stands still until a test sets it."""

    def __init__(self, time: float = 0.0) -> None:
        self.time = time

    def seconds(self) -> float:
        return self.time

    def now(self) -> datetime:
        return datetime(2026, 11, 15, 9, tzinfo=UTC) + timedelta(seconds=self.time)
