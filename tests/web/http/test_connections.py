"""Closed connections leave no reference cycles: with hundreds a second, collecting them would stall the service."""

import asyncio
import gc
import weakref
from typing import Any

import pytest
import uvloop
from uvicorn import Config
from uvicorn.server import ServerState

from duelbook.web.http.connections import HttpConnection, SocketConnection
from duelbook.web.http.open_connections import OpenConnections

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


async def left_behind(request: bytes, answer: bytes) -> int:
    """Open ten connections that send the request. Return how many objects are left after they end."""
    config = Config(welcoming, http=HttpConnection, ws=SocketConnection, log_config=None, lifespan="off")
    config.load()
    places = OpenConnections(limit=10, address_limit=10)
    there: weakref.WeakSet[HttpConnection] = weakref.WeakSet()

    def connection() -> HttpConnection:
        there.add(
            made := HttpConnection(config=config, server_state=ServerState(), app_state={}, open_connections=places)
        )
        return made

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0)
    for _ in range(10):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(request)
        assert answer in await reader.readline()
        writer.close()
        await writer.wait_closed()
    await asyncio.sleep(0.1)
    server.close()
    return len(there)


@pytest.mark.parametrize(("request_", "answer"), [(PLAIN, b"204"), (UPGRADE, b"101")])
def test_a_connection_is_gone_once_it_is_closed_or_has_become_a_socket(request_: bytes, answer: bytes) -> None:
    gc.disable()
    try:
        assert uvloop.run(left_behind(request_, answer)) == 0
    finally:
        gc.enable()
