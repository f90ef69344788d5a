"""Matches played on a Ray cluster: an existing one, or one that is started on this machine."""

import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from duelbook.agents import AGENTS
from duelbook.agents.process import KEPT
from duelbook.arena.workers.pool import BatchResult, Job, Line, Pool, Work
from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.text import shorten

START_ATTEMPTS = 3  # Ray gives up a start after 30 seconds, which can be too short on a busy machine
GRACE_SECONDS = 3.0  # for tasks to close their agents
PORT_SECONDS = 5.0  # to connect to the port at the address
CLUSTER_SECONDS = 60.0  # to join the cluster; Ray itself would try for minutes
JOIN_SCRIPT = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False)"


class RayPool(Pool):
    """Tasks of a Ray cluster. Ray replaces dead workers."""

    def __init__(self, job: Job, workers: int | None, address: str | None, work: Work) -> None:
        self._ray = _connected(workers, address)
        self.slots = workers or int(self._ray.cluster_resources().get("CPU", 1))
        self._job = self._ray.put(job)
        self._work, self._remote = work, self._ray.remote(num_cpus=1, max_retries=0)(_work_in_cluster)
        self._running: dict[Any, Sequence[int]] = {}

    def start(self, numbers: Sequence[int]) -> None:
        self._running[self._remote.remote(self._work, self._job, numbers)] = numbers

    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        if not self._running:
            return []
        ended, _ = self._ray.wait(list(self._running), timeout=timeout)
        return [self._take(task) for task in ended]

    def close(self) -> None:
        """End the tasks. They close their agents first, so that no program outlives them."""
        tasks = list(self._running)
        with suppress(Exception):
            for task in tasks:
                self._ray.cancel(task)
            _, playing = self._ray.wait(tasks, num_returns=len(tasks), timeout=GRACE_SECONDS) if tasks else ([], [])
            for task in playing:
                self._ray.cancel(task, force=True)
        self._ray.shutdown()

    def _take(self, task: Any) -> BatchResult:
        """Return the results of a task that has ended."""
        numbers = self._running.pop(task)
        try:
            return BatchResult(numbers, self._ray.get(task))
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, RefusedError | ImportError):
                return BatchResult(numbers, error=RefusedError(f"A worker of the Ray cluster failed: {error.cause}"))
            return BatchResult(numbers, error=error)
        except self._ray.exceptions.RayError:
            return BatchResult(numbers)


def _work_in_cluster(work: Work, job: Job, numbers: Sequence[int]) -> list[Line]:
    """Do a batch in a worker, which keeps programs for their next match. Ray ends it with the run."""
    KEPT.keep_until_exit()
    return work(job, numbers)


def _connected(workers: int | None, address: str | None) -> Any:
    """Return Ray, connected to the cluster at the address, or to one that is started here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is not None:
        _check_reachable(address)
        _check_cluster(address)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)
    handler = signal.getsignal(signal.SIGTERM)
    local = {"num_cpus": workers, "include_dashboard": False}
    names = filter(os.environ.__contains__, (GAMES.variable, AGENTS.variable))
    given = {name: os.environ[name] for name in names}  # workers elsewhere do not inherit them
    options: dict[str, Any] = {"runtime_env": {"env_vars": given}} if address and given else {} if address else local
    for left in reversed(range(1 if address else START_ATTEMPTS)):
        try:
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **options)
            break
        except (Exception, SystemExit) as error:
            ray.shutdown()
            if not left:
                raise RefusedError(f"Cannot start Ray: {error}") from error
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)  # Ray's own handler prints a stack dump
    return ray


def _check_reachable(address: str) -> None:
    """Raise RefusedError if nothing listens at the address."""
    parts = re.fullmatch(r"(?:ray://)?\[?([^\s/]+?)\]?:(\d{1,5})", address)
    if address == "auto":
        return
    if not parts or int(parts[2]) > 65_535:
        raise RefusedError(f"--ray-address must be HOST:PORT or auto, not '{shorten(address)}'.")
    try:
        socket.create_connection((parts[1], int(parts[2])), PORT_SECONDS).close()
    except OSError as error:
        raise RefusedError(f"No Ray cluster answers at {shorten(address)}: {error}.") from error


def _check_cluster(address: str) -> None:
    """Raise RefusedError if the cluster cannot be joined. A child process tries, so that it can be killed."""
    name = shorten(address)
    try:
        attempt = subprocess.run(
            [sys.executable, "-c", JOIN_SCRIPT, address], capture_output=True, timeout=CLUSTER_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise RefusedError(f"No Ray cluster answers at {name} within {CLUSTER_SECONDS:g} seconds.") from None
    if attempt.returncode:
        last_line = attempt.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        token = "" if os.environ.get("RAY_AUTH_MODE") else " If it requires a token, set RAY_AUTH_MODE=token."
        raise RefusedError(f"Cannot use the Ray cluster at {name}: {shorten(last_line).removesuffix('.')}.{token}")
