"""Connections to the service, as plain as they can be: the machine is to be left to the server."""

import asyncio
import re
from typing import Any, NamedTuple, cast

from benchmarks.service.frames import CLOSE, PING, PONG, TEXT, framed, unframed

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
KIND = re.compile(rb'\{"type": *"(\w+)"')
VERSION = re.compile(rb'"version": *(\d+)')


class Answer(NamedTuple):
    status: int
    body: bytes


class RefusedError(Exception):
    """The service refuses what the benchmark expects it to do."""


class Wire(asyncio.Protocol):
    """A connection, on which an answer may be awaited."""

    def __init__(self) -> None:
        self.lost = False
        self._received = b""
        self._answer: asyncio.Future[Any] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True
        fail(self._answer)

    async def _ask(self, request: bytes) -> Any:
        if self.lost:
            raise ConnectionResetError("the connection is lost")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def _answered(self, answer: object) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def close(self) -> None:
        self._transport.close()


class Http(Wire):
    """A connection that is kept alive and takes one request at a time."""

    async def ask(self, request: bytes) -> Answer:
        answer: Answer = await self._ask(request)
        return answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, whole, body = self._received.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if whole and length and len(body) >= int(length[1]):
            self._received = b""
            self._answered(Answer(int(head[9:12]), body))


class Live(Wire):
    """A live socket: keeps the newest view, and answers when a version has come."""

    def __init__(self) -> None:
        super().__init__()
        self.version = 0
        self.view = b""
        self._open = False
        self._awaited = 0
        self._reached: asyncio.Future[None] | None = None

    async def open(self, request: bytes) -> None:
        """Ask for the socket, and wait until it is there with its first view."""
        await self._ask(request)
        await self.reach(1)

    async def say(self, message: bytes) -> Answer:
        """Send a message and await its answer, which is not a view."""
        answer: Answer = await self._ask(framed(TEXT, message))
        return answer

    async def reach(self, version: int) -> None:
        """Wait until the view of that version, or a newer one, has come."""
        if self.version < version:
            if self.lost:
                raise ConnectionResetError("the socket is lost")
            self._awaited = version
            self._reached = asyncio.get_running_loop().create_future()
            await self._reached

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        fail(self._reached)

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        if not self._open:
            received = self._opened(received)
        if self._open:
            frames, received = unframed(received)
            for kind, payload in frames:
                self._take(kind, payload)
        self._received = received

    def _opened(self, received: bytes) -> bytes:
        head, whole, rest = received.partition(b"\r\n\r\n")
        if not whole:
            return received
        self._open = head[9:12] == b"101"
        if self._open:
            self._answered(None)
        elif self._answer:
            self._answer.set_exception(RefusedError(received.decode()))
        return rest

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self._hear(payload)
        elif kind == PING:
            self._transport.write(framed(PONG, payload))
        elif kind == CLOSE:
            self._transport.close()

    def _hear(self, message: bytes) -> None:
        kind, version = KIND.match(message), VERSION.search(message)
        if kind and version and kind[1] == b"view":
            self.version, self.view = int(version[1]), message
            if self._reached and self.version >= self._awaited and not self._reached.done():
                self._reached.set_result(None)
        elif not kind or kind[1] != b"presence":
            self._answered(Answer(200 if kind and kind[1] == b"accepted" else 400, message))


def fail(awaited: "asyncio.Future[Any] | None") -> None:
    """Let whoever waits know that the connection is lost."""
    if awaited and not awaited.done():
        awaited.set_exception(ConnectionResetError("the connection was lost"))
