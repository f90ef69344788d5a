"""The relay: processes tell each other which matches changed, the uptime, who is present, and counted requests.

Messages may get lost. A resync when the connection is back, and the regular resync, make up for them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.live.channel import Channel
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem
from duelbook.web.tasks import cancel_all

UPTIME, PRESENCE, COUNTS = "uptime", "presence", "counts"  # the first words of messages that are not about a change
REQUEST = "?"  # in place of an uptime
MAX_QUEUED_MESSAGES = 10_000  # to be sent, or to be acted on; the oldest are dropped
MAX_SENT_TOGETHER = 100  # messages in one of the channel's
RECONNECT_SECONDS = 1.0  # before a lost connection is tried again
JOBS = 100  # received messages that are acted on at the same time: their matches are read in one transaction

log = logging.getLogger("duelbook.web")

Job = Callable[[], Awaitable[None]]
T = TypeVar("T")


class Relay:
    """Sends and receives the messages between processes, off the path of answers."""

    def __init__(
        self,
        channel: Channel,
        on_change: Callable[[str, int], Awaitable[None]],
        on_connect: Callable[[], Awaitable[None]],
        on_uptime: Callable[[float | None], None],  # None if another process asks for it
        on_presence: Callable[[str, list[str]], None],
    ) -> None:
        self.subscribed = False
        self._channel = channel
        self._on_change = on_change
        self._on_connect = on_connect
        self._on_uptime = on_uptime
        self._on_presence = on_presence
        self.on_counts: Callable[[str], None] | None = None
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._jobs: asyncio.Queue[Job] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def waiting(self) -> int:
        """How many messages wait to be sent or acted on."""
        return self._outgoing.qsize() + self._jobs.qsize()

    def start(self) -> None:
        work = [self._send(), self._receive(), *(self._work() for _ in range(JOBS))]
        self._tasks = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        await cancel_all(self._tasks)
        await self._channel.close()

    def send_change(self, served: ServedMatch) -> None:
        """Tell the other processes of a change; a listener of the registry."""
        _put(self._outgoing, f"{served.row.id} {served.row.version} {served.row.ply}")

    def send_uptime(self, seconds: float) -> None:
        """Tell the other processes the uptime, so that all measure turns by one clock."""
        _put(self._outgoing, f"{UPTIME} {seconds}")

    def request_uptime(self) -> None:
        """Ask the other processes for the uptime: the one in the store may be a second old."""
        _put(self._outgoing, f"{UPTIME} {REQUEST}")

    def send_presence(self, words: str) -> None:
        """Tell the other processes who is present."""
        _put(self._outgoing, f"{PRESENCE} {words}")

    def send_counts(self, message: str) -> None:
        """Tell the other processes how many requests of which clients this one has counted."""
        _put(self._outgoing, f"{COUNTS} {message}")

    async def _send(self) -> None:
        while True:
            messages = [await self._outgoing.get()]
            while not self._outgoing.empty() and len(messages) < MAX_SENT_TOGETHER:
                messages.append(self._outgoing.get_nowait())  # a slow Redis takes no longer for many than for one
            try:
                await self._channel.publish("\n".join(messages))
            except OSError as error:
                log.warning("cannot publish to Redis", extra={"why": str(error)})
                await asyncio.sleep(RECONNECT_SECONDS)
            except Exception:
                log.exception("cannot publish to Redis")
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _receive(self) -> None:
        while True:
            try:
                async with self._channel.subscribed() as receive:
                    self.subscribed = True
                    _put(self._jobs, self._on_connect)  # to catch up with what was missed
                    while True:
                        for message in (await receive()).split("\n"):
                            self._take(message)
            except OSError as error:
                log.warning("cannot receive from Redis", extra={"why": str(error)})
            except Exception:
                log.exception("cannot receive from Redis")
            finally:
                self.subscribed = False
            await asyncio.sleep(RECONNECT_SECONDS)

    def _take(self, message: str) -> None:
        try:
            match message.split(" "):
                case [str(first), seconds] if first == UPTIME:
                    self._on_uptime(None if seconds == REQUEST else float(seconds))
                case [str(first), process, *words] if first == PRESENCE:
                    self._on_presence(process, words)
                case [str(first), *words] if first == COUNTS:
                    if self.on_counts:
                        self.on_counts(" ".join(words))
                case [match, version, _]:
                    change: Job = partial(self._on_change, match, int(version))
                    _put(self._jobs, change)
        except Exception:
            log.exception("a message from Redis could not be processed")

    async def _work(self) -> None:
        """Act on changes that were received, apart from receiving: the store may keep them waiting."""
        while True:
            job = await self._jobs.get()
            try:
                await job()
            except StoreUnavailableError as error:
                log.warning("the database cannot be reached", extra={"why": str(error)})
            except Problem:  # the match was removed
                pass
            except Exception:
                log.exception("a message from Redis could not be processed")


def _put(queue: "asyncio.Queue[T]", item: T) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(item)
