"""A network between the service and what it depends on, which a test can make slow."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress


@contextmanager
def slow_link(port: int, seconds: float) -> Iterator[int]:
    """Forward connections to a local port, with every byte delayed in both directions; yield the port to connect to."""
    listening: Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                asyncio.get_running_loop().call_later(seconds, writer.write, data)
        asyncio.get_running_loop().call_later(seconds, writer.close)

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        with suppress(asyncio.CancelledError):
            await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))

    async def listen() -> None:
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        end = asyncio.Event()
        listening.set_result((server.sockets[0].getsockname()[1], asyncio.get_running_loop(), end))
        await end.wait()

    thread = threading.Thread(target=asyncio.run, args=(listen(),))
    thread.start()
    link, loop, end = listening.result()
    try:
        yield link
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


class SilentLink:
    """Forwards connections to a local port until it is silenced: nothing arrives then, and nothing is closed."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._flowing = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.resume()

    async def _listen(self) -> int:
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._flowing.wait()
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far)
            await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._flowing.wait()
                writer.write(data)
        await self._flowing.wait()
        writer.close()

    def silence(self) -> None:
        self._loop.call_soon_threadsafe(self._flowing.clear)

    def resume(self) -> None:
        """Deliver what was held back, and everything from now on."""
        self._loop.call_soon_threadsafe(self._flowing.set)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)
