"""Games played on a Ray cluster: one that is there already, or one that is started on this machine."""

import logging
import os
import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbook.arena.backends.pool import Done
from duelbook.arena.work import Job, Line, work
from duelbook.game import RefusedError, shortened

if TYPE_CHECKING:
    from duelbook.arena.backends.process import Work

ATTEMPTS = 3  # to start Ray here; it gives up after 30 seconds, which a busy machine may need
PATIENCE = 5.0  # seconds for a cluster to answer; Ray itself would try for minutes


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
        for task in self._running:
            with suppress(Exception):
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
    if address is not None:
        _check_reachable(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
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
        raise RefusedError(f"--ray-address must be HOST:PORT or auto, not '{shortened(address)}'")
    try:
        socket.create_connection((parts[1], int(parts[2])), PATIENCE).close()
    except OSError as error:
        raise RefusedError(f"no Ray cluster answers at {shortened(address)}: {error}") from error
