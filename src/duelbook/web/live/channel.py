"""The channel between processes: what one publishes reaches all that are subscribed, at most once."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Protocol

Receive = Callable[[], Awaitable[str]]  # waits for the next message; raises OSError if the connection is lost

CHANNEL = "duelbook:changes"
CONNECT_SECONDS = 2.0
SILENCE_SECONDS = 5.0  # without an answer after which a connection counts as lost


class Channel(Protocol):
    """A channel that all processes of the service share. Its errors are OSErrors."""

    async def publish(self, message: str) -> None: ...

    def subscribed(self) -> AbstractAsyncContextManager[Receive]:
        """Subscribe; messages that are published from then on can be received."""

    async def close(self) -> None: ...


class RedisChannel:
    """The channel in a Redis server."""

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis  # most services do not need it

        self._redis = Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=SILENCE_SECONDS)

    async def publish(self, message: str) -> None:
        with _connection_errors():
            await self._redis.publish(CHANNEL, message)

    @asynccontextmanager
    async def subscribed(self) -> AsyncIterator[Receive]:
        with _connection_errors():
            async with self._redis.pubsub() as pubsub:
                await pubsub.subscribe(CHANNEL)

                async def receive() -> str:
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=SILENCE_SECONDS / 2)
                        if message is None:
                            await pubsub.ping()
                        elif message["type"] == "message":
                            text: str = message["data"].decode()
                            return text

                yield receive

    async def close(self) -> None:
        with suppress(OSError), _connection_errors():
            await self._redis.aclose()


@contextmanager
def _connection_errors() -> Iterator[None]:
    """Turn errors of Redis into OSErrors."""
    from redis.exceptions import RedisError

    try:
        yield
    except RedisError as error:
        raise ConnectionError(str(error)) from error
