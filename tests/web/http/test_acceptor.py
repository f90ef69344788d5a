"""The acceptor: new clients do not wait until the connections of an address that has too many are refused."""

import asyncio
import socket
from contextlib import ExitStack
from typing import Any

import pytest

from duelbook.web.http import open_connections
from duelbook.web.http.acceptor import AcceptingLoop, Acceptor
from duelbook.web.http.open_connections import ConnectionPlace, OpenConnections

ATTACKER, NEWCOMER = "127.0.0.2", "127.0.0.3"
PER_ADDRESS, WAITING = 10, 500


class Visit(asyncio.Protocol):
    """A connection that takes a place, as those of the service do."""

    def __init__(self, places: OpenConnections, arrived: list[str]) -> None:
        self._places, self._arrived = places, arrived

    def connection_made(self, transport: Any) -> None:
        host = transport.get_extra_info("peername")[0]
        self._arrived.append(host)
        if not isinstance(self._places.take(host), ConnectionPlace):
            transport.abort()


def connect(stack: ExitStack, listener: socket.socket, host: str) -> socket.socket:
    """Open a connection, which waits to be accepted."""
    return stack.enter_context(socket.create_connection(listener.getsockname(), source_address=(host, 0)))


def test_a_new_client_does_not_wait_for_those_of_an_address_that_has_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections, "ANSWERED_REFUSALS", 20)
    places, turns = OpenConnections(1000, PER_ADDRESS), 0
    arrived: list[str] = []

    async def run() -> None:
        nonlocal turns
        loop = asyncio.get_running_loop()
        with ExitStack() as stack:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2 * WAITING))
            for _ in range(WAITING):
                connect(stack, listener, ATTACKER)
            connect(stack, listener, NEWCOMER)
            server = await loop.create_server(lambda: Visit(places, arrived), sock=listener, backlog=2 * WAITING)
            assert isinstance(server, Acceptor)
            async with asyncio.timeout(20):
                while NEWCOMER not in arrived:
                    await asyncio.sleep(0)
                    turns += 1
            server.close()
            await asyncio.sleep(0.01)

    with asyncio.Runner(loop_factory=lambda: AcceptingLoop(places)) as runner:
        runner.run(run())
    assert turns < WAITING / 5  # one each time would be as many as are waiting
    assert PER_ADDRESS + 20 <= arrived.count(ATTACKER) < PER_ADDRESS + 20 + 10  # some come before the first are counted


def test_the_acceptor_goes_on_after_a_time_in_which_no_file_could_be_opened() -> None:
    places = OpenConnections(10, 10)
    arrived: list[str] = []
    failures = [OSError(24, "Too many open files")]

    class Listener(socket.socket):
        def accept(self) -> Any:
            if failures:
                raise failures.pop()
            return super().accept()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        with ExitStack() as stack:
            listener = stack.enter_context(Listener())
            listener.bind(("127.0.0.1", 0))
            server = await loop.create_server(lambda: Visit(places, arrived), sock=listener)
            connect(stack, listener, NEWCOMER)
            async with asyncio.timeout(20):
                while not arrived:
                    await asyncio.sleep(0.01)
            server.close()

    with asyncio.Runner(loop_factory=lambda: AcceptingLoop(places)) as runner:
        runner.run(run())
    assert not failures
