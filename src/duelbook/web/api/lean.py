"""Routes that FastAPI documents, and that run without its machinery, which would cost more than a move does."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect
from starlette.routing import request_response

from duelbook.game import RefusedError
from duelbook.strictjson import parse
from duelbook.web.api.reading import find_service, find_token, match_id
from duelbook.web.problems import Problem

JSON = "application/json"


async def _request(request: Request) -> Request:
    return request


async def _match(request: Request) -> str:
    return await match_id(request.path_params["match"])


async def _token(request: Request) -> str | None:
    return await find_token(request, await _match(request))


FINDERS: dict[str, Callable[[Request], Awaitable[Any]]] = {
    "request": _request,
    "service": find_service,
    "match": _match,
    "token": _token,
}


class LeanRoute(APIRoute):
    """Gives a route what it asks for by name: the request, the service, the match, the token; and one body."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().__init__(path, endpoint, **more)
        asked = inspect.signature(endpoint).parameters
        self._finders = [(name, FINDERS[name]) for name in asked if name in FINDERS]
        self._bodies = [(name, TypeAdapter(one.annotation)) for name, one in asked.items() if name not in FINDERS]
        self.app = request_response(self.answer)

    async def answer(self, request: Request) -> Response:
        """Answer the request."""
        found = {name: await find(request) for name, find in self._finders}
        for name, model in self._bodies:
            found[name] = await _read(request, model)
        response: Response = await self.endpoint(**found)
        return response


async def _read(request: Request, model: "TypeAdapter[Any]") -> Any:
    """Answer the body, read strictly; no body at all is None."""
    try:
        raw = await request.body()
        value = parse(raw) if raw else None
    except RefusedError as error:
        raise Problem("bad-request", str(error)) from error
    except ClientDisconnect as error:
        raise Problem("bad-request", "the request broke off") from error
    if raw and not request.headers.get("content-type", "").lower().startswith(JSON):
        raise Problem("invalid", f"send JSON, with the content type {JSON}")
    try:
        return model.validate_python(value, strict=True)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from error
