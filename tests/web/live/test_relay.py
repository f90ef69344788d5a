"""The relay between processes, through a channel that is slow or fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from duelbook.web.live.channel import Receive
from duelbook.web.live.relay import Relay
from tests.simulation.event_loop import run_in_virtual_time


class FailingChannel:
    """A channel whose first messages cannot be published or read, for a reason that nobody expected."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.failures = 0

    async def publish(self, message: str) -> None:
        self.messages.put_nowait(message)
        if self.messages.qsize() == 1 and not self.failures:
            raise ValueError("no")

    @asynccontextmanager
    async def subscribed(self) -> AsyncIterator[Receive]:
        async def receive() -> str:
            message = await self.messages.get()
            if not self.failures:
                self.failures += 1
                return b"\xff".decode()
            return message

        yield receive

    async def close(self) -> None: ...


def test_the_relay_goes_on_after_failures_that_nobody_expected(caplog: pytest.LogCaptureFixture) -> None:
    async def nothing(*_: object) -> None: ...

    async def run() -> list[float | None]:
        found: list[float | None] = []
        one = Relay(FailingChannel(), nothing, nothing, found.append, lambda *_: None)
        one.start()
        while not found:
            one.send_uptime(7)
            await asyncio.sleep(1)
        await one.close()
        return found

    assert 7 in run_in_virtual_time(run())
    assert {record.message for record in caplog.records} == {"cannot publish to Redis", "cannot receive from Redis"}
