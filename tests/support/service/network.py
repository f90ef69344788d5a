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
