"""Connections in one process: what they keep while a request is answered, and what is left of them afterwards.

Reference cycles would be left to the garbage collector: with hundreds a second, it would stall the service.
"""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
import uvloop
from uvicorn import Config
from uvicorn.server import ServerState

from duelbook.web.http import connection
from duelbook.web.http.connection import Connection
from duelbook.web.http.http_connection import HttpConnection
from duelbook.web.http.open_connections import OpenConnections
from duelbook.web.http.socket_connection import SocketConnection

PLAIN = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ZHVlbGJvb2stbWVhc3VyZQ==\r\n\r\n"
)


async def welcoming(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    else:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[tuple[tuple[str, int], "weakref.WeakSet[HttpConnection]"]]:
    """Serve the application; yield the address, and the connections that still exist."""
    config = Config(app, http=HttpConnection, ws=SocketConnection, log_config=None, lifespan="off")
    config.load()
    places = OpenConnections(limit=10, address_limit=10)
    there: weakref.WeakSet[HttpConnection] = weakref.WeakSet()

    def connection() -> HttpConnection:
        there.add(
            made := HttpConnection(config=config, server_state=ServerState(), app_state={}, open_connections=places)
        )
        return made

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
    yield server.sockets[0].getsockname(), there
    server.close()


async def left_behind(request: bytes, answer: bytes) -> int:
    """Open ten connections that send the request. Return how many objects are left after they end."""
    async with serving(welcoming) as (address, there):
        for _ in range(10):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(request)
            assert answer in await reader.readline()
            writer.close()
            await writer.wait_closed()
        await asyncio.sleep(0.1)
        return len(there)


@pytest.mark.parametrize(("request_", "answer"), [(PLAIN, b"204"), (UPGRADE, b"101")])
def test_a_connection_is_gone_once_it_is_closed_or_has_become_a_socket(request_: bytes, answer: bytes) -> None:
    gc.disable()
    try:
        assert uvloop.run(left_behind(request_, answer)) == 0
    finally:
        gc.enable()


async def answers_to(*parts: bytes) -> tuple[bytes, int]:
    """Send the parts to an application that answers later. Return the answers, and how many bytes waited for them."""
    answering = asyncio.Event()

    async def late(scope: Any, receive: Any, send: Any) -> None:
        await answering.wait()
        if scope["type"] == "http":
            await asyncio.sleep(0.1)  # sockets are opened first
        await welcoming(scope, receive, send)

    async with serving(late) as (address, _):
        reader, writer = await asyncio.open_connection(*address)
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.1)
        waiting = Connection._all_waiting
        answering.set()
        try:
            answers = await asyncio.wait_for(reader.read(), 10)
        except ConnectionError:  # the rest of what was sent has not been read
            answers = b""
        writer.close()
        return answers, waiting


def test_a_socket_that_is_asked_for_before_the_answer_to_a_request_is_not_opened() -> None:
    post = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx"
    answers, _ = uvloop.run(answers_to(post + UPGRADE))
    assert answers.startswith(b"HTTP/1.1 204")
    assert answers.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("parts", [(PLAIN.replace(b"close", b"keep-alive") * 20,), (UPGRADE, b"x" * 2000)])
def test_bytes_that_wait_for_an_answer_are_dropped_with_their_connection_beyond_the_limit(
    parts: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_WAITING_BYTES", 1000)
    answers, waiting = uvloop.run(answers_to(*parts))
    assert waiting <= 1000
    assert answers.count(b"HTTP/1.1") <= 1


def test_idle_connections_that_were_opened_together_are_not_closed_together() -> None:
    config = Config(welcoming, timeout_keep_alive=5, log_config=None, lifespan="off")
    config.load()
    places = OpenConnections(100, 100)

    async def idle_seconds() -> list[float]:
        made = (
            HttpConnection(config=config, server_state=ServerState(), app_state={}, open_connections=places)
            for _ in range(50)
        )
        return sorted(connection.timeout_keep_alive for connection in made)

    times = asyncio.run(idle_seconds())
    assert all(5 <= seconds <= 7.5 for seconds in times)
    assert all(later - earlier < 0.2 for earlier, later in pairwise(times))
