"""Connections to the service for HTTP and WebSocket, minimal so that the machine is left to the server."""

import asyncio
import re
from typing import Any, NamedTuple, cast

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
KIND = re.compile(rb'\{"type": *"(\w+)"')
VERSION = re.compile(rb'"version": *(\d+)')

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL = MASKED = 0x80
MAX_SHORT_BYTES = 125  # of a payload whose size fits into the second byte of a frame
NO_MASK = bytes(4)  # a valid mask that changes nothing


class Answer(NamedTuple):
    status: int
    body: bytes


class RefusedError(Exception):
    """The service refused something that the benchmark expects to work."""


class Connection(asyncio.Protocol):
    """A connection on which one answer can be awaited."""

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
            raise ConnectionResetError("The connection is lost.")
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def _answered(self, answer: object) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def close(self) -> None:
        self._transport.close()


class HttpConnection(Connection):
    """A kept-alive HTTP connection that takes one request at a time."""

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


class LiveSocket(Connection):
    """A live socket that keeps the newest view, and on which a version can be awaited."""

    def __init__(self) -> None:
        super().__init__()
        self.version = 0
        self.view = b""
        self._open = False
        self._awaited = 0
        self._reached: asyncio.Future[None] | None = None

    async def open(self, request: bytes) -> None:
        """Open the socket, and wait for its first view."""
        await self._ask(request)
        await self.reach(1)

    async def say(self, message: bytes) -> Answer:
        """Send a message and return its answer."""
        answer: Answer = await self._ask(encode_frame(TEXT, message))
        return answer

    async def reach(self, version: int) -> None:
        """Wait for the view of that version or a newer one."""
        if self.version < version:
            if self.lost:
                raise ConnectionResetError("The socket is lost.")
            self._awaited = version
            self._reached = asyncio.get_running_loop().create_future()
            await self._reached

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        fail(self._reached)

    def data_received(self, data: bytes) -> None:
        received = self._received + data if self._received else data
        if not self._open:
            received = self._finish_opening(received)
        if self._open:
            frames, received = decode_frames(received)
            for kind, payload in frames:
                self._handle(kind, payload)
        self._received = received

    def _finish_opening(self, received: bytes) -> bytes:
        head, whole, rest = received.partition(b"\r\n\r\n")
        if not whole:
            return received
        self._open = head[9:12] == b"101"
        if self._open:
            self._answered(None)
        elif self._answer:
            self._answer.set_exception(RefusedError(received.decode()))
        return rest

    def _handle(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self._receive(payload)
        elif kind == PING:
            self._transport.write(encode_frame(PONG, payload))
        elif kind == CLOSE:
            self._transport.close()

    def _receive(self, message: bytes) -> None:
        kind, version = KIND.match(message), VERSION.search(message)
        if kind and version and kind[1] == b"view":
            self._take_view(int(version[1]), message)
        elif not kind or kind[1] != b"presence":
            self._answered(Answer(200 if kind and kind[1] == b"accepted" else 400, message))

    def _take_view(self, version: int, view: bytes) -> None:
        self.version, self.view = version, view
        if self._reached and version >= self._awaited and not self._reached.done():
            self._reached.set_result(None)


def fail(awaited: "asyncio.Future[Any] | None") -> None:
    """Fail the future with a connection error."""
    if awaited and not awaited.done():
        awaited.set_exception(ConnectionResetError("The connection was lost."))


# WebSocket frames


class FrameError(Exception):
    """A frame of a kind that our server does not send."""


def encode_frame(kind: int, payload: bytes = b"") -> bytes:
    """Return the frame of a client with this payload."""
    size = len(payload)
    if size <= MAX_SHORT_BYTES:
        return bytes((FINAL | kind, MASKED | size)) + NO_MASK + payload
    return bytes((FINAL | kind, MASKED | 126)) + size.to_bytes(2) + NO_MASK + payload


def decode_frames(received: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """Return the complete frames in the bytes, each with its kind, and the remaining bytes."""
    found, at = [], 0
    while len(received) - at >= 2:
        if not received[at] & FINAL:
            raise FrameError("A message in several frames.")
        size, start = received[at + 1], at + 2
        if size > MAX_SHORT_BYTES:
            start += 2 if size == 126 else 8
            size = int.from_bytes(received[at + 2 : start]) if len(received) >= start else len(received)
        if len(received) < start + size:
            break
        found.append((received[at] & 0x0F, received[start : start + size]))
        at = start + size
    return found, received[at:]
