"""Slots: fair access to workers. Clients take turns, and none holds more than one slot."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

client: ContextVar[str | None] = ContextVar("client", default=None)  # whose request this is, and the work it causes


class QueueFullError(Exception):
    """Too many are waiting for a slot."""


class FairSlots:
    """A limited number of slots. A client that waits is served after one task of each client before it.

    If too many wait in all, the client with the longest queue loses its newest place. So a client with a short queue
    finds room, whatever the others do.
    """

    def __init__(self, slots: int, *, max_waiting: int | None = None, max_waiting_each: int | None = None) -> None:
        self._free = slots
        self._max_waiting = max_waiting
        self._max_waiting_each = max_waiting_each
        self._holders: set[str] = set()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # the next client comes first

    @asynccontextmanager
    async def slot(self, client: str) -> AsyncIterator[None]:
        """Wait for a slot and hold it; raise QueueFullError if too many are waiting."""
        if self._free and client not in self._holders:
            self._grant(client)
        else:
            await self._wait(client)
        try:
            yield
        finally:
            self._release(client)

    def waiting(self, client: str) -> int:
        """Return how often the client is waiting for a slot."""
        return len(self._queues.get(client, ()))

    async def _wait(self, client: str) -> None:
        self._make_room(client)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._leave(client, place)
            elif place.exception() is None:  # the slot was granted just before
                self._release(client)
            raise

    def _make_room(self, client: str) -> None:
        own = self.waiting(client)
        if self._max_waiting_each is not None and own >= self._max_waiting_each:
            raise QueueFullError
        if self._max_waiting is not None and sum(map(len, self._queues.values())) >= self._max_waiting:
            longest = max(self._queues, key=self.waiting)
            if self.waiting(longest) <= own + 1:
                raise QueueFullError
            newest = self._queues[longest][-1]
            self._leave(longest, newest)
            if not newest.cancelled():
                newest.set_exception(QueueFullError())

    def _leave(self, client: str, place: "asyncio.Future[None]") -> None:
        queue = self._queues.get(client, deque())
        if place in queue:  # a place that is cancelled may have been passed over already
            queue.remove(place)
        if not queue:
            self._queues.pop(client, None)

    def _grant(self, client: str) -> None:
        self._holders.add(client)
        self._free -= 1

    def _release(self, client: str) -> None:
        """Take the slot back, and grant it to the next client in turn."""
        self._holders.remove(client)
        self._free += 1
        while self._free and (following := next((one for one in self._queues if one not in self._holders), None)):
            place = self._queues[following][0]
            self._leave(following, place)
            if place.cancelled():
                continue
            if following in self._queues:
                self._queues.move_to_end(following)
            self._grant(following)
            place.set_result(None)
