"""The gate: what every request passes before anything looks at it, and every answer on its way out."""

import asyncio
import ipaddress
import json
import logging
import secrets
import time
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.web import metrics
from duelbook.web.limiting import Limiter
from duelbook.web.logs import request_id
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings, listed

LARGEST_BODY = 8192  # bytes
SLOWEST_BODY = 10.0  # seconds for a request's body to arrive
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

log = logging.getLogger("duelbook.web")


class Gate:
    """Checks host and origin, limits rate and size, adds headers, logs and measures; nothing gets past it raw."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: Limiter) -> None:
        self._app = app
        self._limiter = limiter
        self._hosts = {"localhost", settings.host, *listed(settings.allowed_hosts)}
        self._origins = set(listed(settings.allowed_origins))
        self._any_address = not _is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request_id.set(secrets.token_hex(6))
        passage = Passage(scope, send)
        try:
            connection = HTTPConnection(scope)
            self._check_host(connection)
            self._check_origin(connection)
            await self._limiter.check("address", address(connection))
            limited = receive if scope["type"] == "websocket" else limited_body(connection, receive)
            await self._app(scope, limited, passage.send)
        except Problem as problem:
            await passage.refuse(problem, receive)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a fault", extra={"path": scope["path"]})
            await passage.refuse(Problem("fault", "something went wrong here; it has been noted"), receive)
        finally:
            passage.note()

    def _check_host(self, connection: HTTPConnection) -> None:
        host = _host_name(connection.headers.get("host", ""))
        if host in self._hosts or _is_loopback(host) or (self._any_address and _is_address(host)):
            return
        raise Problem(
            "unknown-host",
            f"this service does not answer for the host '{host[:60]}'; its operator can allow it (allowed_hosts)",
        )

    def _check_origin(self, connection: HTTPConnection) -> None:
        """Refuse what another site's page sends: every socket, and every request that could change something."""
        origin = connection.headers.get("origin")
        if origin is None or (connection.scope["type"] == "http" and connection.scope["method"] in SAFE):
            return
        own = f"{connection.url.scheme.replace('ws', 'http')}://{connection.headers.get('host', '')}"
        if origin not in (own, *self._origins):
            raise Problem("foreign-origin", "pages of other sites may not do this")


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

    async def refuse(self, problem: Problem, receive: Receive) -> None:
        """Send the problem, unless an answer is under way already."""
        if self._status:
            return
        response = problem_response(problem)
        if problem.code == "too-large":
            response.headers["Connection"] = "close"  # the rest of the body is not read
        await response(self._scope, receive, self.send)

    def note(self) -> None:
        scope = self._scope
        method = scope.get("method", "SOCKET")
        route = getattr(scope.get("route"), "path", "none")
        spent = time.perf_counter() - self._started
        metrics.requests.labels(method, route, self._status).inc()
        if scope["type"] == "http":
            metrics.seconds.labels(method, route).observe(spent)
        extra = {"method": method, "path": scope["path"][:200], "status": self._status, "ms": round(spent * 1000, 1)}
        match = scope.get("path_params", {}).get("match")
        log.info("request", extra=extra | ({"match": match} if match else {}))


def problem_response(problem: Problem) -> Response:
    body = json.dumps(problem.document()).encode()
    return Response(body, problem.status, problem.headers, "application/problem+json")


def limited_body(connection: HTTPConnection, receive: Receive) -> Receive:
    """Answer a way to receive that refuses a body which is too large or too slow."""
    length = connection.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > LARGEST_BODY:
        raise Problem("too-large", f"a request has at most {LARGEST_BODY} bytes")
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
            raise Problem("bad-request", "the request took too long to arrive") from error
        received += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if received > LARGEST_BODY:
            raise Problem("too-large", f"a request has at most {LARGEST_BODY} bytes")
        return message

    return limited


def address(connection: HTTPConnection) -> str:
    """Answer who asks, as far as limits go: an address, or a network of those that one household has."""
    host = connection.client.host if connection.client else "unknown"
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else host


def _host_name(header: str) -> str:
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return header


def _is_address(host: str) -> bool:
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
