"""A proxy that passes bytes on after a delay, which can be changed while it runs."""

import asyncio
from contextlib import suppress
from typing import Self

CHUNK_BYTES = 65_536


class DelayingProxy:
    """Listens on a port of its own, and connects every client to the server behind it."""

    def __init__(self, behind: int) -> None:
        self.delay_seconds = 0.0
        self._behind = behind
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._behind)
            for source, target in ((reader, there_writer), (there_reader, writer)):
                task = asyncio.create_task(self._pass_on(source, target))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Pass every chunk on in its order, each with the delay since its arrival."""
        loop = asyncio.get_running_loop()
        last = 0.0
        with suppress(OSError):
            while chunk := await source.read(CHUNK_BYTES):
                last = max(last, loop.time() + self.delay_seconds)
                loop.call_at(last, target.write, chunk)
        loop.call_at(last, target.close)
