"""Reading requests: strict JSON, the token, and the service they are for."""

import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.text import shorten
from duelbook.web.http.schemas import ProblemDocument
from duelbook.web.problems import STATUS, Problem, no_token
from duelbook.web.service import Service

COOKIE = "duelbook-{}"
ANYWHERE = ("bad-request", "too-slow", "too-large", "unknown-host", "too-many", "headers-too-large", "unavailable")
ID = "[0-9a-f]{24}"


class StrictRequest(Request):
    async def json(self) -> Any:
        """Answer the body, read strictly."""
        try:
            return parse(await self.body())
        except RefusedError as error:
            raise HTTPException(400, str(error)) from error


class StrictRoute(APIRoute):
    """A route whose requests are read strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        known = sorted(field.alias for field in self.dependant.query_params)

        async def strict(request: Request) -> Response:
            if unknown := [name for name in request.query_params if known and name not in known]:
                raise Problem("invalid", f"'{shorten(unknown[0])}' is unknown here; valid: {', '.join(known)}")
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


async def find_service(connection: HTTPConnection) -> Service:  # a plain function would run in a thread
    service: Service = connection.app.state.service
    return service


async def match_id(match: Annotated[str, Path(json_schema_extra={"pattern": f"^{ID}$"})]) -> str:
    """Answer the id; what cannot be one is not looked for."""
    if not re.fullmatch(ID, match):
        raise Problem("not-found", "there is no such match")
    return match


MatchId = Annotated[str, Depends(match_id)]


async def find_token(connection: HTTPConnection, match: MatchId) -> str | None:
    """Answer the token that comes as a bearer token or as the match's cookie; an empty one is none."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if not scheme:
        return connection.cookies.get(COOKIE.format(match)) or None
    if scheme.lower() != "bearer" or not token.strip():
        raise no_token("the authorization must be a bearer token")
    return token.strip()


Serving = Annotated[Service, Depends(find_service)]
Token = Annotated[str | None, Depends(find_token)]


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Answer the problems that a route may answer with, for the OpenAPI document."""
    by_status: dict[int | str, list[str]] = {}
    for code in (*codes, *ANYWHERE):
        by_status.setdefault(STATUS[code], []).append(code)
    schema = {"$ref": f"#/components/schemas/{ProblemDocument.__name__}"}
    return {
        status: {"description": ", ".join(names), "content": {"application/problem+json": {"schema": schema}}}
        for status, names in by_status.items()
    }
