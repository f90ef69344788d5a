"""The hub: which sockets of this process watch which match, and the updates that they are sent."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_QUEUED_UPDATES = 8  # for a slow watcher; the oldest are dropped, since each view is complete


class Update(NamedTuple):
    """A version of a match, and its view as a socket message."""

    version: int
    message: bytes


def ignore() -> None:
    """Do nothing: nobody is to be notified."""


@dataclass(eq=False, slots=True)
class Watcher:
    """The updates that wait for one socket, and the seats whose players are present (as a bit mask)."""

    updates: deque[Update] = field(default_factory=lambda: deque(maxlen=MAX_QUEUED_UPDATES))
    present: int = 0
    notice: Callable[[], None] = ignore  # called when there is something new; it must not wait


class Hub:
    """The watchers of every match in this process."""

    def __init__(self) -> None:
        self._watchers: dict[str, dict[Watcher, None]] = {}  # in the order in which they came
        self._published: dict[str, int] = {}  # the latest version, by match

    @contextmanager
    def watching(self, match: str) -> Iterator[Watcher]:
        """Add a watcher, who gets the updates from now on."""
        watcher = Watcher()
        self._watchers.setdefault(match, {})[watcher] = None
        try:
            yield watcher
        finally:
            self._watchers[match].pop(watcher, None)
            if not self._watchers[match]:
                del self._watchers[match]
                self._published.pop(match, None)

    def is_watched(self, match: str) -> bool:
        return match in self._watchers

    def watched(self) -> dict[str, int]:
        """Return the matches that are watched, with the latest version that was published."""
        return {match: self._published.get(match, 0) for match in self._watchers}

    def publish(self, match: str, update: Update) -> None:
        """Give the update to every watcher. Never waits."""
        if match not in self._watchers or update.version <= self._published.get(match, 0):
            return
        self._published[match] = update.version
        for watcher in self._watchers[match]:
            watcher.updates.append(update)
            watcher.notice()

    def publish_presence(self, match: str, present: int) -> None:
        """Notify every watcher which players are present now; only the latest state counts."""
        for watcher in self._watchers.get(match, ()):
            watcher.present = present
            watcher.notice()
