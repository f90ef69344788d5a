"""What HTTP connections and sockets share below HTTP: how they close, what they keep, and clients that read nothing."""

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from duelbook.web.http.errors import problem_response
from duelbook.web.http.middleware import RAW_HEADERS
from duelbook.web.http.open_connections import ConnectionPlace
from duelbook.web.problems import Problem

MAX_WAITING_BYTES = 50_000_000  # of all connections, received but not read; beyond it they are dropped
UNREAD_SECONDS = 10.0  # for which a client may leave unread what was sent
CLOSING_SECONDS = 2.0  # for which a client may still send after it was refused


class Connection(asyncio.Protocol):
    """What both kinds of connection share: how they close, and the abort of clients that read nothing."""

    transport: asyncio.Transport
    place: ConnectionPlace | None = None
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
