"""Raw bytes on a plain TCP connection, and the answers to them."""

import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple, Self

from tests.support.service.harness import Player, RunningServer

PATIENCE = 15.0  # seconds without a byte before a test gives up
MASK = b"\x5a\x00\xff\x13"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Reply(NamedTuple):
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, Any]:
        """The problem document; the answer must be one."""
        assert self.headers["content-type"] == "application/problem+json", self
        document: dict[str, Any] = json.loads(self.body)
        assert document["status"] == self.status
        assert document["detail"].isprintable(), document
        return document


class Frame(NamedTuple):
    """A WebSocket frame."""

    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        assert self.opcode == CLOSE, self
        return int.from_bytes(self.payload[:2], "big")


class Wire:
    """A connection; its end without an answer is an EOFError or a ConnectionError."""

    def __init__(self, server: RunningServer, patience: float = PATIENCE, address: str = "127.0.0.1") -> None:
        self.server = server
        self.socket = socket.create_connection(("127.0.0.1", server.port), patience, source_address=(address, 0))
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def reset(self) -> None:
        """End the connection at once, as a client that is killed does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def send(self, data: bytes) -> Self:
        self.socket.sendall(data)
        return self

    def finish(self) -> Self:
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def take(self, count: int) -> bytes:
        data = self.file.read(count)
        if len(data) < count:
            raise EOFError(f"the connection ended after {data!r}")
        return data

    def reply(self, *, to_head: bool = False) -> Reply:
        status = int(self._line().split(b" ")[1])
        headers = {}
        while line := self._line():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        length = 0 if to_head or status == 101 else int(headers["content-length"])
        return Reply(status, headers, self.take(length))

    def _line(self) -> bytes:
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError(f"the connection ended after {line!r}")
        return line.removesuffix(b"\r\n")

    def ended(self) -> bool:
        """Return True if the other side has closed the connection and sent nothing more."""
        try:
            return self.file.read(1) == b""
        except ConnectionError:
            return True

    def upgrade(self, match: str, *headers: str) -> Reply:
        """Send the handshake for the live socket of a match."""
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        wish = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", key, *headers)
        return self.send(request("GET", f"/api/matches/{match}/live", headers=wish)).reply()

    def frame(self) -> Frame:
        first, second = self.take(2)
        length = second & 127
        if length > 125:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        return Frame(first & 15, self.take(length))

    def message(self) -> dict[str, Any]:
        frame = self.frame()
        assert frame.opcode == TEXT, frame
        message: dict[str, Any] = json.loads(frame.payload)
        return message


def request(method: str, path: str | bytes, body: bytes = b"", headers: tuple[str | bytes, ...] = ()) -> bytes:
    """Return a request as bytes, with a length and a JSON content type unless the headers have their own."""
    path = path if isinstance(path, bytes) else path.encode()
    lines = [one if isinstance(one, bytes) else one.encode() for one in headers]
    said = {line.partition(b":")[0].lower() for line in lines}
    if b"host" not in said:
        lines.insert(0, b"Host: localhost")
    if body and b"content-type" not in said:
        lines.append(b"Content-Type: application/json")
    if body and not said & {b"content-length", b"transfer-encoding"}:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([b"%s %s HTTP/1.1" % (method.encode(), path), *lines, b"", body])


def framed(payload: bytes, opcode: int = TEXT, *, final: bool = True, masked: bool = True, reserved: int = 0) -> bytes:
    """Return a frame as a client sends it."""
    first = (128 if final else 0) | reserved << 4 | opcode
    size, mark = len(payload), 128 if masked else 0
    if size < 126:
        head = bytes([first, mark | size])
    elif size < 65_536:
        head = struct.pack("!BBH", first, mark | 126, size)
    else:
        head = struct.pack("!BBQ", first, mark | 127, size)
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))


@contextmanager
def live(player: Player, address: str = "127.0.0.1") -> Iterator[Wire]:
    """Open the live socket by hand, from that address."""
    with Wire(player.server, address=address) as wire:
        assert wire.upgrade(player.match, f"Authorization: Bearer {player.token}").status == 101
        assert wire.message()["type"] == "view"
        yield wire


def answer(wire: Wire) -> dict[str, Any]:
    """Return the next message that answers one of ours."""
    while (message := wire.message())["type"] in ("view", "presence"):
        pass
    return message


def is_usable(wire: Wire) -> bool:
    """Return True if the very next answer is the one to this ping."""
    message = answer(wire.send(framed(b'{"type": "ping", "id": "still there"}')))
    return (message["type"], message.get("id")) == ("accepted", "still there")


class Log:
    """What a server logs from now on, or has logged since its start."""

    def __init__(self, server: RunningServer, *, from_start: bool = False) -> None:
        self.server = server
        self.start = 0 if from_start else os.path.getsize(server.log)

    def text(self) -> str:
        with self.server.log.open("rb") as log:
            log.seek(self.start)
            return log.read().decode()

    def until(self, words: str, times: int = 1) -> str:
        """Return the text once it has these words so often; the server writes its log a little later."""
        end = time.monotonic() + PATIENCE
        while (text := self.text()).count(words) < times:
            assert time.monotonic() < end, text
            time.sleep(0.01)
        return text

    def check(self) -> None:
        """Fail if the log shows an error inside the service."""
        faults = [
            line for line in self.text().splitlines() if "traceback" in line.lower() or '"level": "error"' in line
        ]
        assert not faults, faults
