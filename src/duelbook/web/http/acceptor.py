"""The acceptor: it accepts connections quickly, and closes at once those of an address that has too many."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvloop

from duelbook.web.http.open_connections import OpenConnections
from duelbook.web.tasks import start

MAX_ADMITTED_AT_ONCE = 4  # connections, before everything else has its turn; other processes take some as well
MAX_CLOSED_AT_ONCE = 20  # each takes a tenth of a millisecond on a busy machine
PAUSE_SECONDS = 0.1  # after an error, such as too many open files


class AcceptingLoop(uvloop.Loop):
    """An event loop whose servers have this acceptor.

    The loop itself accepts one connection each time it has looked after all others. So a new client would wait until
    the thousands that an attacker has opened before it are accepted and closed.
    """

    def __init__(self, open_connections: OpenConnections) -> None:
        super().__init__()
        self._open_connections = open_connections

    async def create_server(self, protocol_factory: Any, *arguments: Any, **options: Any) -> Any:
        listener, backlog = options.get("sock"), options.get("backlog", 100)
        if listener is None or options.get("ssl"):
            return await super().create_server(protocol_factory, *arguments, **options)
        listener.listen(backlog)
        return Acceptor(self, protocol_factory, listener, self._open_connections)


class Acceptor:
    """Accepts connections until it is closed; a server as Uvicorn uses it."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        protocol_factory: Callable[[], asyncio.Protocol],
        listener: socket.socket,
        open_connections: OpenConnections,
    ) -> None:
        self._loop = loop
        self._protocol_factory = protocol_factory
        self._listener = listener
        self._open_connections = open_connections
        self._connecting: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None
        listener.setblocking(False)
        self._start()

    def _start(self) -> None:
        self._loop.add_reader(self._listener, self.accept)

    def accept(self) -> None:
        """Accept the connections that wait, or some of them if they are many."""
        admitted = closed = 0
        while admitted < MAX_ADMITTED_AT_ONCE and closed < MAX_CLOSED_AT_ONCE:
            try:
                connection, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionError):  # none waits, or it has gone again
                return
            except OSError:
                self._loop.remove_reader(self._listener)
                self._pause = self._loop.call_later(PAUSE_SECONDS, self._start)
                return
            if self._open_connections.must_close(peer[0]):
                connection.close()
                closed += 1
            else:
                start(self._connect(connection), self._connecting)
                admitted += 1

    async def _connect(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        try:
            await self._loop.connect_accepted_socket(self._protocol_factory, connection)
        except OSError:  # the client has gone
            connection.close()

    def close(self) -> None:
        """Accept no more connections. Those that are open stay open."""
        if self._pause:
            self._pause.cancel()
        self._loop.remove_reader(self._listener)

    async def wait_closed(self) -> None: ...
