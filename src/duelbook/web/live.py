"""Live updates: whoever watches a match is sent its view after every change."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

WAITING = 8  # views that wait for a slow watcher; the oldest are dropped, since each view is whole


class Update(NamedTuple):
    version: int
    message: str


class Hub:
    """Who watches what in this process."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[asyncio.Queue[Update]]] = {}
        self._sent: dict[str, int] = {}

    @contextmanager
    def watching(self, match: str) -> Iterator["asyncio.Queue[Update]"]:
        """Answer a queue of the updates from now on."""
        queue: asyncio.Queue[Update] = asyncio.Queue(WAITING)
        self._watchers.setdefault(match, set()).add(queue)
        try:
            yield queue
        finally:
            self._watchers[match].discard(queue)
            if not self._watchers[match]:
                del self._watchers[match]
                self._sent.pop(match, None)

    def is_watched(self, match: str) -> bool:
        return match in self._watchers

    def watched(self) -> dict[str, int]:
        """Answer the matches that are watched, with the version that was sent last."""
        return {match: self._sent.get(match, 0) for match in self._watchers}

    def publish(self, match: str, update: Update) -> None:
        """Hand the update to every watcher; never waits."""
        if match not in self._watchers or update.version <= self._sent.get(match, 0):
            return
        self._sent[match] = update.version
        for queue in self._watchers[match]:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(update)
