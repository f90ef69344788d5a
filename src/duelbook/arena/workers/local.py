"""Matches played in this process: one after another, or several at the same time in threads."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue

from duelbook.arena.workers.pool import BatchResult, Job, Line, Pool, Work

POLL_SECONDS = 0.1  # between two looks at whether matches are under way


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
    """Threads, for matches that spend their time waiting for an endpoint.

    Ctrl-C may come at any moment in the main thread, so that thread shares no lock with the others: one that it leaves
    locked would stop them for ever. They hand over their results in a queue.
    """

    max_batch = 1

    def __init__(self, job: Job, threads: int, work: Work, stop: Callable[[BaseException | None], None]) -> None:
        """Make the pool. `stop` gets the error that stops the run, and lets the matches under way end soon."""
        self.slots = threads
        self._job, self._work, self._stop = job, work, stop
        self._executor = ThreadPoolExecutor(threads)
        self._under_way: set[int] = set()  # the first numbers of the batches in the threads, which keep this up to date
        self._ended: SimpleQueue[BatchResult | BaseException] = SimpleQueue()

    def start(self, numbers: Sequence[int]) -> None:
        self._executor.submit(self._do, numbers)

    def _do(self, numbers: Sequence[int]) -> None:
        self._under_way.add(numbers[0])
        try:
            self._ended.put(BatchResult(numbers, self._work(self._job, numbers)))
        except Exception as error:
            self._ended.put(BatchResult(numbers, error=error))
        except BaseException as error:
            self._ended.put(error)
        finally:
            self._under_way.discard(numbers[0])

    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        try:
            ended = self._ended.get(timeout=timeout)
        except Empty:
            return []
        if isinstance(ended, BatchResult):
            return [ended]
        raise ended

    def drain(self, error: BaseException) -> Iterator[Line]:
        """Yield the results of all matches under way that still come to an end."""
        self._stop(error)
        while self._under_way or not self._ended.empty():
            for done in self.wait(POLL_SECONDS):
                yield from done.lines or ()

    def close(self) -> None:
        if self._under_way:
            self._stop(None)
        self._executor.shutdown()
