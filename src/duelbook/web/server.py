"""Serving: from the settings to processes that listen."""

import os
import resource
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from duelbook.errors import RefusedError
from duelbook.web.app import application
from duelbook.web.db.schema import check, upgrade
from duelbook.web.http.connections import HttpConnection, SocketConnection
from duelbook.web.logs import set_up
from duelbook.web.metrics import SHARED
from duelbook.web.settings import Settings, listed

LARGEST_FRAME = 4096  # bytes
SLOWEST_WORKER = 60  # seconds for a process to start or to show that it is alive; then it is replaced
SLOWEST_STOP = 20  # seconds for answers under way when the service stops


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until told to stop; say at which address once nothing can go wrong with that."""
    if settings.sqlite_file:
        upgrade(settings.database)
    else:
        check(settings.database)
    _many_files()
    listener = _listener(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{listener.getsockname()[1]}"
    if settings.workers == 1:
        server = uvicorn.Server(uvicorn.Config(application(settings), **_options(settings)))
        for sign in (signal.SIGINT, signal.SIGTERM):  # Uvicorn stops in good order, and sends the signal once more then
            signal.signal(sign, lambda *_: setattr(server, "should_exit", True))
        ready(address)
        set_up(settings.log_level)
        server.run([listener])
        return
    os.environ.update(settings.environment())
    with tempfile.TemporaryDirectory(prefix="duelbook-metrics-") as folder:
        os.environ[SHARED] = folder
        options = {**_options(settings), "factory": True, "workers": settings.workers}
        workers = Workers(uvicorn.Config("duelbook.web.app:from_environment", **options), [listener])
        ready(address)
        set_up(settings.log_level)
        workers.run()


class Workers(Multiprocess):
    """Processes that leave Ctrl-C to this one, and whose end it sees at once."""

    def init_processes(self) -> None:
        resource_tracker.ensure_running()  # or it starts with the first of them, and lets Ctrl-C through
        with self._starting():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        with self._starting():
            super().keep_subprocess_alive()

    @contextmanager
    def _starting(self) -> Iterator[None]:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for process in self.processes:
            process.child_conn.close()  # while it is open here, too, the end of it is not seen


def _listener(settings: Settings) -> socket.socket:
    """Answer a socket that is bound to the address, or refuse in a sentence."""
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error
        raise RefusedError(f"cannot listen on {settings.host}:{settings.port}: {why}") from error
    listener.set_inheritable(True)
    return listener


def _options(settings: Settings) -> dict[str, Any]:
    proxies = listed(settings.trusted_proxies)
    return {
        "http": HttpConnection,
        "ws": SocketConnection,
        "ws_max_size": LARGEST_FRAME,
        "ws_per_message_deflate": False,
        "limit_concurrency": settings.connection_limit,
        "timeout_graceful_shutdown": SLOWEST_STOP,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": proxies,
        "timeout_worker_healthcheck": SLOWEST_WORKER,
        "log_config": None,
        "access_log": False,
        "server_header": False,
    }


def _many_files() -> None:
    """Have as many sockets open as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
