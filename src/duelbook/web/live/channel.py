"""The channel between processes: what one publishes reaches all that are subscribed, at most once."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from duelbook.web.tasks import cancel_all

if TYPE_CHECKING:
    from redis.asyncio.connection import AbstractConnection

Receive = Callable[[], Awaitable[str]]  # waits for the next message; raises OSError if the connection is lost

CHANNEL = "duelbook:changes"
CONNECT_SECONDS = 2.0
MAX_UNANSWERED_MESSAGES = 100
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
        self._publisher: Publisher | None = None

    async def publish(self, message: str) -> None:
        """Send the message. What a lost connection has left unanswered is sent again, once, on a new one."""
        with _connection_errors():
            publisher = self._publisher
            if publisher is None or publisher.is_lost:
                self._publisher = None
                unanswered = publisher.take_unanswered() if publisher else []
                connection = self._redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
                await connection.connect()
                publisher = self._publisher = Publisher(connection)
                for earlier in unanswered:
                    await publisher.send(earlier)
            await publisher.send(message)

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
            if self._publisher:
                await self._publisher.close()
            await self._redis.aclose()


class Publisher:
    """A connection on which messages are sent without waiting for the answers to those before.

    So a slow Redis delays every message once, and not once more for each message before it.
    """

    def __init__(self, connection: "AbstractConnection") -> None:
        self._connection = connection
        self._unanswered: deque[str] = deque()
        self.is_lost = False
        self._sent, self._answered = asyncio.Event(), asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    def take_unanswered(self) -> list[str]:
        """Return what may not have arrived; raise the error if Redis has refused a message."""
        if self._reading.done() and not self._reading.cancelled():
            self._reading.result()
        return [*self._unanswered]

    async def send(self, message: str) -> None:
        """Send the message as soon as not too many are unanswered. If the connection is lost, it is sent later."""
        while len(self._unanswered) >= MAX_UNANSWERED_MESSAGES and not self.is_lost:
            self._answered.clear()
            await self._answered.wait()
        self._unanswered.append(message)
        self._sent.set()
        if self.is_lost:  # sending would open the connection again
            return
        try:
            await self._connection.send_command("PUBLISH", CHANNEL, message)
        except Exception as error:
            if self.is_lost:  # meanwhile: the library may raise anything
                raise ConnectionError("The connection to Redis is lost.") from error
            await self.close()
            raise

    async def _read(self) -> None:
        """Read the answers until the connection is lost; raise the error if Redis refuses a message."""
        from redis import exceptions

        try:
            while True:
                await self._sent.wait()
                while self._unanswered:
                    await self._connection.read_response()
                    self._unanswered.popleft()
                    self._answered.set()
                self._sent.clear()
        except (exceptions.ConnectionError, exceptions.TimeoutError):
            pass
        finally:
            self.is_lost = True
            self._answered.set()
            await self._connection.disconnect(nowait=True)

    async def close(self) -> None:
        await cancel_all([self._reading])


@contextmanager
def _connection_errors() -> Iterator[None]:
    """Turn errors of Redis into OSErrors."""
    from redis.exceptions import RedisError

    try:
        yield
    except RedisError as error:
        raise ConnectionError(str(error)) from error
