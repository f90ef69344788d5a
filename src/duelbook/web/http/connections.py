"""Connections below HTTP: time and size limits, and error responses to what is not a request."""

import asyncio
import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from duelbook.web.http.errors import problem_response
from duelbook.web.http.frames import DIRECT_WRITE, EventQueue, is_whole_frame, text_frame, usual_text
from duelbook.web.http.handshake import accepting_response, usual_accept
from duelbook.web.http.middleware import MAX_HEADER_BYTES, RAW_HEADERS, RESERVED
from duelbook.web.http.open_connections import MAX_REFUSED_CONNECTIONS, OpenConnections, Place
from duelbook.web.logs import is_relevant
from duelbook.web.problems import Problem

END_OF_HEADERS = b"\r\n\r\n"
MAX_WAITING_BYTES = 50_000_000  # of all connections, received but not read; beyond it they are dropped
PIECE_BYTES = 1024  # of frames that are read before other connections have their turn
MAX_CONTROL_FRAMES = 50  # pings and pongs of a socket in a second
MAX_FRAGMENTS = 64  # frames of one message
HEADER_SECONDS = 10.0  # for the headers of a request to arrive
UNREAD_SECONDS = 10.0  # for which a client may leave unread what was sent
CLOSING_SECONDS = 2.0  # for which a client may still send after it was refused
socket_log = logging.getLogger("duelbook.sockets")
socket_log.setLevel(logging.WARNING)
socket_log.addFilter(is_relevant)


