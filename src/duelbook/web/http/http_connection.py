"""HTTP connections below the application: one request after the other, with time and size limits."""

import asyncio
from typing import Any

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from duelbook.web.http.connection import CLOSING_SECONDS, Connection
from duelbook.web.http.handshake import WEBSOCKET_VERSION, usual_accept
from duelbook.web.http.middleware import MAX_HEADER_BYTES, RESERVED
from duelbook.web.http.open_connections import MAX_REFUSED_CONNECTIONS, ConnectionPlace, OpenConnections
from duelbook.web.http.rate_limits import GOLDEN_RATIO
from duelbook.web.http.socket_connection import SocketConnection
from duelbook.web.problems import Problem

END_OF_HEADERS = b"\r\n\r\n"
HEADER_SECONDS = 10.0  # for the headers of a request to arrive
KEEP_ALIVE_SPREAD = 0.5  # of the time that an idle connection stays open is added to it at most: thousands that were
# opened together are then not closed together, and do not stop everything else meanwhile


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
    _made = 0  # connections of this process so far

    def __init__(self, *, open_connections: OpenConnections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._open = open_connections
        HttpConnection._made += 1
        self.timeout_keep_alive *= 1 + KEEP_ALIVE_SPREAD * (self._made * GOLDEN_RATIO % 1)  # type: ignore[assignment]

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.flow = HeldFlow(transport)
        taken = self._open.take(self.client[0] if self.client else "unknown")
        self._refusal = taken if isinstance(taken, Problem) else None
        if isinstance(taken, ConnectionPlace):
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
            self.cycle.message_event.set()  # for an application that waits for the client to leave
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
        if self.scope["http_version"] == "1.0":
            self.refuse(Problem("bad-request", "A WebSocket needs HTTP/1.1."))
            return
        if any(name == b"sec-websocket-version" and value != WEBSOCKET_VERSION for name, value in self.headers):
            offered = {"Upgrade": "websocket", "Sec-WebSocket-Version": WEBSOCKET_VERSION.decode()}
            self.refuse(Problem("wrong-version", "The service speaks version 13 of WebSocket.", headers=offered))
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
