"""The server: checks the settings and the database, and starts the processes that listen."""

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from duelbook.errors import RefusedError
from duelbook.games import broken_narrations, problems
from duelbook.web import metrics
from duelbook.web.app import REFERENCE, Application
from duelbook.web.db.schema import check, upgrade
from duelbook.web.http.acceptor import AcceptingLoop
from duelbook.web.http.http_connection import HttpConnection
from duelbook.web.http.open_connections import OpenConnections
from duelbook.web.http.requests import JSON
from duelbook.web.http.routes.reference import OPENAPI_PATH, PAGE_PATH
from duelbook.web.http.routes.status import METRICS_PATH
from duelbook.web.http.socket_connection import SocketConnection
from duelbook.web.logs import set_up
from duelbook.web.match.shown import log_once
from duelbook.web.metrics import SHARED_FOLDER, forget_process
from duelbook.web.operator_listener import Documents, serve_documents
from duelbook.web.settings import Settings, split_address, split_list, variable

MAX_FRAME_BYTES = 4096
WORKER_TIMEOUT_SECONDS = 60  # for a process to start or to answer a health check; then it is replaced
STOP_SECONDS = 20  # for answers under way when the service stops
BACKLOG = 4096  # connections that wait to be accepted; the system may allow fewer
SPARE_FILES = 150  # open files of a process besides its connections, generously
RECEIVE_BUFFER_BYTES = 65_536  # of a connection in the kernel, which would let it grow to megabytes
SEND_BUFFER_BYTES = 131_072

log = logging.getLogger("duelbook.web")


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal arrives. Call `ready` with the address once everything is checked."""
    if settings.sqlite_file:
        upgrade(settings.database)
    else:
        check(settings.database)
    _raise_file_limit()
    listener = _listener(settings.host, settings.port)
    listen_for_operators(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{listener.getsockname()[1]}"
    os.environ[variable("solve_megabytes")] = str(settings.solve_megabytes)  # the workers that solve read it there
    if settings.workers == 1:
        server = uvicorn.Server(_Config(Application(settings), **_options(settings)))
        for number in (signal.SIGINT, signal.SIGTERM):  # Uvicorn raises the signal again once it has stopped
            signal.signal(number, lambda *_: setattr(server, "should_exit", True))
        ready(address)
        _start_logging(settings)
        server.run([listener])
        return
    os.environ.update(settings.environment())
    with tempfile.TemporaryDirectory(prefix="duelbook-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        options = {**_options(settings), "factory": True, "workers": settings.workers}
        workers = ServerProcesses(_Config("duelbook.web.app:from_environment", **options), [listener])
        ready(address)
        _start_logging(settings)
        workers.run()


class _Config(uvicorn.Config):
    """What Uvicorn serves and how: with our connections, and with an event loop that accepts them quickly."""

    def __init__(self, app: Any, open_connections: OpenConnections, **options: Any) -> None:
        super().__init__(app, http=partial(HttpConnection, open_connections=open_connections), **options)  # type: ignore[arg-type]
        self._open_connections = open_connections

    def get_loop_factory(self) -> Callable[[], asyncio.AbstractEventLoop]:
        return partial(AcceptingLoop, self._open_connections)


class ServerProcesses(Multiprocess):
    """Processes that leave Ctrl-C to their parent, which notices at once when one of them ends."""

    def init_processes(self) -> None:
        resource_tracker.ensure_running()  # otherwise it starts with the first of them, and lets Ctrl-C through
        with self._starting():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        before = {process.pid for process in self.processes if process.pid}
        with self._starting():
            super().keep_subprocess_alive()
        for ended in before - {process.pid for process in self.processes}:
            forget_process(ended)

    @contextmanager
    def _starting(self) -> Iterator[None]:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for process in self.processes:
            process.child_conn.close()  # while it is open here as well, the end of the process goes unnoticed


def listen_for_operators(settings: Settings) -> None:
    """Serve metrics and the reference in a thread, if the operator has given them an address of their own."""
    for address in {settings.metrics, settings.reference} - {"on", "off"}:
        documents: Documents = {}
        if settings.metrics == address:
            documents[METRICS_PATH] = metrics.page
        if settings.reference == address:
            documents[OPENAPI_PATH] = lambda: (REFERENCE.openapi, JSON)
            documents[PAGE_PATH] = lambda: (REFERENCE.page, "text/html; charset=utf-8")
        serve_documents(_listener(*split_address(address)), documents)


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to the address, or raise RefusedError."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)  # also of accepted connections
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error
        raise RefusedError(f"Cannot listen on {host}:{port}: {why}.") from error
    listener.set_inheritable(True)
    return listener


def _options(settings: Settings) -> dict[str, Any]:
    proxies = split_list(settings.trusted_proxies)
    return {
        "open_connections": OpenConnections(_connection_limit(settings), settings.address_connection_limit, proxies),
        "backlog": BACKLOG,
        "ws": SocketConnection,
        "ws_max_size": MAX_FRAME_BYTES,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": STOP_SECONDS,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies,
        "timeout_worker_healthcheck": WORKER_TIMEOUT_SECONDS,
        "log_config": None,
        "access_log": False,
        "server_header": False,
    }


def _raise_file_limit() -> None:
    """Allow as many open sockets as the system permits."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def _connection_limit(settings: Settings) -> int:
    """Return how many connections a process can have and still open its database and start its workers."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    possible = sys.maxsize if allowed == resource.RLIM_INFINITY else max(allowed - SPARE_FILES, 1)
    return min(settings.connection_limit, possible)


def _start_logging(settings: Settings) -> None:
    set_up(settings.log_level)
    for problem in problems():
        log.warning("a game cannot be used", extra={"why": problem})
    for problem in broken_narrations():
        log_once(problem)
    if (possible := _connection_limit(settings)) < settings.connection_limit:
        log.warning("the system allows fewer open files than connections", extra={"connection_limit": possible})
