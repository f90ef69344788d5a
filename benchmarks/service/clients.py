"""Clients of the service: each has a connection, a seat, and the live socket of a match."""

import asyncio
import json
import re
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

from benchmarks.service.connections import Answer, Connection, HttpConnection, LiveSocket, RefusedError
from benchmarks.service.server import Server
from benchmarks.service.usage import processor_seconds

HOST = "127.0.0.1"
IDLE_SECONDS = 3.0  # after which a connection is not used again: the server closes it after 5
STUDY_SECONDS = 1.0  # before a study that is not finished is asked for again
REST_SECONDS, IDLE_CORES = 1.0, 0.2  # a server rests if it used less than so much of a processor for that time
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: ZHVlbGJvb2stbWVhc3VyZQ==\r\n"
)
PLY = re.compile(rb'"ply": *(\d+)')
MOVER = re.compile(rb'"mover": *"(\w+)"')
LEGAL = re.compile(rb'"legal": *\["([^\]]*)"\]')
Kind = TypeVar("Kind", bound=Connection)
SEPARATOR = re.compile('", *"')


class Client:
    """A client with a connection, which is opened when it is needed."""

    def __init__(self, port: int, address: str = HOST) -> None:
        self.port = port
        self._address = address  # of the client
        self._http: HttpConnection | None = None
        self._used = 0.0

    async def ask(self, method: str, path: str, body: str = "", token: str = "") -> Answer:
        """Send a request and return the answer, whatever its status."""
        http = await self._connected()
        answer = await http.ask(self._head(method, path, token, f"Content-Length: {len(body)}\r\n") + body.encode())
        self._used = time.monotonic()
        return answer

    async def study(self, path: str) -> Answer:
        """Ask for a study until it is finished or refused, and return that answer."""
        while (answer := await self.ask("GET", path)).status == HTTPStatus.ACCEPTED:
            await asyncio.sleep(STUDY_SECONDS)
        return answer

    async def _connected(self) -> HttpConnection:
        if self._http is None or self._http.lost or time.monotonic() > self._used + IDLE_SECONDS:
            self.close()
            self._http = await self._connect(HttpConnection)
        return self._http

    async def _connect(self, kind: type[Kind]) -> Kind:
        # To bind every connection would make the kernel search for a free port: slow, once thousands have been used.
        own = None if self._address == HOST else (self._address, 0)
        _, connection = await asyncio.get_running_loop().create_connection(kind, HOST, self.port, local_addr=own)
        return connection

    async def get(self, path: str) -> Any:
        """Return the document at the path."""
        return decoded(await self.ask("GET", path))

    async def post(self, path: str, token: str = "", **body: Any) -> Any:
        """Send a document, and return the one in the answer."""
        return decoded(await self.ask("POST", path, json.dumps(body), token))

    async def live(self, match: str, token: str = "") -> LiveSocket:
        """Open the live socket of a match."""
        live = await self._connect(LiveSocket)
        await live.open(self._head("GET", f"/api/matches/{match}/live", token, UPGRADE))
        return live

    def _head(self, method: str, path: str, token: str, more: str) -> bytes:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        json_body = "Content-Type: application/json\r\n" if method == "POST" else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\n{bearer}{json_body}{more}\r\n".encode()

    def close(self) -> None:
        if self._http:
            self._http.close()

    async def create(self, game: str = "crystal-capture", opponent: str = "friend", **request: Any) -> "Seat":
        """Create a match and take a seat in it."""
        return self._seated(await self.post("/api/matches", game=game, opponent=opponent, **request))

    async def join(self, match: str, **request: Any) -> "Seat":
        """Take the free seat of a match."""
        return self._seated(await self.post(f"/api/matches/{match}/join", **request))

    def _seated(self, answer: Any) -> "Seat":
        return Seat(self, answer["id"], answer["seat"], answer["token"])


@dataclass
class Seat:
    """A seat in a match, with its token."""

    client: Client
    match: str
    name: str
    token: str
    live: LiveSocket = field(init=False)

    async def watch(self) -> None:
        """Open the live socket of the seat."""
        self.live = await self.client.live(self.match, self.token)

    async def post_move(self, ply: int, move: str, key: str) -> Answer:
        """Play a move over HTTP."""
        body = f'{{"action": "play", "ply": {ply}, "move": "{move}", "key": "{key}"}}'
        return await self.client.ask("POST", f"/api/matches/{self.match}/actions", body, self.token)

    async def say_move(self, ply: int, move: str, key: str) -> Answer:
        """Play a move over the live socket."""
        body = f'"action": "play", "ply": {ply}, "move": "{move}", "key": "{key}"'
        message = f'{{"type": "action", {body}, "id": "{ply}"}}'
        return await self.live.say(message.encode())


def decoded(answer: Answer) -> Any:
    """Return the document in the answer, or raise RefusedError."""
    return json.loads(accepted(answer).body)


def accepted(answer: Answer) -> Answer:
    """Return the answer, or raise RefusedError if it is an error."""
    if answer.status >= 400:
        raise RefusedError(answer.body.decode())
    return answer


def parse_view(view: bytes) -> tuple[int, str, list[str]]:
    """Return the ply, the mover's seat and the legal moves (none after the end), without decoding the view."""
    ply, mover, legal = PLY.search(view), MOVER.search(view), LEGAL.search(view)
    assert ply
    names = SEPARATOR.split(legal[1].decode()) if legal else []
    return int(ply[1]), mover[1].decode() if mover else "", names


async def wait_until_prepared(server: Server) -> None:
    """Return once an agent has moved and all processes rest: they prepare their agents after the start."""
    client = Client(server.port)
    seat = await client.create("charge", "perfect", seat="second")
    while (await client.get(f"/api/matches/{seat.match}"))["ply"] == 0:
        await asyncio.sleep(0.1)
    client.close()
    used = 0.0
    while used + IDLE_CORES * REST_SECONDS < (used := processor_seconds(server.pid)):
        await asyncio.sleep(REST_SECONDS)
