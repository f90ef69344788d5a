"""The relay between processes, through a channel that is slow or fails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from duelbook.web.live import relay
from duelbook.web.live.channel import Receive, RedisChannel
from duelbook.web.live.relay import Relay
from tests.support.service.backends import Redis
from tests.support.service.network import slow_link

MESSAGES = 500
FIRST = 10**9  # an uptime that no server has


async def heard(port: int) -> list[float]:
    """Send messages from one relay to another; return what arrived."""
    found: list[float] = []
    subscribed = asyncio.Event()

    async def on_connect() -> None:
        subscribed.set()

    async def on_change(*_: object) -> None: ...

    def relay(on_uptime: object) -> Relay:
        channel = RedisChannel(f"redis://127.0.0.1:{port}/0")
        return Relay(channel, on_change, on_connect, on_uptime, lambda *_: None)  # type: ignore[arg-type]

    def on_uptime(seconds: float | None) -> None:
        if seconds and seconds >= FIRST:  # others are from servers of other tests
            found.append(seconds - FIRST)

    one, two = relay(lambda _: None), relay(on_uptime)
    two.start()
    await subscribed.wait()
    one.start()
    for number in range(MESSAGES):
        one.send_uptime(FIRST + number)
    async with asyncio.timeout(20):
        while len(found) < MESSAGES:
            await asyncio.sleep(0.05)
    await one.close()
    await two.close()
    return found


def test_a_slow_redis_carries_all_messages_in_order(redis_server: Redis) -> None:
    with slow_link(redis_server.port, seconds=0.15) as port:
        assert asyncio.run(heard(port)) == list(range(MESSAGES))


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


def test_the_relay_goes_on_after_failures_that_nobody_expected(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(relay, "RECONNECT_SECONDS", 0.01)

    async def nothing(*_: object) -> None: ...

    async def run() -> list[float | None]:
        found: list[float | None] = []
        one = Relay(FailingChannel(), nothing, nothing, found.append, lambda *_: None)
        one.start()
        async with asyncio.timeout(10):
            while not found:
                one.send_uptime(7)
                await asyncio.sleep(0.01)
        await one.close()
        return found

    assert 7 in asyncio.run(run())
    assert {record.message for record in caplog.records} == {"cannot publish to Redis", "cannot receive from Redis"}
