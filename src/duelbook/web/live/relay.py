"""The relay: processes exchange through Redis which matches changed, the uptime, who is present, and counted requests.

Messages may get lost. A resync when the connection is back, and the regular resync, make up for them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from redis.asyncio import Redis
from redis.exceptions import RedisError

from duelbook.web.match.served_match import ServedMatch
from duelbook.web.tasks import cancel_all

CHANNEL = "duelbook:changes"
UPTIME, PRESENCE, COUNTS = "uptime", "presence", "counts"  # the first words of messages that are not about a change
MAX_QUEUED_MESSAGES = 10_000  # to be sent; the oldest are dropped
RECONNECT_SECONDS = 1.0  # before a lost connection is tried again
CONNECT_SECONDS = 2.0
SILENCE_SECONDS = 5.0  # without an answer after which a connection counts as lost

log = logging.getLogger("duelbook.web")


class Relay:
    """Sends and receives the messages between processes, off the path of answers."""

    def __init__(
        self,
        url: str,
        on_change: Callable[[str, int], Awaitable[None]],
        on_connect: Callable[[], Awaitable[None]],
        on_uptime: Callable[[float], None],
        on_presence: Callable[[str, list[str]], None],
    ) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=SILENCE_SECONDS)
        self._on_change = on_change
        self._on_connect = on_connect
        self._on_uptime = on_uptime
        self._on_presence = on_presence
        self.on_counts: Callable[[str], None] | None = None
        self._queue: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._receive())]

    async def close(self) -> None:
        await cancel_all(self._tasks)
        with suppress(RedisError, OSError):
            await self._redis.aclose()

    def send_change(self, served: ServedMatch) -> None:
        """Tell the other processes of a change; a listener of the registry."""
        self._put(f"{served.row.id} {served.row.version} {served.row.ply}")

    def send_uptime(self, seconds: float) -> None:
        """Tell the other processes the uptime that was stored, so that all measure turns by one clock."""
        self._put(f"{UPTIME} {seconds}")

    def send_presence(self, words: str) -> None:
        """Tell the other processes who is present."""
        self._put(f"{PRESENCE} {words}")

    def send_counts(self, message: str) -> None:
        """Tell the other processes how many requests of which clients this one has counted."""
        self._put(f"{COUNTS} {message}")

    def _put(self, message: str) -> None:
        if self._queue.full():
            self._queue.get_nowait()
        self._queue.put_nowait(message)

    async def _send(self) -> None:
        while True:
            message = await self._queue.get()
            try:
                await self._redis.publish(CHANNEL, message)
            except (RedisError, OSError) as error:
                log.warning("cannot publish to Redis", extra={"why": str(error)})
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _receive(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    await self._on_connect()  # to catch up with what was missed
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=SILENCE_SECONDS / 2)
                        if message is None:
                            await pubsub.ping()
                        elif message["type"] == "message":
                            await self._take(message["data"])
            except (RedisError, OSError) as error:
                log.warning("cannot receive from Redis", extra={"why": str(error)})
            except Exception:
                log.exception("a message from Redis could not be processed")
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _take(self, data: bytes) -> None:
        match data.decode().split(" "):
            case [str(first), seconds] if first == UPTIME:
                self._on_uptime(float(seconds))
            case [str(first), process, *words] if first == PRESENCE:
                self._on_presence(process, words)
            case [str(first), *words] if first == COUNTS:
                if self.on_counts:
                    self.on_counts(" ".join(words))
            case [match, version, _]:
                await self._on_change(match, int(version))
