"""Routes that FastAPI documents, and that run without its machinery, which would cost more than a move does."""

import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter, ValidationError
from starlette.requests import ClientDisconnect
from starlette.routing import request_response

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.web.http.errors import as_problem
from duelbook.web.http.requests import find_service, find_token, match_id
from duelbook.web.problems import Problem

JSON = "application/json"
TELLING = (400, 401, 403, 409, 422)  # refusals of what somebody asked of a match


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
        """Answer the request; a refusal tells where the match stands, whatever it is about."""
        try:
            return await self._answer(request)
        except Exception as error:
            problem = as_problem(error)
            if problem is None or problem.status not in TELLING or "ply" in problem.more:
                raise
            raise await _located(problem, request) from error

    async def _answer(self, request: Request) -> Response:
        found = {name: await find(request) for name, find in self._finders}
        for name, model in self._bodies:
            found[name] = await _read(request, model)
        response: Response = await self.endpoint(**found)
        return response


async def _located(problem: Problem, request: Request) -> Problem:
    """Answer the problem with the ply that the match is at, if there is a match."""
    with suppress(Exception):
        service = await find_service(request)
        problem.more["ply"] = (await service.registry.read(request.path_params["match"])).row.ply
    return problem


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
