"""The error boundary: what becomes of an exception when the client has gone."""

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from duelbook.web.http.errors import ErrorBoundary
from duelbook.web.problems import unavailable


@pytest.mark.parametrize("accepts", [False, True], ids=["before it is accepted", "after it was accepted"])
def test_a_socket_whose_client_goes_while_the_service_fails_leaves_no_exception(accepts: bool) -> None:
    sent: list[str] = []

    async def send(message: Message) -> None:
        sent.append(message["type"])
        if message["type"] != "websocket.accept":
            raise ConnectionResetError("the client has gone")

    async def fail(_: Scope, __: Receive, send: Send) -> None:
        if accepts:
            await send({"type": "websocket.accept"})
        raise unavailable("The database cannot be reached.")

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    service: Any = None
    scope = {"type": "websocket", "path": "/", "extensions": {"websocket.http.response": {}}}
    asyncio.run(ErrorBoundary(fail, service)(scope, receive, send))
    assert sent[-1] in ("websocket.http.response.start", "websocket.close")
