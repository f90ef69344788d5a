"""The network between clients and the service: ASGI on one side, requests and sockets on the other."""

import asyncio
import random
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from duelbook.web.http.frames import DIRECT_WRITE
from tests.simulation.event_loop import VirtualLoop
from tests.simulation.faults import Kind

if TYPE_CHECKING:
    from tests.simulation.cluster import Cluster, Node

ANSWER_SECONDS = 90.0  # after which a client gives up; the service must be much faster
HANDSHAKE = {"asgi": {"version": "3.0"}, "http_version": "1.1", "server": ("127.0.0.1", 8000)}


class NetworkError(Exception):
    """The connection failed. Whether the request was carried out is unknown."""


class Answer(msgspec.Struct):
    """The answer to a request."""

    status: int
    body: Any

    @property
    def code(self) -> str:
        return str(self.body.get("code", "")) if isinstance(self.body, dict) else ""


class Network:
    """Carries requests and sockets, with delays, and with losses if it is told to."""

    def __init__(self, loop: VirtualLoop, seed: object, cluster: "Cluster") -> None:
        self.loop = loop
        self.cluster = cluster
        self.random = random.Random(f"{seed} network")
        self.failures: list[str] = []  # exceptions that came out of the application

    def delay(self, node: int) -> float:
        extra = self.random.random() ** 2 if self.lossy(node) else 0.0
        return 0.001 + 0.03 * self.random.random() ** 2 + extra

    def lossy(self, node: int) -> bool:
        return self.cluster.faults.active(Kind.LOSSY_NETWORK, node)

    def loses(self, node: int) -> bool:
        return self.lossy(node) and self.random.random() < 0.3

    async def request(
        self, node: int, method: str, path: str, body: Any = None, token: str | None = None, address: str = "192.0.2.1"
    ) -> Answer:
        await asyncio.sleep(self.delay(node))
        place = self.cluster.nodes[node]
        if place.application is None or self.loses(node):
            await asyncio.sleep(self.delay(node))
            raise NetworkError("the connection was refused")
        exchange = Exchange(self, place, _scope("http", method, path, token, address, body), body)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await exchange.answer
        except TimeoutError as error:
            raise NetworkError("no answer") from error
        finally:
            place.connections.pop(exchange, None)

    async def connect(self, node: int, path: str, token: str | None, address: str = "192.0.2.1") -> "Socket":
        await asyncio.sleep(self.delay(node))
        place = self.cluster.nodes[node]
        if place.application is None or self.loses(node):
            await asyncio.sleep(self.delay(node))
            raise NetworkError("the connection was refused")
        socket = Socket(self, place, _scope("websocket", "GET", path, token, address, None))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await socket.opened
        except (TimeoutError, NetworkError) as error:
            socket.cut()
            raise NetworkError("the socket could not be opened") from error
        return socket


def _scope(kind: str, method: str, url: str, token: str | None, address: str, body: Any) -> dict[str, Any]:
    path, _, query = url.partition("?")
    headers = [(b"host", b"127.0.0.1:8000")]
    if token is not None:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    if body is not None:
        headers.append((b"content-type", b"application/json"))
    scope = {**HANDSHAKE, "type": kind, "path": path, "raw_path": path.encode(), "headers": headers}
    scope |= {"client": (address, 1), "query_string": query.encode()}
    if kind == "http":
        return {**scope, "method": method, "scheme": "http"}
    return {**scope, "scheme": "ws", "subprotocols": [], "extensions": {}}


