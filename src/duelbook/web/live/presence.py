"""Presence: which players of a match have its live socket open, in this process or in another.

Seats are told as a number: 1 is the first, 2 the second, 3 both.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from duelbook.game import Player

LINGER = 2.0  # seconds for which who has left counts as there: a page that is loaded again is back by then
SILENCE = 5.0  # seconds after which a process that says nothing is gone, and all who were there with it
ALL, ASK = "=", "?"  # what follows is all there is with a process; a process asks the others for that


class Presence:
    """Counts open sockets by seat, tells watchers what changes, and tells other processes and hears from them."""

    def __init__(self, watchers: Callable[[str, int], None], others: Callable[[str], None]) -> None:
        self._watchers = watchers
        self._others = others
        self._own = secrets.token_hex(4)
        self._open: dict[str, list[int]] = {}
        self._elsewhere: dict[str, dict[str, int]] = {}  # by process and match
        self._heard: dict[str, float] = {}

    @contextmanager
    def there(self, match: str, seat: Player | None) -> Iterator[None]:
        """Count a socket while it is open, and a little longer; who only watches is not counted."""
        if seat is None:
            yield
            return
        self._count(match, seat, 1)
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(LINGER, self._count, match, seat, -1)

    def seats(self, match: str) -> int:
        """Answer the seats whose players are there."""
        found = self._here(match)
        for known in self._elsewhere.values():
            found |= known.get(match, 0)
        return found

    def seats_with(self, match: str, seat: Player | None) -> int:
        """Answer the seats whose players are there once this one is."""
        return self.seats(match) | (0 if seat is None else 1 << seat)

    def _here(self, match: str) -> int:
        first, second = self._open.get(match, (0, 0))
        return bool(first) + 2 * bool(second)

    def _count(self, match: str, seat: Player, change: int) -> None:
        before = self._here(match)
        with self._changing(match):
            counts = self._open.setdefault(match, [0, 0])
            counts[seat] += change
            if not any(counts):
                del self._open[match]
        if self._here(match) != before:
            self._say(match, str(self._here(match)))

    @contextmanager
    def _changing(self, match: str) -> Iterator[None]:
        before = self.seats(match)
        yield
        if self.seats(match) != before:
            self._watchers(match, self.seats(match))

    # What processes tell each other. All of it may get lost: then it is put right by who asks, or by silence.

    def _say(self, *words: str) -> None:
        self._others(" ".join([self._own, *words]))

    def join(self) -> None:
        """Tell the others all there is here, and ask them for the same; what was said before may be lost."""
        self._say_all()
        self._say(ASK)

    def _say_all(self) -> None:
        self._say(ALL, *(word for match in self._open for word in (match, str(self._here(match)))))

    async def beat(self) -> None:
        """Tell the others that this process is there, and forget those who are silent."""
        self._say()
        for process, heard in list(self._heard.items()):
            if time.monotonic() - heard > SILENCE:
                self._replace(process, {})
                del self._heard[process]
                self._elsewhere.pop(process, None)

    def hear(self, process: str, words: list[str]) -> None:
        """Take note of what a process says; one that is not known is asked for all."""
        if process == self._own:
            return
        known = process in self._heard
        self._heard[process] = time.monotonic()
        match words:
            case [word] if word == ASK:
                self._say_all()
            case [word, *pairs] if word == ALL:
                self._replace(process, dict(zip(pairs[::2], map(int, pairs[1::2]), strict=True)))
                return
            case [match, seats]:
                self._note(process, match, int(seats))
        if not known:
            self._say(ASK)

    def _replace(self, process: str, seats: dict[str, int]) -> None:
        """Know these seats of a process, and no others."""
        for match in {*seats, *self._elsewhere.get(process, {})}:
            self._note(process, match, seats.get(match, 0))

    def _note(self, process: str, match: str, seats: int) -> None:
        with self._changing(match):
            known = self._elsewhere.setdefault(process, {})
            known[match] = seats
            if not seats:
                del known[match]
