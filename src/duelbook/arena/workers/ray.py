"""Games played on a Ray cluster: one that is there already, or one that is started on this machine."""

import logging
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbook.arena.work import Job, Line, work
from duelbook.arena.workers.pool import Done
from duelbook.errors import RefusedError
from duelbook.text import shorten

if TYPE_CHECKING:
    from duelbook.arena.workers.process import Work

ATTEMPTS = 3  # to start Ray here; it gives up after 30 seconds, which a busy machine may need
GRACE = 3.0  # seconds for tasks to close their agents
PATIENCE = 5.0  # seconds for somebody to answer at the address
LONGEST_WELCOME = 60.0  # seconds for a cluster to take us in; Ray itself would try for minutes
TRY = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False)"


class RayPool:
    """Tasks of a Ray cluster; Ray replaces the workers, and what died with one is told here."""

    def __init__(self, job: Job, workers: int | None, address: str | None, play: "Work" = work) -> None:
        self._ray = _connected(workers, address)
        self.slots = workers or int(self._ray.cluster_resources().get("CPU", 1))
        self._job = self._ray.put(job)
        self._play = self._ray.remote(num_cpus=1, max_retries=0)(play)
        self._running: dict[Any, Sequence[int]] = {}

    def start(self, numbers: Sequence[int]) -> None:
        self._running[self._play.remote(self._job, numbers)] = numbers

    def wait(self, timeout: float | None = None) -> list[Done]:
        if not self._running:
            return []
        ended, _ = self._ray.wait(list(self._running), timeout=timeout)
        return [Done(self._running.pop(task), self._lines(task)) for task in ended]

    def close(self) -> None:
        """End the tasks: they close their agents first, or programs would go on without them."""
        tasks = list(self._running)
        with suppress(Exception):
            for task in tasks:
                self._ray.cancel(task)
            _, playing = self._ray.wait(tasks, num_returns=len(tasks), timeout=GRACE) if tasks else ([], [])
            for task in playing:
                self._ray.cancel(task, force=True)
        self._ray.shutdown()

    def _lines(self, task: Any) -> list[Line] | None:
        """Answer the lines of a task that has ended; None where its worker died."""
        try:
            lines: list[Line] = self._ray.get(task)
            return lines
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, RefusedError | ImportError):
                raise RefusedError(f"a worker of the Ray cluster refused: {error.cause}") from None
            raise
        except self._ray.exceptions.RayError:
            return None


def _connected(workers: int | None, address: str | None) -> Any:
    """Answer Ray, connected to the cluster at the address, or to one that was started here."""
    if find_spec("ray") is None:
        raise RefusedError("--backend ray needs the extra `ray`, which is not installed")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is not None:
        _check_reachable(address)
        _check_cluster(address)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    local = {} if address else {"num_cpus": workers, "include_dashboard": False}
    for left in reversed(range(1 if address else ATTEMPTS)):
        try:
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **local)
            break
        except (Exception, SystemExit) as error:
            ray.shutdown()
            if not left:
                raise RefusedError(f"Ray cannot be used: {error}") from error
    return ray


def _check_reachable(address: str) -> None:
    """Refuse an address where nothing answers."""
    parts = re.fullmatch(r"(?:ray://)?\[?([^\s/]+?)\]?:(\d{1,5})", address)
    if address == "auto":
        return
    if not parts or int(parts[2]) > 65_535:
        raise RefusedError(f"--ray-address must be HOST:PORT or auto, not '{shorten(address)}'")
    try:
        socket.create_connection((parts[1], int(parts[2])), PATIENCE).close()
    except OSError as error:
        raise RefusedError(f"no Ray cluster answers at {shorten(address)}: {error}") from error


def _check_cluster(address: str) -> None:
    """Refuse an address where no cluster takes us in, by a process that can be ended while Ray goes on trying."""
    told = shorten(address)
    try:
        tried = subprocess.run([sys.executable, "-c", TRY, address], capture_output=True, timeout=LONGEST_WELCOME)
    except subprocess.TimeoutExpired:
        raise RefusedError(f"no Ray cluster answers at {told} within {LONGEST_WELCOME:g} seconds") from None
    if tried.returncode:
        said = tried.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        token = "" if os.environ.get("RAY_AUTH_MODE") else "; if it wants a token, set RAY_AUTH_MODE=token"
        raise RefusedError(f"the Ray cluster at {told} cannot be used: {shorten(said)}{token}")
