"""The gate: what every request passes before anything looks at it, and every answer on its way out."""

import asyncio
import ipaddress
import json
import logging
import random
import re
import time
from contextlib import suppress
from functools import lru_cache

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.errors import RefusedError
from duelbook.text import shorten
from duelbook.web import metrics
from duelbook.web.http.errors import as_problem
from duelbook.web.http.rate_limits import Limiter
from duelbook.web.logs import request_id
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings, split_list

LARGEST_HEADERS = 16_384  # bytes
LARGEST_BODY = 8192
LARGER_BODIES = {"/api/review": 65_536}  # where whole records are sent
LARGEST_REST = 10_000_000  # bytes of a body that is too large which are read and dropped, so that the answer arrives
SLOWEST_BODY = 10.0  # seconds for a request's body to arrive
SLOWEST_REST = 1.0
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
SAFE = ("GET", "HEAD", "OPTIONS")
FAULT = Problem("fault", "something went wrong here; it has been noted")

log = logging.getLogger("duelbook.web")


class Gate:
    """Checks host and origin, limits rate and size, adds headers, logs and measures; nothing gets past it raw."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: Limiter) -> None:
        self._app = app
        self._shared = _shared(self._checked, split_list(settings.allowed_origins))
        self._limiter = limiter
        self._hosts = {
            "localhost",
            settings.host.lower(),
            *(name.strip("[]") for name in split_list(settings.allowed_hosts)),
        }
        self._origins = set(split_list(settings.allowed_origins))
        self._any_address = not _is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, _in_a_sentence(send))
            return
        request_id.set(f"{random.getrandbits(48):012x}")
        if scope.get("method") == "HEAD":
            scope = {**scope, "method": "GET"}  # the server leaves the body of the answer out
        passage = Passage(scope, send)
        try:
            await self._shared(scope, receive, passage.send)
        finally:
            passage.note()

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through what may pass; whatever is refused, here or beyond, is answered here."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            if message["type"] == "websocket.close" and not begun:
                raise Problem("not-found", "there is nothing at this address")
            begun = True
            await send(message)

        try:
            connection = HTTPConnection(scope)
            check_headers(scope)
            self._check_host(connection)
            self._check_origin(connection)
            await self._limiter.check("address", address(connection))
            limited = receive if scope["type"] == "websocket" else await limited_body(connection, receive)
            await self._app(scope, limited, noting)
        except Exception as error:
            problem = as_problem(error)
            if problem is None:
                log.exception("a fault", extra={"path": scope["path"]})
                problem = FAULT
            if not begun:
                await problem_response(problem)(scope, receive, send)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1011})

    def _check_host(self, connection: HTTPConnection) -> None:
        given = connection.headers.getlist("host")
        host = _host_name(given[0]) if len(given) == 1 else ""
        if host in self._hosts or _is_loopback(host) or (self._any_address and _is_address(host)):
            return
        raise Problem(
            "unknown-host",
            f"this service does not answer for the host '{shorten(', '.join(given))}'; "
            "its operator can allow it (allowed_hosts)",
        )

    def _check_origin(self, connection: HTTPConnection) -> None:
        """Refuse what another site's page sends: every socket, and every request that could change something."""
        origin = connection.headers.get("origin")
        if origin is None or (connection.scope["type"] == "http" and connection.scope["method"] in SAFE):
            return
        own = f"{connection.url.scheme.replace('ws', 'http')}://{connection.headers.get('host', '')}"
        if origin not in (own, *self._origins):
            raise Problem("foreign-origin", "pages of other sites may not do this")


def _shared(app: ASGIApp, origins: list[str]) -> ASGIApp:
    """Let browsers show pages of these sites what is answered to them."""
    if not origins:
        return app
    seen = ["Retry-After", "X-Request-Id"]
    return CORSMiddleware(
        app, origins, ("GET", "POST"), allow_headers=["Authorization", "Content-Type"], expose_headers=seen
    )