class Connection:
    """What a request and a socket share: the application runs in the process, and may be cut off."""

    def __init__(self, network: Network, node: "Node", scope: dict[str, Any]) -> None:
        assert node.process
        assert node.application
        self.network = network
        self.node = node
        self.over = False  # the application is done with it
        self._to_service: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._sent_until = self._received_until = 0.0  # messages of one direction do not overtake each other
        self._gone = False
        node.connections[self] = None
        node.process.call(self._start, node.application, scope)

    def _start(self, application: Any, scope: dict[str, Any]) -> None:
        asyncio.get_running_loop().create_task(self._serve(application, scope))

    async def _serve(self, application: Any, scope: dict[str, Any]) -> None:
        try:
            await application(scope, self._to_service.get, self._send)
        except Exception as error:
            self.network.failures.append(f"{scope['path']}: {error!r}")
        finally:
            self.over = True
            self.node.connections.pop(self, None)

    async def _send(self, message: dict[str, Any]) -> None:
        if self._gone:
            raise ConnectionResetError("the client has gone")
        self._deliver(message)

    def _deliver(self, message: dict[str, Any]) -> None:
        """Bring the message to the client, after those that were sent before."""
        loop = self.network.loop
        self._sent_until = max(self._sent_until, loop.time() + self.network.delay(self.node.number))
        loop.call_at(self._sent_until, self._arrive, message, context=loop.world.context.copy())

    def _arrive(self, message: dict[str, Any]) -> None:
        raise NotImplementedError

    def reset(self) -> None:
        """Tell the client that the connection was lost."""
        loop = self.network.loop
        loop.call_later(self.network.delay(self.node.number), self._lost, context=loop.world.context.copy())

    def _lost(self) -> None:
        raise NotImplementedError

    def shut_down(self) -> None:
        """End as the server does when it stops."""


class Exchange(Connection):
    """A request and its answer."""

    def __init__(self, network: Network, node: "Node", scope: dict[str, Any], body: Any) -> None:
        self.answer: asyncio.Future[Answer] = network.loop.create_future()
        self._status = 0
        super().__init__(network, node, scope)
        raw = b"" if body is None else msgspec.json.encode(body)
        self._to_service.put_nowait({"type": "http.request", "body": raw, "more_body": False})

    def _arrive(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        elif self.network.loses(self.node.number):
            self._lost()
        elif not self.answer.done():
            body = message["body"]
            self.answer.set_result(Answer(self._status, msgspec.json.decode(body) if body else None))

    def _lost(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(NetworkError("the connection was reset"))


class Socket(Connection):
    """A live socket as a client has it."""

    def __init__(self, network: Network, node: "Node", scope: dict[str, Any]) -> None:
        scope["extensions"][DIRECT_WRITE] = self._write_now
        self.opened: asyncio.Future[None] = network.loop.create_future()
        self.messages: deque[Any] = deque()  # that arrived, None at the end
        self.is_open = True
        self._arrived = asyncio.Event()
        super().__init__(network, node, scope)
        self._to_service.put_nowait({"type": "websocket.connect"})

    async def receive(self) -> Any:
        """Return the next message, or None once the socket is closed."""
        while not self.messages:
            if not self.is_open:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self.messages.popleft()

    def send(self, message: Any) -> None:
        """Send a message; it may get lost, and the socket with it."""
        if self.network.loses(self.node.number):
            self.cut()
            return
        text = msgspec.json.encode(message).decode()
        self._pass_on(0.0, {"type": "websocket.receive", "text": text})

    def cut(self) -> None:
        """Close the socket; the service finds out later."""
        self._lost()
        self._pass_on(2 * self.network.random.random(), {"type": "websocket.disconnect", "code": 1006})
        self._gone = True

    def _write_now(self, text: bytes) -> bool:
        """Send at once, unless the client reads too slowly or has gone."""
        if self._gone or self.network.random.random() < 0.1:
            return False
        self._deliver({"type": "websocket.send", "bytes": text})
        return True

    def _pass_on(self, delay: float, message: dict[str, Any]) -> None:
        loop, process = self.network.loop, self.node.process
        if process is not None and self in self.node.connections:
            when = loop.time() + delay + self.network.delay(self.node.number)
            self._received_until = max(self._received_until, when)
            loop.call_at(self._received_until, self._to_service.put_nowait, message, context=loop.world.context.copy())

    def shut_down(self) -> None:
        self._to_service.put_nowait({"type": "websocket.disconnect", "code": 1012})
        self.reset()

    def _arrive(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "websocket.accept" if not self.opened.done():
                self.opened.set_result(None)
            case "websocket.send" if self.is_open:
                raw = message.get("text") or message["bytes"]
                self.messages.append(msgspec.json.decode(raw))
                self._arrived.set()
            case "websocket.close" | "websocket.http.response.body":
                self._lost()

    def _lost(self) -> None:
        self.is_open = False
        self._arrived.set()
        if not self.opened.done():
            self.opened.set_exception(NetworkError("the socket was closed"))
