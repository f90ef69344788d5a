"""The live socket below the application: its handshake, its frames, and limits for both."""

import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from duelbook.web.http.connection import Connection
from duelbook.web.http.frames import DIRECT_WRITE, EventQueue, is_whole_frame, text_frame, usual_text
from duelbook.web.http.handshake import accepting_response
from duelbook.web.logs import is_relevant
from duelbook.web.problems import Problem

PIECE_BYTES = 1024  # of frames that are read before other connections have their turn
MAX_CONTROL_FRAMES = 50  # pings and pongs of a socket in a second
MAX_FRAGMENTS = 64  # frames of one message
socket_log = logging.getLogger("duelbook.sockets")
socket_log.setLevel(logging.WARNING)
socket_log.addFilter(is_relevant)


class SocketConnection(Connection, WebSocketsSansIOProtocol):
    """Refuses what is not a WebSocket handshake, and limits the frames of a message."""

    def __init__(self, *of_uvicorn: Any, **named: Any) -> None:
        super().__init__(*of_uvicorn, **named)
        self.logger = self.conn.logger = socket_log  # the access log has every socket
        self.queue = self.events = EventQueue(self.loop)  # type: ignore[assignment]
        self._second, self._control_frames = 0.0, 0
        self._in_frame = False  # whether the library may have read a part of a frame
        self._accept: str | None = None  # what opens the socket, if the handshake was the usual one

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["extensions"][DIRECT_WRITE] = self.write_text  # type: ignore[assignment]

    def take_over(self, http: HttpToolsProtocol, accept: str) -> None:
        """Go on with a connection whose request was the usual handshake, without the library reading it again."""
        self.transport, self.server, self.client = http.transport, http.server, http.client
        self.scheme = "wss" if http.scheme == "https" else "ws"
        self.connections.add(self)
        self.handshake_initiated = True
        self._accept = accept
        raw_path, _, query = http.url.partition(b"?")
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + unquote(raw_path.decode("ascii")),
            "raw_path": self.root_path.encode("ascii") + raw_path,
            "query_string": query,
            "headers": http.headers,
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}, DIRECT_WRITE: self.write_text},  # type: ignore[dict-item]
        }
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def _open(self, accept: str) -> None:
        """Send the response that opens the socket; from now on the library reads frames."""
        self._accept = None
        self.conn.state = State.OPEN
        self.conn.parser = self.conn.parse()
        next(self.conn.parser)
        self.handshake_complete = True
        self.transport.write(accepting_response(accept, self.default_headers))
        self.start_keepalive()

    def write_text(self, payload: bytes) -> bool:
        """Write a message at once; return False if it has to wait for the client, or cannot be written any more."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        self.transport.write(text_frame(payload))
        return True

    def data_received(self, data: bytes) -> None:
        if self.closing:
            return
        if self._accept is not None:  # the socket is not open yet
            self._in_frame = True
            self._keep_more_waiting(data)
            return
        if self.handshake_complete and not self._in_frame:
            self._in_frame = bool(self._waiting) or not is_whole_frame(data)
            if not self._in_frame and not self.frames and not self.close_sent and self._take_usual(data):
                return
        if self.handshake_initiated and (self._waiting or len(data) > PIECE_BYTES):
            self._keep_more_waiting(data)
            return
        super().data_received(data)
        if not self.handshake_initiated:  # the whole request has been read, and is not a handshake
            malformed = isinstance(self.conn.handshake_exc, InvalidMessage)
            code = "bad-request" if malformed else "headers-too-large"
            self.refuse(Problem(code, "This is not a valid WebSocket handshake."))

    def _keep_more_waiting(self, data: bytes) -> None:
        self.keep_waiting(self._waiting + data)
        if self.drop_beyond_limit():
            self.transport.abort()
        else:
            self._continue()

    def _take_usual(self, frame: bytes) -> bool:
        """Pass on the message in a whole frame; return False if the library has to read the frame."""
        text = usual_text(frame, self.config.ws_max_size)
        if text is None:
            return False
        if not self.events.is_awaited and not self.read_paused:  # a message before this one is being answered
            self.read_paused = True
            self.transport.pause_reading()
        self.events.put_nowait({"type": "websocket.receive", "bytes": text})
        return True

    def _continue(self) -> None:
        """Read the next piece of what waits, if the application waits for it; otherwise it will call this again."""
        if self.closing:
            self.keep_waiting(b"")
        if self._waiting and self._accept is not None:
            if not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        elif self._waiting and self.queue.empty():
            piece = self._waiting[:PIECE_BYTES]
            self.keep_waiting(self._waiting[PIECE_BYTES:])
            if not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
            super().data_received(piece)
            self.loop.call_soon(self._continue)  # after a piece of every other connection
        elif self.read_paused and (self.closing or self.queue.empty()):
            self.read_paused = False
            self.transport.resume_reading()

    async def receive(self) -> Any:
        message = await self.queue.get()
        self._continue()
        return message

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MAX_FRAGMENTS:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, f"A message can have at most {MAX_FRAGMENTS} frames.")
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Close the socket with the reason why a frame cannot be read."""
        sent = self.conn.close_sent
        assert sent
        self.queue.put_nowait({"type": "websocket.disconnect", "code": sent.code, "reason": sent.reason})
        self.close_sent = True
        self.close_after(b"".join(self.conn.data_to_send()))

    def _count_control_frame(self) -> None:
        now = self.loop.time()
        if now > self._second + 1:
            self._second, self._control_frames = now, 0
        self._control_frames += 1
        if self._control_frames > MAX_CONTROL_FRAMES and not self.close_sent:
            self.conn.fail(CloseCode.POLICY_VIOLATION, f"Send at most {MAX_CONTROL_FRAMES} pings and pongs a second.")
            self.handle_parser_exception()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        self._count_control_frame()

    def handle_ping(self) -> None:
        self._count_control_frame()
        if self.closing:
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # dropped: for a client that does not read, pongs would pile up

    def shutdown(self) -> None:
        """Tell the client to connect again; a client that reads nothing is not waited for."""
        if self.writable.is_set():
            super().shutdown()
        else:
            self.transport.abort()

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.accept" and self._accept is not None:
            if self.disconnected or self.transport.is_closing():
                raise ClientDisconnected
            self._open(self._accept)
            self._continue()
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # or Uvicorn logs every refused handshake as an error
