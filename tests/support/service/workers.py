"""The worker processes of a running server."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from duelbook.web.engine.supervisor import WORKER_MODULE
from tests.support.service.harness import RunningServer


def worker_processes(server: RunningServer) -> list[int]:
    """Return the ids of the processes in which agents think and studies are made."""
    assert server.process
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=2) for line in listing.stdout.splitlines()]
    return [int(pid) for pid, parent, args in rows if int(parent) == server.process.pid and WORKER_MODULE in args]


def signal_worker(worker: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(worker, number)


@contextmanager
def paused_workers(server: RunningServer) -> Iterator[None]:
    """Pause all worker processes that are running now."""
    workers = worker_processes(server)
    for worker in workers:
        signal_worker(worker, signal.SIGSTOP)
    try:
        yield
    finally:
        for worker in workers:
            signal_worker(worker, signal.SIGCONT)
