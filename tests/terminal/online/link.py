"""A network between a terminal and the service, which a test can cut."""

import socket
import threading
from contextlib import suppress
from types import TracebackType


class Link:
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

    def __enter__(self) -> "Link":
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
