"""The relay: processes tell each other through Redis that a match has changed, how late it is, and who is there.

What it loses, a resync finds, and the note in the database.
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
UPTIME, PRESENCE = "uptime", "presence"  # the first words of messages that are about no change
WAITING = 10_000  # changes that wait to be told; the oldest are dropped
PAUSE = 1.0  # seconds before a lost connection is tried again
SILENCE = 5.0  # seconds without an answer after which a connection counts as lost

log = logging.getLogger("duelbook.web")


class Relay:
    def __init__(
        self,
        url: str,
        changed: Callable[[str, int], Awaitable[None]],
        resync: Callable[[], Awaitable[None]],
        late: Callable[[float], None],
        present: Callable[[str, list[str]], None],
    ) -> None:
        self._redis = Redis.from_url(url, socket_connect_timeout=2, socket_timeout=SILENCE)
        self._changed = changed
        self._resync = resync
        self._late = late
        self._present = present
        self._waiting: asyncio.Queue[str] = asyncio.Queue(WAITING)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._listen())]

    async def close(self) -> None:
        await cancel_all(self._tasks)
        with suppress(RedisError, OSError):
            await self._redis.aclose()

    def notice(self, served: ServedMatch) -> None:
        """Tell the others, later and off the answer's path; a listener of matches."""
        self._put(f"{served.row.id} {served.row.version} {served.row.ply}")

    def beat(self, seconds: float) -> None:
        """Tell the others an uptime that has been noted, or each would count turns by a clock of its own."""
        self._put(f"{UPTIME} {seconds}")

    def attend(self, words: str) -> None:
        """Tell the others who is there."""
        self._put(f"{PRESENCE} {words}")

    def _put(self, message: str) -> None:
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(message)

    async def _tell(self) -> None:
        while True:
            message = await self._waiting.get()
            try:
                await self._redis.publish(CHANNEL, message)
            except (RedisError, OSError) as error:
                log.warning("Redis cannot be told of a change", extra={"why": str(error)})
                await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(CHANNEL)
                    await self._resync()  # what was missed while nobody listened
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=SILENCE / 2)
                        if message is None:
                            await pubsub.ping()
                        elif message["type"] == "message":
                            await self._hear(message["data"])
            except (RedisError, OSError) as error:
                log.warning("Redis cannot be heard", extra={"why": str(error)})
            except Exception:
                log.exception("what Redis said could not be used")
            await asyncio.sleep(PAUSE)

    async def _hear(self, data: bytes) -> None:
        match data.decode().split(" "):
            case [str(first), seconds] if first == UPTIME:
                self._late(float(seconds))
            case [str(first), process, *words] if first == PRESENCE:
                self._present(process, words)
            case [match, version, _]:
                await self._changed(match, int(version))
