"""Whether the store can write, as far as its last writes tell."""

import asyncio

from duelbook.web.db.errors import StoreUnavailableError

HOLD_SECONDS = 10.0  # for which a change that failed counts, unless a later one succeeds


class WriteHealth:
    """Why the last write failed. Besides changes there is a write every second: the record of the uptime."""

    def __init__(self) -> None:
        self.problem: StoreUnavailableError | None = None
        self._until = 0.0

    def changes_written(self) -> None:
        self.problem = None

    def changes_failed(self, error: StoreUnavailableError) -> None:
        self.problem, self._until = error, asyncio.get_running_loop().time() + HOLD_SECONDS

    def uptime_recorded(self) -> None:
        """Forget a failure of some time ago: a change may need more space than the uptime."""
        if asyncio.get_running_loop().time() >= self._until:
            self.problem = None

    def uptime_failed(self, error: StoreUnavailableError) -> None:
        self.problem = error
