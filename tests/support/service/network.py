"""A network between the service and others, which a test can make slow, silence or cut."""

import asyncio
import socket
import threading
from contextlib import suppress
from types import TracebackType


class SilentLink:
    """Forwards connections to a local port until it is silenced: nothing arrives then, and nothing is closed."""

    def __init__(self, port: int) -> None:
        self._far = port
        self.asked = threading.Event()  # a client has sent something since the silence began
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
        self.asked.set()
        await self._flowing.wait()
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far)
            await asyncio.gather(self._carry(reader, far_writer, forth=True), self._carry(far_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, forth: bool = False) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if forth:
                    self.asked.set()
                await self._flowing.wait()
                writer.write(data)
        await self._flowing.wait()
        writer.close()

    def silence(self) -> None:
        """Hold back everything from now on."""
        asyncio.run_coroutine_threadsafe(self._silence(), self._loop).result()

    async def _silence(self) -> None:
        self._flowing.clear()
        self.asked.clear()

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


class CutLink:
    """Forwards connections to a local port. Without sockets, it hides that a client asks for one, as a proxy may do."""

    def __init__(self, port: int, *, sockets: bool = True) -> None:
        self._far, self._sockets = port, sockets
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._losing = b""
        self.lost = 0  # answers

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "CutLink":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Close all connections."""
        while self._open:
            with suppress(OSError):
                self._open.pop().shutdown(socket.SHUT_RDWR)

    def lose_answer_to(self, request: bytes) -> None:
        """Cut the connection when the next request with these bytes is answered."""
        self._losing = request

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._far))
                self._open += [near, far]
                threading.Thread(target=self._forward, args=(near, far), daemon=True).start()

    def _forward(self, near: socket.socket, far: socket.socket) -> None:
        asked = threading.Event()
        back = threading.Thread(target=self._answer, args=(far, near, asked), daemon=True)
        back.start()
        with suppress(OSError):
            while data := near.recv(65_536):
                if self._losing and self._losing in data:
                    self._losing = b""
                    asked.set()
                far.sendall(data if self._sockets else data.replace(b"Upgrade: websocket", b"X-Other: websocket"))
        with suppress(OSError):
            far.shutdown(socket.SHUT_RDWR)

    def _answer(self, far: socket.socket, near: socket.socket, asked: threading.Event) -> None:
        with suppress(OSError):
            while data := far.recv(65_536):
                if asked.is_set():
                    self.lost += 1
                    break
                near.sendall(data)
        with suppress(OSError):
            near.shutdown(socket.SHUT_RDWR)
