"""The live socket of a match: the service sends views, and players send messages."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from duelbook.documents import convert
from duelbook.web import metrics
from duelbook.web.http.errors import as_problem, error_message
from duelbook.web.http.rate_limits import Limiter, client_address
from duelbook.web.http.requests import check_match_id, find_token, parse_json
from duelbook.web.live.hub import Update, Watcher
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.tokens import token_hash
from duelbook.web.match.view import first_message, match_view, presence_message
from duelbook.web.schemas.messages import (
    MAX_ID_CHARACTERS,
    AcceptedMessage,
    ClientMessage,
    MoveMessage,
    ResignMessage,
    UndoMessage,
    ViewRequest,
)
from duelbook.web.service import Service

log = logging.getLogger("duelbook.web")


async def live(websocket: WebSocket) -> None:
    """Send the view at once and after every change; answer every message with exactly one message."""
    service: Service = websocket.scope["service"]
    limiter: Limiter = websocket.scope["limiter"]
    match = websocket.path_params["match"]
    check_match_id(match)
    token = find_token(websocket, match)
    with service.hub.watching(match) as watcher:  # before the match is read, or changes in between would get lost
        served = await service.actions.admit(match, token)
        seat = None if token is None else served.seat_of(token)
        watcher.present = service.presence.seats_with(match, seat)
        first = Update(served.row.version, _encode(first_message(served, seat, watcher.present)))
        socket = LiveSocket(websocket, service, limiter, served, token, watcher)
        with limiter.socket(client_address(websocket)):
            await websocket.accept()
            with service.presence.joined(match, seat), suppress(WebSocketDisconnect, RuntimeError):
                await socket.run(first)


class LiveSocket:
    """One open socket: a task that sends what changes, and a loop that answers messages."""

    def __init__(
        self,
        websocket: WebSocket,
        service: Service,
        limiter: Limiter,
        served: ServedMatch,
        token: str | None,
        watcher: Watcher,
    ) -> None:
        self._websocket = websocket
        self._service = service
        self._limiter = limiter
        self._match = served.row.id
        self._agents = served.agents
        self._token = token
        self._client = token_hash(token) if token is not None else f"watcher {id(self)}"
        self._watcher = watcher
        self._present = watcher.present  # as the client knows it

    async def run(self, first: Update) -> None:
        """Send and answer until either side closes the socket."""
        await self._websocket.send_text(first.message)
        metrics.sockets.inc()
        watching = asyncio.create_task(self._watch(first.version))
        try:
            await self._listen()
        finally:
            watching.cancel()
            metrics.sockets.dec()

    async def _watch(self, seen: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the client has gone, as `_listen` finds out too
            while True:
                update = await self._watcher.updates.get()
                if update.version > seen:
                    seen = update.version
                    await self._websocket.send_text(update.message)
                if self._watcher.present != self._present:
                    self._present = self._watcher.present
                    await self._websocket.send_text(_encode(presence_message(self._present | self._agents)))

    async def _listen(self) -> None:
        while True:
            frame = await self._websocket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            raw = frame.get("bytes")
            if raw is None:
                raw = (frame.get("text") or "").encode(errors="surrogatepass")
            await self._websocket.send_text(_encode(await self._answer(raw)))

    async def _answer(self, raw: bytes) -> msgspec.Struct:
        """Carry out one message. Return whether it was accepted or why it failed, and the current ply."""
        known: dict[str, Any] = {}
        kind = "unreadable"
        try:
            message = await self._read(raw, known)
            kind = str(message.__struct_config__.tag)
            accepted = AcceptedMessage(**known, **await self._carry_out(message))
        except Exception as error:
            problem = as_problem(error)
            if problem is None:
                raise
            self._log(kind, problem.code)
            return error_message(problem, **known, **await self._standing())
        self._log(kind, "accepted")
        return accepted

    def _log(self, kind: str, answer: str) -> None:
        metrics.messages.labels(kind, answer).inc()
        log.info("message", extra={"match": self._match, "kind": kind, "answer": answer})

    async def _read(self, raw: bytes, known: dict[str, Any]) -> ClientMessage:
        """Return the message and note its id. Every frame counts towards the seat's limit, readable or not."""
        try:
            value = parse_json(raw)
            message_id = value.get("id") if isinstance(value, dict) else None
            if isinstance(message_id, str) and len(message_id) <= MAX_ID_CHARACTERS:
                known["id"] = message_id
        finally:
            self._limiter.check("seat", self._client)
        message: ClientMessage = convert(value, ClientMessage)  # type: ignore[arg-type]
        return message

    async def _carry_out(self, message: ClientMessage) -> dict[str, Any]:
        actions, match, token = self._service.actions, self._match, self._token
        match message:
            case MoveMessage():
                served = await actions.play(match, token, message.ply, message.move, message.key)
            case UndoMessage():
                served = await actions.undo(match, token, message.agree, message.ply)
            case ResignMessage():
                served = await actions.resign(match, token)
            case ViewRequest():
                view = match_view(await self._service.registry.read(match))
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


def _encode(message: msgspec.Struct) -> str:
    return msgspec.json.encode(message).decode()
