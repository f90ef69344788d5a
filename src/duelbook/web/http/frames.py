"""Frames of the live socket, read and written without the WebSocket library where they are the usual ones.

Usual is one whole text frame in one read, in ASCII and not a fragment; the library takes everything else.
"""

import asyncio
from collections import deque
from typing import Any

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where it is compiled

DIRECT_WRITE = "duelbook.direct_write"  # an ASGI extension: write a text at once, or return False

WHOLE_TEXT = 0x81  # the first byte of a text frame that is not a fragment
MASKED = 0x80
LENGTH_IN_2_BYTES, LENGTH_IN_8_BYTES = 126, 127  # codes for the lengths of longer frames


def text_frame(payload: bytes) -> bytes:
    """Return the frame that carries the text to a client. It is the same for all sockets."""
    length = len(payload)
    if length < LENGTH_IN_2_BYTES:
        return bytes((WHOLE_TEXT, length)) + payload
    if length < 1 << 16:
        return bytes((WHOLE_TEXT, LENGTH_IN_2_BYTES)) + length.to_bytes(2, "big") + payload
    return bytes((WHOLE_TEXT, LENGTH_IN_8_BYTES)) + length.to_bytes(8, "big") + payload


def is_whole_frame(data: bytes) -> bool:
    """Return True if the data is exactly one frame of a client, of whatever kind, of less than 64 kB."""
    return len(data) >= 6 and data[1] & MASKED != 0 and len(data) == _head_bytes(data) + _payload_bytes(data)


def usual_text(frame: bytes, max_bytes: int) -> bytes | None:
    """Return the text in a whole frame of a client, or None if the library has to read the frame."""
    head = _head_bytes(frame)
    length = len(frame) - head
    if frame[0] != WHOLE_TEXT or length > max_bytes or (head == 8 and length < LENGTH_IN_2_BYTES):
        return None
    text: bytes = apply_mask(frame[head:], frame[head - 4 : head])
    return text if text.isascii() else None


def _head_bytes(frame: bytes) -> int:
    return 8 if frame[1] & 0x7F == LENGTH_IN_2_BYTES else 6  # with the mask


def _payload_bytes(frame: bytes) -> int:
    """Return the length that the frame declares; a number that fits no read for the longest frames."""
    code = frame[1] & 0x7F
    if code < LENGTH_IN_2_BYTES:
        return code
    return int.from_bytes(frame[2:4], "big") if code == LENGTH_IN_2_BYTES else -1


class EventQueue:
    """The events that wait for the one reader of a socket; simpler and faster than `asyncio.Queue`."""

    __slots__ = ("_events", "_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    @property
    def is_awaited(self) -> bool:
        """True if the reader waits for an event, and none has been put for it."""
        return self._reader is not None and not self._reader.done()

    def empty(self) -> bool:
        return not self._events

    def put_nowait(self, event: Any) -> None:
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._events:
            self._reader = self._loop.create_future()
            await self._reader
        return self._events.popleft()
