"""A network between the service and others, which a test can silence, cut or make lose what passes."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Self, TypeVar

T = TypeVar("T")
PAUSE_SECONDS = 0.02
Change = Callable[[bytes, bool], bytes | None]  # bytes and whether a client sent them; what passes, or None for a cut


class Link:
    """Forwards connections to a local port, in a thread of its own."""

    def __init__(self, port: int, change: Change = lambda data, _: data) -> None:
        self._far, self._change = port, change
        self.asked = threading.Event()  # a client has sent something since the silence began
        self.lost = 0  # answers
        self._losing = b""
        self._flowing = asyncio.Event()
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.resume()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait_unused(self) -> None:
        """Wait until no connection is open."""
        while self._open:
            time.sleep(PAUSE_SECONDS)

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.set()
        await self._flowing.wait()
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far)
            ends, losing = {writer, far_writer}, asyncio.Event()
            self._open |= ends
            await asyncio.gather(
                self._carry(reader, far_writer, losing, forth=True),
                self._carry(far_reader, writer, losing, forth=False),
            )
            self._open -= ends

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event, *, forth: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if forth:
                    self.asked.set()
                    if self._losing and self._losing in data:
                        self._losing = b""
                        losing.set()
                elif losing.is_set():
                    self.lost += 1
                    break
                await self._flowing.wait()
                passed = self._change(data, forth)
                if passed is None:
                    break
                writer.write(passed)
        await self._flowing.wait()
        writer.close()

    def silence(self) -> None:
        """Hold back everything from now on: nothing arrives, and nothing is closed."""
        self._do(self._silence())

    async def _silence(self) -> None:
        self._flowing.clear()
        self.asked.clear()

    def resume(self) -> None:
        """Deliver what was held back, and everything from now on."""
        self._loop.call_soon_threadsafe(self._flowing.set)

    def lose_answer_to(self, request: bytes) -> None:
        """Cut the connection when the next request with these bytes is answered."""
        self._losing = request

    def cut(self) -> None:
        """Close all connections."""
        self._do(self._cut())

    async def _cut(self) -> None:
        for writer in self._open:
            writer.close()

    def close(self) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)
        await self._cut()
