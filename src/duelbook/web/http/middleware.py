"""Middleware: the access log around everything, and the guard that checks every request before the router sees it."""

import asyncio
import ipaddress
import logging
import random
import re
import time
from contextlib import suppress
from functools import lru_cache

from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.text import shorten
from duelbook.web import metrics
from duelbook.web.engine.slots import client
from duelbook.web.http.rate_limits import Limiter, client_address
from duelbook.web.http.requests import find_token
from duelbook.web.logs import request_id, sample
from duelbook.web.problems import Problem, unavailable
from duelbook.web.service import Service
from duelbook.web.settings import Settings, split_list

MAX_HEADER_BYTES = 16_384
MAX_BODY_BYTES = 8192
LARGER_BODY_BYTES = {"/api/review": 65_536}  # where whole records are sent
MAX_LENGTH_DIGITS = 20  # of a Content-Length that are read: with more it is too large in any case
MAX_DROPPED_BYTES = 10_000_000  # of a body that is too large: read and dropped, so that the answer arrives
BODY_SECONDS = 10.0  # for a request's body to arrive
DROPPED_SECONDS = 1.0
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
RESERVED = "reserved"  # in the state of a request: its connection has a place for players
ALWAYS_OPEN_PATH = re.compile(
    "/|/favicon.ico|/healthz|/readyz|/static/.*"
)  # served in a reserved place, too, one request each
MATCH_PATH = re.compile("/api/matches/([0-9a-f]{24})(?:/.*)?")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

log = logging.getLogger("duelbook.web")


class AccessLog:
    """Gives every request an id, adds the common headers to every response, and logs and measures the response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id.set(f"{random.getrandbits(48):012x}")
        if scope.get("method") == "HEAD":
            scope = {**scope, "method": "GET"}  # the server leaves out the body of the response
        response = _LoggedResponse(scope, send)
        try:
            await self._app(scope, receive, response.send)
        finally:
            response.log()


class _LoggedResponse:
    """One response: adds the common headers as it is sent, and logs it afterwards."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._status = 0
        self._started = time.perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            self._status = message["status"]
            own = [*RAW_HEADERS, (b"x-request-id", (request_id.get() or "").encode())]
            sent = message.get("headers", [])
            if not any(name == b"cache-control" for name, _ in sent):
                own.append((b"cache-control", b"no-store"))
            message["headers"] = [*sent, *own]
        elif message["type"] == "websocket.accept":
            self._status = 101
        await self._send(message)

    def log(self) -> None:
        scope = self._scope
        method = scope.get("method", "SOCKET")
        route = scope.get("route", "none")
        seconds = time.perf_counter() - self._started
        metrics.labelled(metrics.requests, method, route, self._status).inc()
        if scope["type"] == "http":
            metrics.labelled(metrics.seconds, method, route).observe(seconds)
        if not sample.admits(client_address(scope), method, route, str(self._status)):
            return
        extra = {"method": method, "path": scope["path"][:200], "status": self._status, "ms": round(seconds * 1000, 1)}
        if match := scope.get("match") or scope.get("path_params", {}).get("match"):
            extra["match"] = match
        log.info("request", extra=extra)


def with_cors(app: ASGIApp, settings: Settings) -> ASGIApp:
    """Return the application with CORS headers, which let pages of the allowed sites read its responses."""
    origins = split_list(settings.allowed_origins)
    if not origins:
        return app
    return CORSMiddleware(
        app,
        origins,
        ("GET", "POST"),
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["Retry-After", "X-Request-Id"],
    )


