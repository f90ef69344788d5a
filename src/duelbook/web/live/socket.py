"""The live socket of a match: views come down it, and a player's messages go up."""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter
from pydantic import Field, TypeAdapter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.web import metrics
from duelbook.web.http.errors import as_problem
from duelbook.web.http.middleware import address, problem_response
from duelbook.web.http.requests import find_service, find_token, match_id
from duelbook.web.http.routes.matches import limit_seat
from duelbook.web.http.schemas import PlayedMove, StrictModel, Undo
from duelbook.web.live.hub import Update, Watcher
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import first_message, match_view, presence_message
from duelbook.web.problems import Problem
from duelbook.web.service import Service

LATER = 1013  # the code a socket is closed with when the match cannot be read now: try again later

log = logging.getLogger("duelbook.web")

MessageId = Annotated[str, Field(max_length=64)]


class _Message(StrictModel):
    id: MessageId | None = None


class MoveMessage(PlayedMove, _Message):
    type: Literal["move"]


class UndoMessage(Undo, _Message):
    type: Literal["undo"]


class PlainMessage(_Message):
    type: Literal["resign", "view", "ping"]


AnyMessage = MoveMessage | UndoMessage | PlainMessage
read_message: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


async def live(websocket: WebSocket) -> None:
    """Send the view at once and after every change; answer every message with exactly one."""
    service, match = await find_service(websocket), websocket.path_params["match"]
    try:
        token = await find_token(websocket, await match_id(match))
        with service.hub.watching(match) as watcher:  # before reading, or changes get lost
            served = await service.actions.admit(match, token)
            seat = None if token is None else served.seat_of(token)
            watcher.present = service.presence.seats_with(match, seat)
            socket = Socket(websocket, service, served, token, watcher.present)
            message = first_message(served, seat, watcher.present)
            first = Update(served.row.version, msgspec.json.encode(message).decode())
            async with service.limiter.socket(address(websocket)):
                await websocket.accept()
                with service.presence.there(match, seat), suppress(WebSocketDisconnect, RuntimeError):
                    await socket.run(first, watcher)
    except Exception as error:
        problem = as_problem(error)
        if problem is None:
            raise
        if websocket.application_state.name == "CONNECTED":
            await websocket.close(LATER, str(problem)[:100])
        else:
            await websocket.send_denial_response(problem_response(problem))


class Socket:
    def __init__(
        self, websocket: WebSocket, service: Service, served: ServedMatch, token: str | None, present: int
    ) -> None:
        self._websocket = websocket
        self._service = service
        self._match = served.row.id
        self._token = token
        self._agents = served.agents
        self._present = present  # as the other side knows it

    async def run(self, first: Update, watcher: Watcher) -> None:
        """Watch and listen until either side ends it."""
        await self._send(first.message)
        metrics.sockets.inc()
        watching = asyncio.create_task(self._watch(watcher, first.version))
        try:
            await self._listen()
        finally:
            watching.cancel()
            metrics.sockets.dec()

    async def _watch(self, watcher: Watcher, seen: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the other side has gone, as listening finds out too
            while True:
                latest = await watcher.updates.get()
                if latest.version > seen:
                    seen = latest.version
                    await self._send(latest.message)
                if watcher.present != self._present:
                    self._present = watcher.present
                    await self._send(msgspec.json.encode(presence_message(self._present | self._agents)).decode())

    async def _send(self, message: str) -> None:
        """Send the message; the connection is aborted if the other side does not read."""
        await self._websocket.send_text(message)

    async def _listen(self) -> None:
        while True:
            frame = await self._websocket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            raw = frame.get("bytes")
            if raw is None:
                raw = (frame.get("text") or "").encode(errors="surrogatepass")
            await self._send(await self._answer(raw))

    async def _answer(self, raw: bytes) -> str:
        """Answer one message: that it is accepted, or a problem; both with where the match stands."""
        known: dict[str, Any] = {}
        kind = "unreadable"
        try:
            message = await self._read(raw, known)
            kind = message.type
            answer = await self._carry_out(message)
        except Exception as error:
            problem = as_problem(error)
            if problem is None:
                raise
            self._note(kind, problem.code)
            return json.dumps({"type": "error", **known, **await self._standing(), **_told(problem)})
        self._note(kind, "accepted")
        return msgspec.json.encode({"type": "accepted", **known, **answer}).decode()

    def _note(self, kind: str, answer: str) -> None:
        metrics.messages.labels(kind, answer).inc()
        log.info("message", extra={"match": self._match, "kind": kind, "answer": answer})

    async def _read(self, raw: bytes, known: dict[str, Any]) -> AnyMessage:
        """Answer what the bytes say; they count towards the seat's limit whether or not they say anything."""
        try:
            value = parse(raw)
        except RefusedError as error:
            await self._limit()
            raise Problem("bad-request", str(error)) from error
        given = value.get("id") if isinstance(value, dict) else None
        if isinstance(given, str) and len(given) <= 64:
            known["id"] = given
        await self._limit()
        return read_message.validate_python(value, strict=True)

    async def _limit(self) -> None:
        await limit_seat(self._service, self._token or f"watcher {id(self)}")

    async def _carry_out(self, message: AnyMessage) -> dict[str, Any]:
        actions, match, token = self._service.actions, self._match, self._token
        match message:
            case MoveMessage():
                answer = await actions.play(match, token, message.ply, message.move, message.key)
            case UndoMessage():
                answer = await actions.undo(match, token, message.agree, message.ply)
            case PlainMessage(type="resign"):
                answer = await actions.resign(match, token)
            case PlainMessage(type="view"):
                view = match_view(await self._service.registry.read(match))
                return {"ply": view.ply, "version": view.version, "match": view}
            case _:
                return await self._standing()
        return {"ply": answer.row.ply, "version": answer.row.version}

    async def _standing(self) -> dict[str, Any]:
        """Answer where the match stands, if that can be found out now."""
        with suppress(Exception):
            row = (await self._service.registry.read(self._match)).row
            return {"ply": row.ply, "version": row.version}
        return {}


def _told(problem: Problem) -> dict[str, Any]:
    return {name: value for name, value in problem.document().items() if name not in ("type", "title")}


router = APIRouter(routes=[WebSocketRoute("/api/matches/{match}/live", live)])
