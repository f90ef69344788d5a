"""A simulated channel between processes, which loses, doubles, delays and reorders messages if it is told to."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from duelbook.web.live.channel import Receive
from tests.simulation.event_loop import VirtualLoop
from tests.simulation.faults import Faults, Kind

TIMEOUT_SECONDS = 5.0  # after which a lost connection is noticed, or an attempt to publish fails


class ChannelServer:
    """Where all processes publish and subscribe."""

    def __init__(self, loop: VirtualLoop, seed: object, faults: Faults) -> None:
        self.loop = loop
        self.random = random.Random(f"{seed} channel")
        self.faults = faults
        self.subscriptions: dict[int, tuple[int, asyncio.Queue[str | None]]] = {}
        self._count = 0

    def open(self, node: int) -> "SimulatedChannel":
        return SimulatedChannel(self, node)

    def subscribe(self, node: int) -> "tuple[int, asyncio.Queue[str | None]]":
        self._count += 1
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.subscriptions[self._count] = node, queue
        return self._count, queue

    def send(self, sender: int, message: str) -> None:
        """Deliver the message to every subscriber, each after a delay of its own."""
        for node, queue in self.subscriptions.values():
            for delay in self._delays(sender, node):
                self.loop.call_later(delay, self._deliver, node, queue, message, context=self.loop.world.context.copy())

    def _delays(self, *nodes: int) -> list[float]:
        delays = [0.0005 + 0.002 * self.random.random()]
        if any(self.faults.active(Kind.LOSSY_CHANNEL, node) for node in nodes):
            chance = self.random.random()
            delays[0] += 2 * self.random.random() ** 3
            if chance < 0.3:
                return []
            if chance > 0.8:
                delays.append(3 * self.random.random())
        return delays

    def _deliver(self, node: int, queue: "asyncio.Queue[str | None]", message: str) -> None:
        if not self.faults.active(Kind.CHANNEL_DOWN, node):
            queue.put_nowait(message)

    def disconnect(self, node: int | None) -> None:
        """Cut the subscriptions of a process, or of all."""
        for number, (subscriber, queue) in list(self.subscriptions.items()):
            if node in (None, subscriber):
                del self.subscriptions[number]
                queue.put_nowait(None)


class SimulatedChannel:
    """The channel as one process sees it."""

    def __init__(self, server: ChannelServer, node: int) -> None:
        self._server = server
        self._node = node

    async def publish(self, message: str) -> None:
        await self._reach()
        self._server.send(self._node, message)

    async def _reach(self) -> None:
        if self._server.faults.active(Kind.CHANNEL_DOWN, self._node):
            await asyncio.sleep(TIMEOUT_SECONDS * self._server.random.random())
            raise ConnectionError("the channel is down")
        await asyncio.sleep(0.0005)

    @asynccontextmanager
    async def subscribed(self) -> AsyncIterator[Receive]:
        await self._reach()
        number, queue = self._server.subscribe(self._node)

        async def receive() -> str:
            message = await queue.get()
            if message is None:
                raise ConnectionError("the channel was disconnected")
            return message

        try:
            yield receive
        finally:
            self._server.subscriptions.pop(number, None)

    async def close(self) -> None:
        pass
