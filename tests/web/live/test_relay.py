"""The relay between processes, through a Redis server that is slow."""

import asyncio

from duelbook.web.live.channel import RedisChannel
from duelbook.web.live.relay import Relay
from tests.support.service.backends import Redis
from tests.support.service.network import slow_link

MESSAGES = 500


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

    one, two = relay(lambda _: None), relay(found.append)
    two.start()
    await subscribed.wait()
    one.start()
    for number in range(MESSAGES):
        one.send_uptime(number)
    async with asyncio.timeout(20):
        while len(found) < MESSAGES:
            await asyncio.sleep(0.05)
    await one.close()
    await two.close()
    return found


def test_a_slow_redis_carries_all_messages_in_order(redis_server: Redis) -> None:
    with slow_link(redis_server.port, seconds=0.15) as port:
        assert asyncio.run(heard(port)) == list(range(MESSAGES))