class RequestGuard:
    """Checks host and origin, and limits rate and size, before anything else reads the request."""

    def __init__(self, app: ASGIApp, settings: Settings, limiter: Limiter, service: Service) -> None:
        self._app = app
        self._limiter = limiter
        self._service = service
        self._hosts = {
            "localhost",
            settings.host.lower(),
            *(name.strip("[]") for name in split_list(settings.allowed_hosts)),
        }
        self._origins = set(split_list(settings.allowed_origins))
        self._any_address = not _is_loopback(settings.host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        _check_headers(scope)
        self._check_host(connection)
        self._check_origin(connection)
        address = client_address(scope)
        self._limiter.check("address", address)
        client.set(address)
        if scope.get("state", {}).get(RESERVED):
            if ALWAYS_OPEN_PATH.fullmatch(scope["path"]):
                send = _closing(send)
            else:
                await self._check_seat(connection)
        if scope["type"] == "http":
            receive = await _limit_body(connection, receive)
        await self._app(scope, receive, send)

    async def _check_seat(self, connection: HTTPConnection) -> None:
        """Raise Problem unless the client shows the token of a seat in the match that it asks for."""
        found = MATCH_PATH.fullmatch(connection.scope["path"])
        token = find_token(connection, found[1]) if found else None
        if found and token:
            with suppress(Problem):  # there is no such match
                if (await self._service.registry.read(found[1])).seat_of(token) is not None:
                    return
        problem = unavailable("Too many clients are connected to the service now. Try again in a moment.")
        problem.headers["Connection"] = "close"
        raise problem

    def _check_host(self, connection: HTTPConnection) -> None:
        hosts = connection.headers.getlist("host")
        host = _host_name(hosts[0]) if len(hosts) == 1 else ""
        if host in self._hosts or _is_loopback(host) or (self._any_address and _is_address(host)):
            return
        raise Problem(
            "unknown-host",
            f"This service does not serve the host '{shorten(', '.join(hosts))}'. "
            "Its operator can allow it with the setting allowed_hosts.",
        )

    def _check_origin(self, connection: HTTPConnection) -> None:
        """Raise Problem if a page of another site opens a socket or sends what could change something."""
        origin = connection.headers.get("origin")
        if origin is None or (connection.scope["type"] == "http" and connection.scope["method"] in SAFE_METHODS):
            return
        own = f"{connection.url.scheme.replace('ws', 'http')}://{connection.headers.get('host', '')}"
        if origin not in (own, *self._origins):
            raise Problem("foreign-origin", "Pages of other sites may not do this.")


def _closing(send: Send) -> Send:
    """Return a `send` function that closes the connection after the response."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), (b"connection", b"close")]
        await send(message)

    return closing


def _check_headers(scope: Scope) -> None:
    line = len(scope["raw_path"]) + len(scope["query_string"])
    if line + sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > MAX_HEADER_BYTES:
        raise Problem("headers-too-large", f"Headers can have at most {MAX_HEADER_BYTES} bytes.")


async def _limit_body(connection: HTTPConnection, receive: Receive) -> Receive:
    """Return a `receive` function that raises Problem for a body that is too large or too slow."""
    headers = connection.headers
    limit = LARGER_BODY_BYTES.get(connection.scope["path"], MAX_BODY_BYTES)
    length = headers.get("content-length", "0").lstrip("0")  # the parser has checked that these are digits
    coding = headers.get("transfer-encoding")
    if "upgrade" in headers and (length or coding is not None):
        raise Problem("bad-request", "A request that asks for another protocol cannot have a body.")
    if coding is not None and coding.strip().lower() != "chunked":
        await _drop_rest(receive)
        raise Problem("unknown-coding", "Send the body as it is: the only transfer coding is 'chunked'.")
    if int(length[:MAX_LENGTH_DIGITS] or 0) > limit:
        if "expect" not in headers:
            await _drop_rest(receive)
        raise _too_large(limit)
    received = 0
    now = asyncio.get_running_loop().time
    deadline = now() + BODY_SECONDS
    complete = False

    async def limited() -> Message:
        nonlocal received, complete
        if complete:
            return await receive()
        try:
            async with asyncio.timeout(deadline - now()):
                message = await receive()
        except TimeoutError as error:
            raise Problem("too-slow", "The request took too long to arrive.") from error
        received += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if received > limit:
            if not complete:
                await _drop_rest(receive)
            raise _too_large(limit)
        return message

    return limited


def _too_large(limit: int) -> Problem:
    return Problem("too-large", f"A request can have at most {limit} bytes.")


async def _drop_rest(receive: Receive) -> None:
    """Let the rest of a body arrive, up to a limit: closing with bytes unread would cancel the answer."""
    dropped = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(DROPPED_SECONDS):
            while dropped < MAX_DROPPED_BYTES:
                message = await receive()
                dropped += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


@lru_cache(maxsize=1024)
def _host_name(header: str) -> str:
    """Return the name or address in a Host header without the port, or nothing if there is none."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)]|([\w.-]+))(?::[0-9]{1,5})?", header, re.ASCII)
    return (found[1] or found[2]).lower() if found else ""


@lru_cache(maxsize=1024)
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
