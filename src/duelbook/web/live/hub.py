"""Live updates: whoever watches a match is sent its view after every change."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

WAITING = 8  # views that wait for a slow watcher; the oldest are dropped, since each view is whole


class Update(NamedTuple):
    version: int
    message: str


NOTHING = Update(0, "")  # what wakes a watcher who is to look for something else


@dataclass(eq=False)
class Watcher:
    """Who watches: the updates that wait for them, and the seats whose players are there."""

    updates: "asyncio.Queue[Update]" = field(default_factory=lambda: asyncio.Queue(WAITING))
    present: int = 0


class Hub:
    """Who watches what in this process."""

    def __init__(self) -> None:
        self._watchers: dict[str, set[Watcher]] = {}
        self._sent: dict[str, int] = {}

    @contextmanager
    def watching(self, match: str) -> Iterator[Watcher]:
        """Answer a watcher, who gets the updates from now on."""
        watcher = Watcher()
        self._watchers.setdefault(match, set()).add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[match].discard(watcher)
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
        for watcher in self._watchers[match]:
            queue = watcher.updates
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(update)

    def attend(self, match: str, seats: int) -> None:
        """Let every watcher know whose players are there now; the last that they are told is what counts."""
        for watcher in self._watchers.get(match, ()):
            watcher.present = seats
            if watcher.updates.empty():  # or they wake up anyway
                watcher.updates.put_nowait(NOTHING)
