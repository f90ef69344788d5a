"""Presence: which players of a match have its live socket open, in this process or in another.

The seats of a match are a bit mask: 1 is the first, 2 the second, 3 both.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from duelbook.game import Player
from duelbook.web.match.tokens import new_id

LINGER_SECONDS = 2.0  # for which a player who left still counts as present: a page that is reloaded is back by then
SILENCE_SECONDS = 5.0  # after which a process that sends nothing counts as gone, with all its sockets
ALL, REQUEST = "=", "?"  # what follows is the whole state of a process; a request to send it


class Presence:
    """Counts open sockets by seat, and exchanges the result with the other processes."""

    def __init__(self, publish: Callable[[str, int], None], send: Callable[[str], None]) -> None:
        self._publish = publish  # tells the watchers in this process
        self._send_message = send  # to the other processes
        self._process = new_id()
        self._open: dict[str, list[int]] = {}  # sockets by match and seat
        self._remote: dict[str, dict[str, int]] = {}  # seats by process and match
        self._heard: dict[str, float] = {}  # when each process last sent something
        self._changes = 0  # of this process so far; every message has their number
        self._known_changes: dict[str, int] = {}  # the same of the other processes

    @contextmanager
    def joined(self, match: str, seat: Player | None) -> Iterator[None]:
        """Count a socket while it is open, and a little longer. Spectators are not counted."""
        if seat is None:
            yield
            return
        self._count(match, seat, 1)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._count, match, seat, -1)

    def seats(self, match: str) -> int:
        """Return the seats whose players are present."""
        found = self._local(match)
        for seats in self._remote.values():
            found |= seats.get(match, 0)
        return found

    def seats_here(self, match: str) -> int:
        """Return the seats whose players have a socket in this process."""
        return self._local(match)

    def matches(self) -> dict[str, int]:
        """Return the seats whose players are present, of every match that has any."""
        found = {match: self._local(match) for match in self._open}
        for remote in self._remote.values():
            for match, seats in remote.items():
                found[match] = found.get(match, 0) | seats
        return found

    def seats_with(self, match: str, seat: Player | None) -> int:
        """Return the seats whose players are present once this one has joined."""
        return self.seats(match) | (0 if seat is None else 1 << seat)

    def _local(self, match: str) -> int:
        first, second = self._open.get(match, (0, 0))
        return bool(first) + 2 * bool(second)

    def _count(self, match: str, seat: Player, change: int) -> None:
        before = self._local(match)
        with self._publishing_changes(match):
            counts = self._open.setdefault(match, [0, 0])
            counts[seat] += change
            if not any(counts):
                del self._open[match]
        if self._local(match) != before:
            self._changes += 1
            self._send(match, str(self._local(match)))

    @contextmanager
    def _publishing_changes(self, match: str) -> Iterator[None]:
        before = self.seats(match)
        yield
        if self.seats(match) != before:
            self._publish(match, self.seats(match))

    # Messages between processes. Any of them may get lost, come twice or out of order: their numbers tell.

    def _send(self, *words: str) -> None:
        self._send_message(" ".join([self._process, str(self._changes), *words]))

    def synchronize(self) -> None:
        """Send the whole state of this process, and request that of the others: earlier messages may be lost."""
        self._send_all()
        self._send(REQUEST)

    def _send_all(self) -> None:
        self._send(ALL, *(word for match in self._open for word in (match, str(self._local(match)))))

    async def send_heartbeat(self) -> None:
        """Tell the other processes that this one is alive, and forget those that are silent."""
        self._send()
        for process, heard in list(self._heard.items()):
            if asyncio.get_running_loop().time() - heard > SILENCE_SECONDS:
                self._replace(process, {})
                del self._heard[process]
                self._known_changes.pop(process, None)
                self._remote.pop(process, None)

    def receive(self, process: str, words: list[str]) -> None:
        """Take a message of a process. A process of which something is missing is asked for its whole state."""
        if process == self._process:
            return
        self._heard[process] = asyncio.get_running_loop().time()
        changes, known = int(words[0]), self._known_changes.get(process, -1)
        match words[1:]:
            case [word] if word == REQUEST:
                self._send_all()
            case [word, *pairs] if word == ALL:
                if changes >= known:
                    self._replace(process, dict(zip(pairs[::2], map(int, pairs[1::2]), strict=True)))
                    self._known_changes[process] = changes
                return
            case [match, seats] if changes == known + 1 and known >= 0:
                self._set(process, match, int(seats))
                self._known_changes[process] = changes
                return
        if changes > known:
            self._send(REQUEST)

    def _replace(self, process: str, seats: dict[str, int]) -> None:
        """Replace everything that is known of a process."""
        for match in {**seats, **self._remote.get(process, {})}:
            self._set(process, match, seats.get(match, 0))

    def _set(self, process: str, match: str, seats: int) -> None:
        with self._publishing_changes(match):
            known = self._remote.setdefault(process, {})
            known[match] = seats
            if not seats:
                del known[match]
