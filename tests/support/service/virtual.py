"""Real services in virtual time: a test of clocks, presence or retries waits for minutes in no time.

The database, the channel and the workers are those of the simulation, here without faults.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from duelbook.web.schemas.matches import Join, NewMatch, SeatedView
from duelbook.web.service import Service
from tests.simulation.cluster import SETTINGS, Cluster, Node
from tests.simulation.event_loop import VirtualLoop

T = TypeVar("T")


class VirtualProcess:
    """A process of the service, which a test can crash and start again."""

    def __init__(self, node: Node) -> None:
        self._node = node

    @property
    def service(self) -> Service:
        assert self._node.application, "it is down"
        return self._node.application.service

    def crash(self) -> None:
        self._node.crash()

    async def start(self) -> None:
        self._node.start()
        while self._node.application is None:
            await asyncio.sleep(0.01)

    async def do(self, work: Awaitable[T]) -> T:
        """Do some work in the process: a crash ends what it has begun."""

        async def wait() -> T:
            return await work

        assert self._node.process
        return await self._node.process.spawn(wait())

    async def new_pair(self, game: str = "crystal-capture", **request: Any) -> tuple[SeatedView, SeatedView]:
        """Create a match of two people; return both seats, the one that moves first before the other."""
        first = await self.new_match(game, **request)
        return first, await self.do(self.service.lobby.join(first.id, Join()))

    async def new_match(self, game: str = "crystal-capture", opponent: str = "friend", **request: Any) -> SeatedView:
        new = NewMatch(**{"game": game, "opponent": opponent, "seat": "first", **request})
        return await self.do(self.service.lobby.create(new))


def in_virtual_time(work: Callable[..., Awaitable[None]], processes: int = 1, **settings: Any) -> None:
    """Do the work with that many processes of one service."""

    async def run() -> None:
        started = [VirtualProcess(node) for node in cluster.nodes]
        for process in started:
            await process.start()
        await work(*started)

    loop = VirtualLoop(seed=0)  # type: ignore[abstract]  # what the service never uses is left out
    cluster = Cluster(loop, 0, processes)
    cluster.settings = replace(SETTINGS, **settings)
    loop.run(run())
    assert not loop.unhandled, loop.unhandled
