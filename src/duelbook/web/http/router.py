"""Routes: declared with their input and output, found by path and method, called with checked values."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from duelbook.web.http.rate_limits import Limiter
from duelbook.web.http.requests import JSON, PATH_PARAMETERS, ApiRequest
from duelbook.web.problems import STATUS, Problem
from duelbook.web.service import Service

Handler = Callable[..., Awaitable[Response | msgspec.Struct | bytes]]
ADDRESSES_OF_PROGRAMS = ("/api/", "/static/", "/pictures/")
HTML = "text/html"
AnyHandler = TypeVar("AnyHandler", bound=Handler)


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method at one path.

    The handler gets the request and then what the route declares: the token of a seat, the query parameters, the body.
    It returns a Struct, JSON that is encoded already, or a whole response.
    """

    method: str
    path: str
    handler: Handler
    tag: str | None = None  # its group in the OpenAPI document; None leaves it out
    seat: bool = False  # the request is made with the token of a seat
    body: Any = None  # the Struct that the body is read as
    raw_body: bool = False  # the body is only documented; the handler reads it
    query: Any = None  # the Struct that the query parameters are read as
    response: Any = None  # the Struct of the response; None if it is not JSON
    progress: Any = None  # the Struct of a 202 response, if what is asked for may not be ready
    media_type: str = JSON
    status: int = 200
    problems: tuple[str, ...] = ()  # besides those that every route may have

    async def respond(self, request: ApiRequest) -> Response:
        """Check the request, call the handler, and return its response."""
        arguments: list[Any] = []
        if self.seat:
            arguments.append(request.seat_token())
        if self.query is not None:
            arguments.append(request.read_query(self.query))
        if self.body is not None and not self.raw_body:
            arguments.append(await request.read_body(self.body))
        result = await self.handler(request, *arguments)
        if isinstance(result, Response):
            return result
        encoded = result if isinstance(result, bytes) else msgspec.json.encode(result)
        return Response(encoded, self.status, media_type=JSON)


class RouteTable(list[Route]):
    """The routes of one module, filled by decorators."""

    def __init__(self, tag: str | None = None) -> None:
        super().__init__()
        self._tag = tag

    def get(self, path: str, **declared: Any) -> Callable[[AnyHandler], AnyHandler]:
        """Declare the decorated function as the handler of GET requests."""
        return self._add("GET", path, declared)

    def post(self, path: str, **declared: Any) -> Callable[[AnyHandler], AnyHandler]:
        """Declare the decorated function as the handler of POST requests."""
        return self._add("POST", path, declared)

    def _add(self, method: str, path: str, declared: dict[str, Any]) -> Callable[[AnyHandler], AnyHandler]:
        def add(handler: AnyHandler) -> AnyHandler:
            self.append(Route(method=method, path=path, handler=handler, tag=self._tag, **declared))
            return handler

        return add


class Resource:
    """A path and the routes at it, by method."""

    def __init__(self, path: str) -> None:
        self.methods: dict[str, Route] = {}
        pattern = re.sub(r"\\{(\w+):path\\}", r"(?P<\1>.*)", re.escape(path))
        self.pattern = re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", pattern), re.DOTALL)
        self.segments = None if ":path}" in path else path.count("/")


class PageRoutes(NamedTuple):
    """What is sent instead of a problem to a person who opens an address."""

    missing: Route  # where nothing is
    redirect: Route  # to the address without the slash at its end
    screens: list[re.Pattern[str]]  # the paths that have such an address


class Router:
    """Passes each request to its route, and each socket to the live socket of its match."""

    def __init__(
        self,
        routes: Iterable[Route],
        sockets: Mapping[str, ASGIApp],
        service: Service,
        limiter: Limiter,
        pages: PageRoutes | None = None,
    ) -> None:
        resources: dict[str, Resource] = {}
        for route in routes:
            resources.setdefault(route.path, Resource(route.path)).methods[route.method] = route
        self._by_segments = {
            count: [one for one in resources.values() if one.segments in (count, None)]
            for count in {one.segments for one in resources.values()}
        }
        self._sockets = [(path, Resource(path).pattern, endpoint) for path, endpoint in sockets.items()]
        self._service = service
        self._limiter = limiter
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["service"], scope["limiter"] = self._service, self._limiter
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
            return
        try:
            route = self._find(scope)
        except Problem as problem:
            route = self._page_instead(scope, problem)
        response = await route.respond(ApiRequest(scope, receive))
        await response(scope, receive, send)

    def _find(self, scope: Scope) -> Route:
        """Return the route for the request; raise Problem if there is none."""
        path, method = scope["path"], scope["method"]
        allowed: set[str] = set()
        for resource in self._by_segments.get(path.count("/"), self._by_segments[None]):
            if found := resource.pattern.fullmatch(path):
                if method in resource.methods:
                    route = resource.methods[method]
                    scope["route"], scope["path_params"] = route.path, found.groupdict()
                    for name, value in scope["path_params"].items():
                        if name in PATH_PARAMETERS:
                            PATH_PARAMETERS[name].check(value)
                    return route
                allowed |= resource.methods.keys()
        if not allowed:
            raise Problem("not-found", "There is nothing at this address.")
        names = ", ".join(sorted(allowed | ({"HEAD"} if "GET" in allowed else set())))
        raise Problem("wrong-method", f"This address takes only {names}.", headers={"Allow": names})

    def _page_instead(self, scope: Scope, problem: Problem) -> Route:
        """Return the route of a page for an address that a person may have typed; raise the problem for others."""
        path: str = scope["path"]
        typed = scope["method"] == "GET" and not path.startswith(ADDRESSES_OF_PROGRAMS)
        if self._pages is None or not typed or problem.status != STATUS["not-found"]:
            raise problem
        if path.endswith("/") and any(screen.fullmatch(path.rstrip("/")) for screen in self._pages.screens):
            return self._pages.redirect
        if HTML not in Headers(scope=scope).get("accept", ""):
            raise problem
        return self._pages.missing

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        for path, pattern, endpoint in self._sockets:
            if found := pattern.fullmatch(scope["path"]):
                scope["route"], scope["path_params"] = path, found.groupdict()
                await endpoint(scope, receive, send)
                return
        raise Problem("not-found", "There is no socket at this address.")
