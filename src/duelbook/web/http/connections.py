"""Connections: nothing is waited for or stored without an end, and whatever is refused gets an answer."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame

from duelbook.web.http.middleware import LARGEST_HEADERS, RAW_HEADERS, problem_response
from duelbook.web.logs import no_chatter
from duelbook.web.problems import Problem, unavailable

MOST_FRAGMENTS = 64  # frames of one message
SLOWEST_HEADERS = 10.0  # seconds
SLOWEST_READER = 10.0  # seconds for which a client may leave unread what has been sent
quiet = logging.getLogger("duelbook.sockets")
quiet.setLevel(logging.WARNING)
quiet.addFilter(no_chatter)
FAREWELL = 2.0  # seconds for which a client that was refused may go on talking


class Connection(asyncio.Protocol):
    """What both kinds of connection do: they part in a civil way, and from who reads nothing without more ado."""

    transport: asyncio.Transport
    leaving = False
    close_timer: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def refuse(self, problem: Problem) -> None:
        """Answer a request that has not become one, and end the connection."""
        response = problem_response(problem)
        headers = (*response.raw_headers, *RAW_HEADERS, (b"connection", b"close"))
        lines = (b"%s: %s\r\n" % header for header in headers)
        self.leave(b"".join([STATUS_LINE[problem.status], *lines, b"\r\n", bytes(response.body)]))

    def leave(self, last_words: bytes) -> None:
        """Say the last words and drop what still arrives: closing with bytes unread would take the words back."""
        if not self.leaving and not self.transport.is_closing():
            self.leaving = True
            self.transport.write(last_words)
            self.transport.write_eof()
            self.close_timer = asyncio.get_running_loop().call_later(FAREWELL, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = asyncio.get_running_loop().call_later(SLOWEST_READER, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._no_longer_stuck()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._no_longer_stuck()

    def _no_longer_stuck(self) -> None:
        if self._stuck:
            self._stuck.cancel()


class HttpConnection(Connection, HttpToolsProtocol):
    """Refuses a request that does not get to the end of its headers, what is none, and who is one too many."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.limit_concurrency = None  # Uvicorn would refuse those who have been here for long, too
        self._too_many = len(self.connections) > (self.config.limit_concurrency or len(self.connections))
        self._so_far = 0  # bytes of the request that is being read
        self._in_headers = True
        self._patience = self._wait_for_headers()

    def _wait_for_headers(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(SLOWEST_HEADERS, self._give_up)

    def _give_up(self) -> None:
        if self._in_headers and self._so_far:
            self.refuse(Problem("too-slow", "the request took too long to arrive"))
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.leaving:
            return
        if self._too_many:
            self.refuse(unavailable("too many are connected to the service now; try again in a moment"))
            return
        self._so_far += len(data)
        super().data_received(data)
        if self._in_headers and self._so_far > LARGEST_HEADERS:
            self.refuse(Problem("headers-too-large", f"headers have at most {LARGEST_HEADERS} bytes"))

    def on_headers_complete(self) -> None:
        self._patience.cancel()
        self._in_headers = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_headers, self._so_far = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # and no other request waits
            self._patience.cancel()
            self._patience = self._wait_for_headers()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the connection for the answer to who has said everything, or has stopped in the middle."""
        if self._answering():
            self.cycle.keep_alive = False
            return True
        if self._so_far:
            self.send_400_response("")
        return self.leaving

    def _answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete and not self.cycle.more_body

    def _unsupported_upgrade_warning(self) -> None:
        """Answer as if nothing special had been asked for; what follows cannot be read any more."""
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; the answer to a request before it comes first, and ends the connection."""
        if self._answering():
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        if self.cycle and not self.cycle.response_complete:  # its body is what is wrong
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.refuse(Problem("bad-request", "this is not HTTP as it should be"))

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        del self.parser, self._patience  # they refer to this connection, and collecting thousands stops everything

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)


class SocketConnection(Connection, WebSocketsSansIOProtocol):
    """Answers what is not even the beginning of a socket, and takes no message without an end."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.logger = self.conn.logger = quiet  # the gate logs every socket

    def data_received(self, data: bytes) -> None:
        if self.leaving:
            return
        super().data_received(data)
        if not self.handshake_initiated:  # the whole request has been read, and is none
            malformed = isinstance(self.conn.handshake_exc, InvalidMessage)
            code = "bad-request" if malformed else "headers-too-large"
            self.refuse(Problem(code, "this is not a request for a socket as it should be"))

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > MOST_FRAGMENTS:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, f"a message has at most {MOST_FRAGMENTS} frames")
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Close the socket with the reason why what came cannot be read."""
        said = self.conn.close_sent
        assert said
        self.queue.put_nowait({"type": "websocket.disconnect", "code": said.code, "reason": said.reason})
        self.close_sent = True
        self.leave(b"".join(self.conn.data_to_send()))

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # who does not read gets no pongs, or they would pile up

    def shutdown(self) -> None:
        """Tell the other side to come back; who reads nothing cannot be told, and is not waited for."""
        if self.writable.is_set():
            super().shutdown()
        else:
            self.transport.abort()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # or Uvicorn logs every refusal as an error