def _in_a_sentence(send: Send) -> Send:
    """Answer a way to tell why a start was refused without the traceback of it."""

    async def tell(message: Message) -> None:
        kind, _, why = message.get("message", "").strip().rpartition("\n")[2].partition(": ")
        await send({**message, "message": why} if kind.endswith(RefusedError.__name__) else message)

    return tell


class Passage:
    """One answer on its way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._status = 0
        self._started = time.perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self._status = message["status"]
            identity = (b"x-request-id", (request_id.get() or "").encode())
            message["headers"] = [*message.get("headers", []), *self._own_headers(), identity]
        elif message["type"] == "websocket.accept":
            self._status = 101
        await self._send(message)

    def _own_headers(self) -> list[tuple[bytes, bytes]]:
        caching = [] if self._scope["path"].startswith("/static/") else [(b"cache-control", b"no-store")]
        return RAW_HEADERS + caching

    def note(self) -> None:
        scope = self._scope
        method = scope.get("method", "SOCKET")
        route = getattr(scope.get("route"), "path", "none")
        spent = time.perf_counter() - self._started
        metrics.requests.labels(method, route, self._status).inc()
        if scope["type"] == "http":
            metrics.seconds.labels(method, route).observe(spent)
        extra = {"method": method, "path": scope["path"][:200], "status": self._status, "ms": round(spent * 1000, 1)}
        match = scope.get("match") or scope.get("path_params", {}).get("match")
        log.info("request", extra=extra | ({"match": match} if match else {}))


def problem_response(problem: Problem) -> Response:
    body = json.dumps(problem.document()).encode()
    return Response(body, problem.status, problem.headers, "application/problem+json")


def check_headers(scope: Scope) -> None:
    """Refuse headers that are too large."""
    line = len(scope["raw_path"]) + len(scope["query_string"])
    if line + sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > LARGEST_HEADERS:
        raise Problem("headers-too-large", f"headers have at most {LARGEST_HEADERS} bytes")


async def limited_body(connection: HTTPConnection, receive: Receive) -> Receive:
    """Answer a way to receive that refuses a body which is too large or too slow."""
    headers = connection.headers
    most = LARGER_BODIES.get(connection.scope["path"], LARGEST_BODY)
    length = int(headers.get("content-length", "0"))
    if "upgrade" in headers and (length or "transfer-encoding" in headers):
        raise Problem("bad-request", "a request that asks for another protocol has no body here")
    if length > most:
        if "expect" not in headers:
            await _drop(receive)
        raise Problem("too-large", f"a request has at most {most} bytes")
    received = 0
    deadline = time.monotonic() + SLOWEST_BODY
    complete = False

    async def limited() -> Message:
        nonlocal received, complete
        if complete:
            return await receive()
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                message = await receive()
        except TimeoutError as error:
            raise Problem("too-slow", "the request took too long to arrive") from error
        received += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if received > most:
            if not complete:
                await _drop(receive)
            raise Problem("too-large", f"a request has at most {most} bytes")
        return message

    return limited


async def _drop(receive: Receive) -> None:
    """Let the rest of a body arrive, within reason: closing with bytes unread would take the answer back."""
    dropped = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(SLOWEST_REST):
            while dropped < LARGEST_REST:
                message = await receive()
                dropped += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def address(connection: HTTPConnection) -> str:
    """Answer who asks, as far as limits go: an address, or a network of those that one household has."""
    return _household(connection.client.host if connection.client else "unknown")


@lru_cache(maxsize=1024)
def _household(host: str) -> str:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if found.version == 4:
        return host
    return str(found.ipv4_mapped or ipaddress.ip_network((found.packed, 64), strict=False))


def _host_name(header: str) -> str:
    """Answer the name or address in a Host header, without the port; nothing for what is none."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)]|([\w.-]+))(?::[0-9]{1,5})?", header, re.ASCII)
    return (found[1] or found[2]).lower() if found else ""


def _is_address(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


@lru_cache(maxsize=1024)
def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
