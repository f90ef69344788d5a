"""The live socket of a match: the service sends views, and players send messages."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from duelbook.documents import convert
from duelbook.web import metrics
from duelbook.web.http.errors import as_problem, error_message
from duelbook.web.http.frames import DIRECT_WRITE
from duelbook.web.http.rate_limits import Limiter, client_address
from duelbook.web.http.requests import check_match_id, find_token, parse_json, read_plain_action
from duelbook.web.live.hub import Update, Watcher, ignore
from duelbook.web.logs import sample
from duelbook.web.match.tokens import token_hash
from duelbook.web.match.view import first_message, match_view, presence_message
from duelbook.web.schemas.messages import (
    MAX_ID_CHARACTERS,
    AcceptedMessage,
    ActionMessage,
    ClientMessage,
    ErrorMessage,
    ViewRequest,
)
from duelbook.web.service import Service

ACTION_DECODER = msgspec.json.Decoder(ActionMessage)

log = logging.getLogger("duelbook.web")


async def live(scope: Scope, receive: Receive, send: Send) -> None:
    """Send the view at once and after every change; answer every message with exactly one message."""
    service: Service = scope["service"]
    limiter: Limiter = scope["limiter"]
    match = scope["path_params"]["match"]
    check_match_id(match)
    connection = HTTPConnection(scope)
    token = find_token(connection, match)
    with service.hub.watching(match) as watcher:  # before the match is read, or changes in between would get lost
        served = await service.actions.admit(match, token)
        seat = None if token is None else served.seat_of(token)
        watcher.present = present = service.presence.seats_with(match, seat)
        first = Update(served.row.version, msgspec.json.encode(first_message(served, seat, present)))
        address = client_address(scope)
        with limiter.socket(address):
            await receive()  # the request to open the socket
            await send({"type": "websocket.accept"})
            writer = SocketWriter(scope, send, watcher, served.agents, first.version, present)
            socket = LiveSocket(receive, writer, service, limiter, match, token, address)
            with service.presence.joined(match, seat):
                service.claims.welcome(match)
                if await writer.write(first.message):
                    await socket.run()


class SocketWriter:
    """Writes to one socket: at once where the server can, and otherwise in a task that waits for the client.

    Everything is written in the order in which it came, so the client never gets an older version after a newer one.
    """

    def __init__(self, scope: Scope, send: Send, watcher: Watcher, agents: int, seen: int, present: int) -> None:
        self._write_now: Callable[[bytes], bool] = scope.get("extensions", {}).get(DIRECT_WRITE, _cannot_write)
        self._send = send
        self._watcher = watcher
        self._agents = agents  # the seats that agents have
        self._present = present  # as the client knows it
        self._seen = seen
        self._answer: bytes | None = None  # comes next, after what is being sent
        self._sending: asyncio.Task[bool] | None = None

    async def write(self, message: bytes, version: int = 0) -> bool:
        """Write the message, and wait while the client reads too slowly; return False if the client has gone.

        After a message with the view of that version, the client gets no older one.
        """
        self._seen = max(self._seen, version - 1)
        if self._sending and not self._sending.done():
            self._answer = message
        elif self._write_now(message):
            return True
        else:
            self._sending = asyncio.create_task(self._send_all(message))
        return await self._sending

    def start(self) -> None:
        """Write what changes from now on."""
        self._watcher.notice = self._write_changes
        self._write_changes()

    def stop(self) -> None:
        self._watcher.notice = ignore
        if self._sending:
            self._sending.cancel()

    def _write_changes(self) -> None:
        """Write what is new, at once if possible. While a task waits for the client, it writes that later."""
        if self._sending and not self._sending.done():
            return
        while (message := self._next_change()) is not None:
            if not self._write_now(message):
                self._sending = asyncio.create_task(self._send_all(message))
                return

    async def _send_all(self, message: bytes | None) -> bool:
        """Send the message and what has come meanwhile; return False if the client has gone."""
        try:
            while message is not None:
                await self._send({"type": "websocket.send", "text": message.decode()})
                message, self._answer = self._answer, None
                if message is None:
                    message = self._next_change()
        except (OSError, RuntimeError):  # RuntimeError: the socket is being closed
            return False
        return True

    def _next_change(self) -> bytes | None:
        """Return the next message that the client needs, or None."""
        watcher = self._watcher
        while watcher.updates:
            update = watcher.updates.popleft()
            if update.version > self._seen:
                self._seen = update.version
                return update.message
        if watcher.present != self._present:
            self._present = watcher.present
            return msgspec.json.encode(presence_message(self._present | self._agents))
        return None


def _cannot_write(_: bytes) -> bool:
    return False


class LiveSocket:
    """One open socket, whose messages are answered one after the other."""

    def __init__(
        self,
        receive: Receive,
        writer: SocketWriter,
        service: Service,
        limiter: Limiter,
        match: str,
        token: str | None,
        address: str,
    ) -> None:
        self._receive = receive
        self._writer = writer
        self._service = service
        self._limiter = limiter
        self._match = match
        self._token = token
        self._address = address
        self._client = token_hash(token) if token is not None else f"watcher {id(self)}"

    async def run(self) -> None:
        """Send and answer until either side closes the socket."""
        metrics.sockets.inc()
        self._writer.start()
        try:
            await self._listen()
        finally:
            self._writer.stop()
            metrics.sockets.dec()

    async def _listen(self) -> None:
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                return
            raw = event.get("bytes")
            if raw is None:
                raw = (event.get("text") or "").encode(errors="surrogatepass")
            answer = await self._answer(raw)
            shown = answer.match.version if isinstance(answer, AcceptedMessage) and answer.match else 0
            if not await self._writer.write(msgspec.json.encode(answer), shown):
                return

    async def _answer(self, raw: bytes) -> AcceptedMessage | ErrorMessage:
        """Carry out one message. Return whether it was accepted or why it failed, and the current ply."""
        known: dict[str, Any] = {}
        kind = "unreadable"
        try:
            message = self._read(raw, known)
            kind = message.action if isinstance(message, ActionMessage) else str(message.__struct_config__.tag)
            accepted = AcceptedMessage(**known, **await self._carry_out(message))
        except Exception as error:
            problem = as_problem(error)
            if problem is None:
                raise
            self._log(kind, problem.code)
            await asyncio.sleep(problem.delay_seconds)
            return error_message(problem, **known, **await self._standing())
        self._log(kind, "accepted")
        return accepted

    def _log(self, kind: str, answer: str) -> None:
        metrics.labelled(metrics.messages, kind, answer).inc()
        if sample.admits(self._address, kind, answer):
            log.info("message", extra={"match": self._match, "kind": kind, "answer": answer})

    def _read(self, raw: bytes, known: dict[str, Any]) -> ClientMessage:
        """Return the message and note its id. Every frame counts towards the seat's limit, readable or not."""
        if action := read_plain_action(raw, ACTION_DECODER):
            if action.id is not None:
                known["id"] = action.id
            self._count()
            return action
        try:
            value = parse_json(raw)
            message_id = value.get("id") if isinstance(value, dict) else None
            if isinstance(message_id, str) and len(message_id) <= MAX_ID_CHARACTERS:
                known["id"] = message_id
        finally:
            self._count()
        message: ClientMessage = convert(value, ClientMessage)  # type: ignore[arg-type]
        return message

    def _count(self) -> None:
        self._limiter.check("message", self._address)
        self._limiter.check("seat", self._client)

    async def _carry_out(self, message: ClientMessage) -> dict[str, Any]:
        match message:
            case ActionMessage():
                served = await self._service.actions.act(self._match, self._token, message)
            case ViewRequest():
                view = match_view(await self._service.registry.read(self._match))
                return {"ply": view.ply, "version": view.version, "match": view}
            case _:
                return await self._standing()
        return {"ply": served.row.ply, "version": served.row.version}

    async def _standing(self) -> dict[str, Any]:
        """Return the current ply and version of the match, if it can be read now."""
        with suppress(Exception):
            row = (await self._service.registry.read(self._match)).row
            return {"ply": row.ply, "version": row.version}
        return {}