class Connection(asyncio.Protocol):
    """What both kinds of connection share: how they close, and the abort of clients that read nothing."""

    transport: asyncio.Transport
    place: Place | None = None
    closing = False
    close_timer: asyncio.TimerHandle | None = None
    _unread_timer: asyncio.TimerHandle | None = None
    _waiting = b""  # received but not read: it follows a request that is being answered
    _all_waiting = 0  # bytes of all connections

    def keep_waiting(self, data: bytes) -> None:
        """Keep data that cannot be read yet. The connection reads no more meanwhile, so this is at most one read."""
        Connection._all_waiting += len(data) - len(self._waiting)
        self._waiting = data

    def drop_beyond_limit(self) -> bool:
        """Return True, and drop what waits, if the connections keep too much. The rest can then not be read either."""
        if self._all_waiting <= MAX_WAITING_BYTES:
            return False
        self.keep_waiting(b"")
        return True

    def refuse(self, problem: Problem) -> None:
        """Send the problem to a client whose bytes are not a request, and close the connection."""
        response = problem_response(problem)
        headers = (*response.raw_headers, *RAW_HEADERS, (b"connection", b"close"))
        lines = (b"%s: %s\r\n" % header for header in headers)
        self.close_after(b"".join([STATUS_LINE[problem.status], *lines, b"\r\n", bytes(response.body)]))

    def close_after(self, data: bytes) -> None:
        """Send the data, and drop what still arrives: closing with bytes unread would cancel the data."""
        if not self.closing and not self.transport.is_closing():
            self.closing = True
            self.transport.write(data)
            self.transport.write_eof()
            self.close_timer = asyncio.get_running_loop().call_later(CLOSING_SECONDS, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_timer = asyncio.get_running_loop().call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_unread_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.keep_waiting(b"")
        self.leave_place()
        self._cancel_unread_timer()

    def leave_place(self) -> None:
        if self.place:
            self.place.release()
            self.place = None

    def _cancel_unread_timer(self) -> None:
        if self._unread_timer:
            self._unread_timer.cancel()


class HeldFlow(FlowControl):
    """Flow control that does not read on, whoever asks for it, while received data waits to be read."""

    is_held = False

    def resume_reading(self) -> None:
        if not self.is_held:
            super().resume_reading()


class HttpConnection(Connection, HttpToolsProtocol):
    """Reads one request after the other, each once the one before it is answered.

    Refuses requests whose headers do not arrive, what is not HTTP, and connections beyond the limit.
    """

    flow: HeldFlow

    def __init__(self, *, open_connections: OpenConnections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._open = open_connections

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.flow = HeldFlow(transport)
        taken = self._open.take(self.client[0] if self.client else "unknown")
        self._refusal = taken if isinstance(taken, Problem) else None
        if isinstance(taken, Place):
            self.place = taken
            self._open.add_silent(self)
        else:
            self._open.refused += 1
            if self._open.refused > MAX_REFUSED_CONNECTIONS:
                transport.abort()
        self._received = 0  # bytes of the request that is being read
        self._in_headers = True
        self._header_timer = self._start_header_timer()

    def evict(self) -> None:
        """Leave the place to another connection."""
        self.leave_place()
        self.transport.abort()

    def _start_header_timer(self) -> asyncio.TimerHandle:
        seconds = CLOSING_SECONDS if self._refusal else HEADER_SECONDS
        return asyncio.get_running_loop().call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        if self._in_headers and self._received:
            self.refuse(Problem("too-slow", "The request took too long to arrive."))
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.closing:
            return
        if self._refusal:
            self.refuse(self._refusal)
            return
        if self._waiting:
            self.keep_waiting(self._waiting + data)
        else:
            self._read(data)

    def _read(self, data: bytes) -> None:
        """Parse the data up to the end of a request. The rest waits until that request is answered.

        It is parsed up to each end of headers, so at most one request is parsed too early. Uvicorn queues that one.
        """
        start = 0
        while start < len(data) and not self.closing:
            if self._must_wait():
                self.keep_waiting(data[start:])
                self.flow.pause_reading()
                self.flow.is_held = True
                if self.drop_beyond_limit():
                    self.cycle.keep_alive = False  # the client has to send the rest again, on another connection
                return
            found = data.find(END_OF_HEADERS, start)
            end = len(data) if found < 0 else found + len(END_OF_HEADERS)
            self._received += end - start
            super().data_received(data if end - start == len(data) else data[start:end])
            if self._in_headers and self._received > MAX_HEADER_BYTES:
                self.refuse(Problem("headers-too-large", f"Headers can have at most {MAX_HEADER_BYTES} bytes."))
            start = end

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self.place and self.place.is_reserved:
            self.scope["state"][RESERVED] = True

    def on_headers_complete(self) -> None:
        self._header_timer.cancel()
        self._open.remove_silent(self)
        self._in_headers = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Collect the body. The application is woken once it is complete or large, not for every piece."""
        if self.cycle.response_complete or (self.parser.should_upgrade() and self._should_upgrade()):
            return
        self.cycle.body += body
        if len(self.cycle.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
            self.cycle.message_event.set()

    def on_message_complete(self) -> None:
        self._in_headers, self._received = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._waiting and not self._must_wait() and not self.transport.is_closing():
            waiting = self._waiting
            self.keep_waiting(b"")
            self.flow.is_held = False
            self.flow.resume_reading()
            self._read(waiting)
        if self.cycle.response_complete:  # and no other request waits
            self._header_timer.cancel()
            self._header_timer = self._start_header_timer()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the connection open for the answer if the client has sent everything, or stopped in the middle."""
        if self._is_answering():
            self.cycle.keep_alive = False
            return True
        if self._received:
            self.send_400_response("")
        return self.closing

    def _must_wait(self) -> bool:
        return bool(self.pipeline) or self._is_answering()

    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete and not self.cycle.more_body

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore the upgrade, and close the connection after the response: what follows cannot be read."""
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP. The answer to a request before it comes first, and closes the connection."""
        if self._is_answering():
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        if self.cycle and not self.cycle.response_complete:  # its body is what is malformed
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.refuse(Problem("bad-request", "This is not a valid HTTP request."))

    def handle_websocket_upgrade(self) -> None:
        if self.cycle and not self.cycle.response_complete:  # its answer cannot be part of the socket
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        self.app_state = self.scope["state"]
        accept = usual_accept(self.scope["method"], self.scope["http_version"], self.headers)
        if accept is None or not self.url.startswith(b"/") or not self.url.isascii():
            super().handle_websocket_upgrade()
        else:
            self.connections.discard(self)
            socket = SocketConnection(self.config, self.server_state, self.app_state)
            socket.take_over(self, accept)
            self.transport.set_protocol(socket)
        protocol = self.transport.get_protocol()
        assert isinstance(protocol, SocketConnection)
        protocol.place, self.place = self.place, None
        self.closing = True  # what still waits cannot be part of the socket: the client has to see that it is open
        del self.parser, self._header_timer  # they refer to this connection; collecting thousands of cycles takes long

    def connection_lost(self, exc: Exception | None) -> None:
        self._header_timer.cancel()
        self._open.remove_silent(self)
        if self._refusal:
            self._open.refused -= 1
        super().connection_lost(exc)


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

    def take_over(self, http: HttpConnection, accept: str) -> None:
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
