"""Matches played in other processes of this machine."""

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import ModuleType
from typing import NamedTuple

from duelbook.agents.process import KEPT
from duelbook.arena.workers.pool import BatchResult, Job, Line, Pool, Work
from duelbook.errors import RefusedError

SPAWN = get_context("spawn")  # a worker inherits nothing, so it is the same wherever it is started
GRACE_SECONDS = 3.0  # for workers to close their agents


class RunWorker(NamedTuple):
    process: SpawnProcess
    pipe: "Connection[Sequence[int], Reply]"


class WorkerFailure(NamedTuple):
    """Why a worker has no results."""

    expected: bool  # a RefusedError; otherwise it is a bug
    text: str


Reply = list[Line] | WorkerFailure


class ProcessPool(Pool):
    """Processes with a pipe each. The pipe of a dead worker closes, and the worker is replaced."""

    def __init__(self, job: Job, workers: int, work: Work) -> None:
        self.slots = workers
        self._job, self._work = job, work
        self._free: list[RunWorker] = []
        self._busy: dict[RunWorker, Sequence[int]] = {}

    def start(self, numbers: Sequence[int]) -> None:
        worker = self._free.pop() if self._free else self._new()
        self._busy[worker] = numbers
        with suppress(OSError):  # it is dead, and its pipe is closed
            worker.pipe.send(numbers)

    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        if not self._busy:
            return []
        ready = wait([worker.pipe for worker in self._busy], timeout)
        return [self._take(worker) for worker in list(self._busy) if worker.pipe in ready]

    def close(self) -> None:
        """End the workers. They close their agents first, so that no program outlives them."""
        workers, end = [*self._free, *self._busy], time.monotonic() + GRACE_SECONDS
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self._free, self._busy = [], {}

    def _new(self) -> RunWorker:
        ours, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=_serve, args=(theirs, self._job, self._work), daemon=True)
        resource_tracker.ensure_running()  # otherwise it starts with the first worker and unblocks Ctrl-C for it
        with _no_interrupt(), _without_main():
            process.start()
        theirs.close()
        return RunWorker(process, ours)

    def _take(self, worker: RunWorker) -> BatchResult:
        numbers = self._busy.pop(worker)
        try:
            reply = worker.pipe.recv()
        except (EOFError, OSError):
            worker.pipe.close()
            worker.process.join()
            return BatchResult(numbers)
        self._free.append(worker)
        if isinstance(reply, WorkerFailure):
            return BatchResult(numbers, error=(RefusedError if reply.expected else RuntimeError)(reply.text))
        return BatchResult(numbers, reply)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block Ctrl-C while a worker starts. The worker inherits that: Ctrl-C is for this process alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module while a worker starts, or the worker would run a script again that starts runs itself."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _serve(pipe: "Connection[Reply, Sequence[int]]", job: Job, work: Work) -> None:
    """Play the batches that the pipe brings until it closes, or until SIGTERM."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt), KEPT.during_run():
        while True:
            pipe.send(_reply(job, pipe.recv(), work))


def _reply(job: Job, numbers: Sequence[int], work: Work) -> Reply:
    try:
        return work(job, numbers)
    except RefusedError as error:
        return WorkerFailure(True, str(error))
    except Exception:
        return WorkerFailure(False, traceback.format_exc(limit=-3))


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os._exit(1)
