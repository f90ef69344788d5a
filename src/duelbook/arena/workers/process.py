"""Games played in processes of this machine."""

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import NamedTuple

from duelbook.arena.work import Job, Line, work
from duelbook.arena.workers.pool import Done
from duelbook.errors import RefusedError

SPAWN = get_context("spawn")  # nothing is inherited, so that a worker is the same wherever it is started

GRACE = 3.0  # seconds for workers to close their agents

Work = Callable[[Job, Sequence[int]], list[Line]]


class Worker(NamedTuple):
    process: SpawnProcess
    pipe: "Connection[Sequence[int], Answer]"


class Failure(NamedTuple):
    """Why a worker has no lines to answer."""

    refused: bool  # with a sentence; else it is a fault
    text: str


Answer = list[Line] | Failure


class ProcessPool:
    """Workers with a pipe each; a dead one shows by the end of its pipe, and is replaced."""

    def __init__(self, job: Job, workers: int, play: Work = work) -> None:
        self.slots = workers
        self._job, self._play = job, play
        self._free: list[Worker] = []
        self._busy: dict[Worker, Sequence[int]] = {}

    def start(self, numbers: Sequence[int]) -> None:
        worker = self._free.pop() if self._free else self._new()
        self._busy[worker] = numbers
        with suppress(OSError):  # it has died, which its pipe will tell
            worker.pipe.send(numbers)

    def wait(self, timeout: float | None = None) -> list[Done]:
        if not self._busy:
            return []
        ready = wait([worker.pipe for worker in self._busy], timeout)
        return [self._end(worker) for worker in list(self._busy) if worker.pipe in ready]

    def close(self) -> None:
        """End the workers: those who play close their agents first, or programs would go on without them."""
        workers, end = [*self._free, *self._busy], time.monotonic() + GRACE
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self._free, self._busy = [], {}

    def _new(self) -> Worker:
        ours, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=_serve, args=(theirs, self._job, self._play), daemon=True)
        resource_tracker.ensure_running()  # or it starts with the first worker, and lets Ctrl-C through to it
        with _no_interrupt():
            process.start()
        theirs.close()
        return Worker(process, ours)

    def _end(self, worker: Worker) -> Done:
        numbers = self._busy.pop(worker)
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            worker.pipe.close()
            worker.process.join()
            return Done(numbers, None)
        self._free.append(worker)
        if isinstance(answer, Failure):
            raise (RefusedError if answer.refused else RuntimeError)(answer.text)
        return Done(numbers, answer)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back while a worker is started, which stays deaf to it: it is for this process alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: "Connection[Answer, Sequence[int]]", job: Job, play: Work) -> None:
    """Play what the pipe brings until it ends, or until told to stop in the middle."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            pipe.send(_answer(job, pipe.recv(), play))


def _answer(job: Job, numbers: Sequence[int], play: Work) -> Answer:
    try:
        return play(job, numbers)
    except RefusedError as error:
        return Failure(True, str(error))
    except Exception:
        return Failure(False, traceback.format_exc(limit=-3))


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent
    wait([parent.sentinel])
    os._exit(1)
