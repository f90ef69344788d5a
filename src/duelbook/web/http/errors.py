"""The error boundary: the one place that turns exceptions into responses, for requests and for sockets."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.errors import RefusedError
from duelbook.game_errors import BrokenGameError
from duelbook.games import broken_game
from duelbook.text import sanitize, sentence
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.engine.supervisor import EngineUnavailableError
from duelbook.web.match.shown import broken_game_problem
from duelbook.web.problems import Problem, unavailable
from duelbook.web.schemas.matches import ProblemDocument
from duelbook.web.schemas.messages import ErrorMessage
from duelbook.web.service import Service

LOCATED_STATUSES = (400, 401, 403, 409, 422)  # problems that include the current ply of the match
TRY_AGAIN_LATER, INTERNAL_ERROR = 1013, 1011  # codes that close a socket
FAULT = Problem("fault", "Something went wrong in the service. The error has been logged.")

log = logging.getLogger("duelbook.web")


class ErrorBoundary:
    """Middleware that turns every exception of the application into a response."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = gone = False

        async def note_start(message: Message) -> None:
            nonlocal started, gone
            started = True
            try:
                await send(message)
            except OSError:
                gone = True
                raise

        try:
            await self._app(scope, receive, note_start)
        except Exception as error:
            if gone:  # the client has left, so nobody waits for an answer
                return
            problem = as_problem(error)
            if problem is None:
                log.exception("fault", extra={"path": scope["path"]})
            if problem and problem.delay_seconds:
                await asyncio.sleep(problem.delay_seconds)
            with suppress(OSError):  # the client has left meanwhile
                if not started:
                    located = await self._located(problem or FAULT, scope)
                    await problem_response(located)(scope, receive, send)
                elif scope["type"] == "websocket":
                    code, reason = (TRY_AGAIN_LATER, str(problem)[:100]) if problem else (INTERNAL_ERROR, "")
                    await send({"type": "websocket.close", "code": code, "reason": reason})

    async def _located(self, problem: Problem, scope: Scope) -> Problem:
        """Return the problem with the current ply of the match that the request is about, if there is one."""
        match = scope.get("path_params", {}).get("match")
        if match and problem.status in LOCATED_STATUSES and "ply" not in problem.more:
            with suppress(Exception):
                problem.more["ply"] = (await self._service.registry.read(match)).row.ply
        return problem


def as_problem(error: Exception) -> Problem | None:
    """Return the problem that the error means for a client, or None for a fault of the service."""
    match error:
        case Problem():
            return error
        case BrokenGameError():
            return broken_game_problem(error)
        case RefusedError():
            return Problem("invalid", str(error))
        case StoreUnavailableError():
            return unavailable(error.detail)
        case EngineUnavailableError() | TimeoutError():
            return unavailable("The service is too busy for this now. Try again in a moment.")
        case _:
            broken = broken_game(error)
            return broken_game_problem(broken) if broken else None


def problem_response(problem: Problem) -> Response:
    """Return the HTTP response for a problem."""
    document = ProblemDocument(
        type=f"urn:duelbook:{problem.code}",
        title=problem.code.replace("-", " ").capitalize(),
        **_details(problem),
        **problem.more,
    )
    return Response(msgspec.json.encode(document), problem.status, problem.headers, "application/problem+json")


def error_message(problem: Problem, **known: Any) -> ErrorMessage:
    """Return the socket's answer to a message that failed; `known` is its id and the current ply of the match."""
    return ErrorMessage(**{**known, **_details(problem), **problem.more})


def _details(problem: Problem) -> dict[str, Any]:
    return {"status": problem.status, "code": problem.code, "detail": sentence(sanitize(str(problem)))}
