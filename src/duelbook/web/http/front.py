"""The front: what is asked most often goes straight to its route; the framework gets the rest."""

from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from duelbook.web.http.lean import LeanRoute


class Front:
    """Finds the route itself, and leaves out the layers between; what a route raises is for the gate."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self._lean = [route for route in app.routes if isinstance(route, LeanRoute)]
        self._sockets = [route for route in app.routes if isinstance(route, WebSocketRoute)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            for route in self._lean:
                if scope["method"] in (route.methods or ()) and self._found(route, scope):
                    response = await route.answer(Request(scope, receive))
                    await response(scope, receive, send)
                    return
        elif scope["type"] == "websocket":
            for socket in self._sockets:
                if self._found(socket, scope):
                    await socket.endpoint(WebSocket(scope, receive, send))
                    return
        await self.app(scope, receive, send)

    def _found(self, route: LeanRoute | WebSocketRoute, scope: Scope) -> bool:
        match = route.path_regex.match(scope["path"])
        if match:
            scope.update(app=self.app, route=route, path_params=match.groupdict())
        return bool(match)
