"""The application: routes behind the gate, and a service that lives as long as it."""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp

from duelbook import __version__
from duelbook.errors import RefusedError
from duelbook.web.db.database import error_reason
from duelbook.web.db.store import Store
from duelbook.web.db.writer import StoreUnavailableError
from duelbook.web.engine.pool import EngineUnavailableError
from duelbook.web.http.errors import as_problem
from duelbook.web.http.front import Front
from duelbook.web.http.middleware import FAULT, Gate, problem_response
from duelbook.web.http.routes import matches, pages, studies
from duelbook.web.http.routes import openapi as reference
from duelbook.web.http.routes import status as standing
from duelbook.web.http.schemas import ProblemDocument
from duelbook.web.live import socket as live
from duelbook.web.logs import set_up
from duelbook.web.problems import Problem
from duelbook.web.service import Service
from duelbook.web.settings import Settings, read

DATABASE_PATIENCE = 30.0  # seconds to wait for a database that is not there yet

ABOUT = """Two-player games over HTTP and WebSocket. A *game* is a rule book, a *match* is one play of it.

A move is answered once it is durable. Send a random `key` with each move you intend, and the same key when you are not
sure that it arrived: the move is played once, and every retry gets the first answer."""


def application(settings: Settings) -> ASGIApp:
    """Answer the application with these settings."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await _started(service)
        sys.setswitchinterval(0.0002)  # or the threads of the store wait for the event loop time and again
        gc.collect()
        gc.freeze()  # what is there now stays, and need not be looked through again and again
        gc.set_threshold(10_000, 50, 20)
        yield
        await service.stop()

    app = FastAPI(
        title="Duelbook",
        version=__version__,
        description=ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        routes=[route for part in (matches, studies, live, standing, reference, pages) for route in part.router.routes],
    )
    app.state.service = service
    for error in (
        Problem,
        RefusedError,
        StoreUnavailableError,
        EngineUnavailableError,
        RequestValidationError,
        HTTPException,
    ):
        app.add_exception_handler(error, _refuse)
    app.add_exception_handler(Exception, _fault)
    document = reference.document(app, ProblemDocument)
    app.openapi = lambda: document  # type: ignore[method-assign]
    return Gate(Front(app), settings, service.limiter)


def from_environment() -> ASGIApp:
    """Answer the application for a worker process; its settings come from the environment."""
    settings = read()
    set_up(settings.log_level)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    return application(settings)


def _end_with(parent: int) -> None:
    """Stop in good order once the process that started this one is gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


async def _started(service: Service) -> None:
    """Start the service, or refuse a database that it cannot work with."""
    try:
        await _reached(service.store)
        await service.start()
    except (SQLAlchemyError, StoreUnavailableError) as error:
        raise RefusedError(f"the database cannot be used: {error_reason(error.__cause__ or error)}") from error


async def _reached(store: Store) -> None:
    """Wait a little for a database that is itself just starting, but not for one that is damaged."""
    deadline = time.monotonic() + DATABASE_PATIENCE
    while True:
        try:
            await store.version("none")
            return
        except StoreUnavailableError as error:
            damaged = isinstance(error.__cause__, DatabaseError) and not isinstance(error.__cause__, OperationalError)
            if damaged or time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.5)


async def _refuse(request: Request, error: Exception) -> Response:
    problem = as_problem(error)
    assert problem
    if problem.code == "wrong-method":
        problem.headers["Allow"] = ", ".join(_methods(request))
    return problem_response(problem)


def _methods(request: Request) -> list[str]:
    """Answer the methods that the address takes, by whichever route."""
    found = (route for route in request.app.routes if route.matches(request.scope)[0] != Match.NONE)
    methods = {method for route in found for method in getattr(route, "methods", None) or ()}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


async def _fault(_: Request, error: Exception) -> Response:
    return problem_response(FAULT)  # the gate notes it
