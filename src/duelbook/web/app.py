"""The application: middleware around the routes, and the service, which starts and stops with it."""

import asyncio
import gc
import os
import signal
import sys
import threading
import time
import traceback

from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError
from starlette.types import Receive, Scope, Send

from duelbook.errors import RefusedError
from duelbook.web.backends import Backends
from duelbook.web.db.errors import StoreUnavailableError, error_reason
from duelbook.web.db.store import Store
from duelbook.web.http.errors import ErrorBoundary
from duelbook.web.http.middleware import AccessLog, RequestGuard, with_cors
from duelbook.web.http.rate_limits import Limiter
from duelbook.web.http.router import Route, Router
from duelbook.web.http.routes import invitations, lessons, matches, pages, pictures, status, studies
from duelbook.web.http.routes.reference import OPENAPI_PATH, PAGE_PATH, Reference, reference_routes
from duelbook.web.live.socket import live
from duelbook.web.logs import set_up, write_at_once
from duelbook.web.service import REAL_BACKENDS, Service
from duelbook.web.settings import Settings, read

DATABASE_SECONDS = 30.0  # to wait for a database that is still starting
THREAD_SWITCH_SECONDS = 0.0002  # with the default, the threads of the store often wait for the event loop

ROUTES: list[Route] = [
    *matches.routes,
    *invitations.routes,
    *studies.routes,
    *lessons.routes,
    *pictures.routes,
    *status.routes,
    *pages.routes,
]
REFERENCE = Reference(tuple(ROUTES))
ROUTES += reference_routes(REFERENCE)
SOCKETS = {"/api/matches/{match}/live": live}


class Application:
    """The ASGI application: access log > CORS > error boundary > request guard > router."""

    def __init__(self, settings: Settings, backends: Backends = REAL_BACKENDS) -> None:
        self.service = Service(settings, backends)
        relay = self.service.relay
        limiter = Limiter(settings, relay.send_counts if relay else None)
        if relay:
            relay.on_counts = limiter.receive
        router = Router(_public_routes(settings), SOCKETS, self.service, limiter, pages.fallback)
        guarded = ErrorBoundary(RequestGuard(router, settings, limiter, self.service), self.service)
        self._handle = AccessLog(with_cors(guarded, settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._handle(scope, receive, send)

    async def start(self) -> None:
        """Start the service, or raise RefusedError if its database cannot be used."""
        try:
            await _wait_for(self.service.store)
            await self.service.start()
        except (SQLAlchemyError, StoreUnavailableError) as error:
            raise RefusedError(f"The database cannot be used: {error_reason(error.__cause__ or error)}.") from error

    async def stop(self) -> None:
        await self.service.stop()

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start and stop the service when the ASGI server asks for it."""
        await receive()
        try:
            await self.start()
        except RefusedError as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        except Exception:
            await send({"type": "lifespan.startup.failed", "message": traceback.format_exc()})
            raise
        sys.setswitchinterval(THREAD_SWITCH_SECONDS)
        gc.collect()
        gc.freeze()  # objects that exist now stay alive, and need not be scanned again
        gc.set_threshold(10_000, 50, 20)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        write_at_once()
        await send({"type": "lifespan.shutdown.complete"})


def _public_routes(settings: Settings) -> list[Route]:
    """Return the routes without those that the operator has switched off or bound to another address."""
    hidden = {status.METRICS_PATH} if settings.metrics != "on" else set()
    hidden |= {OPENAPI_PATH, PAGE_PATH} if settings.reference != "on" else set()
    return [route for route in ROUTES if route.path not in hidden]


def from_environment() -> Application:
    """Return the application of a worker process; its settings come from the environment."""
    settings = read()
    set_up(settings.log_level)
    threading.Thread(target=_stop_after, args=(os.getppid(),), daemon=True).start()
    return Application(settings)


def _stop_after(parent: int) -> None:
    """Shut down gracefully once the process that started this one has exited."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


async def _wait_for(store: Store) -> None:
    """Wait a little for a database that is itself just starting, but not for one that is damaged."""
    now = asyncio.get_running_loop().time
    deadline = now() + DATABASE_SECONDS
    while True:
        try:
            await store.version("none")
            return
        except StoreUnavailableError as error:
            damaged = isinstance(error.__cause__, DatabaseError) and not isinstance(error.__cause__, OperationalError)
            if damaged or now() > deadline:
                raise
        await asyncio.sleep(0.5)
