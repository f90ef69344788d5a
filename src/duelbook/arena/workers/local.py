"""Matches played in this process: one after another, or several at the same time in threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from duelbook.arena.workers.pool import BatchResult, Job, Line, Pool, Work


class SerialPool(Pool):
    """The only worker is the main thread, where Ctrl-C takes effect at once. Each result is handed over on its own."""

    slots = 1
    max_batch = 1

    def __init__(self, job: Job, work: Work) -> None:
        self._job, self._work = job, work
        self._numbers: Sequence[int] = ()

    def start(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        numbers, self._numbers = self._numbers, ()
        return [BatchResult(numbers, self._work(self._job, numbers))] if numbers else []

    def close(self) -> None:
        pass


class ThreadPool(Pool):
    """Threads, for matches that spend their time waiting for an endpoint."""

    max_batch = 1

    def __init__(self, job: Job, threads: int, work: Work, stop: Callable[[BaseException | None], None]) -> None:
        """Make the pool. `stop` gets the error that stops the run, and lets the matches under way end soon."""
        self.slots = threads
        self._job, self._work, self._stop = job, work, stop
        self._executor = ThreadPoolExecutor(threads)
        self._running: dict[Future[list[Line]], Sequence[int]] = {}

    def start(self, numbers: Sequence[int]) -> None:
        self._running[self._executor.submit(self._work, self._job, numbers)] = numbers

    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        ended = wait(self._running, timeout, FIRST_COMPLETED).done
        return [_done(self._running.pop(future), future) for future in ended]

    def drain(self, error: BaseException) -> Iterator[Line]:
        """Yield the results of all matches under way that still come to an end."""
        self._stop(error)
        while self._running:
            for done in self.wait():
                yield from done.lines or ()

    def close(self) -> None:
        if self._running:
            self._stop(None)
        self._executor.shutdown()


def _done(numbers: Sequence[int], future: Future[list[Line]]) -> BatchResult:
    error = future.exception()
    if error is None:
        return BatchResult(numbers, future.result())
    if isinstance(error, Exception):
        return BatchResult(numbers, error=error)
    raise error
