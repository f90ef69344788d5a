"""A pool of workers, and how it gets its tasks: in batches, and again if a worker dies."""

import math
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from duelbook.errors import RefusedError

MAX_BATCH = 200  # tasks that a worker gets at once; it hands back those that it has no time for
SIGNAL_SECONDS = 0.5  # between two looks for Ctrl-C: a signal just before a wait does not end it
DRAIN_SECONDS = 1.0  # for workers to hand over what they finish while a run stops
MAX_DEATHS = 3  # workers that one task may crash before the run stops

Line = tuple[int, str]  # the number of a task, and its result as a line


class Job(NamedTuple):
    """A plan as workers get it."""

    manifest: str


Work = Callable[[Job, Sequence[int]], list[Line]]  # does the first tasks of a batch, at least one


class BatchResult(NamedTuple):
    """The results of a batch, or why there are none."""

    numbers: Sequence[int]
    lines: list[Line] | None = None  # the results of the first tasks; None if the worker died or failed
    error: Exception | None = None  # why the worker failed


class Pool(ABC):
    """Workers that do batches of tasks."""

    slots: int  # batches that may be under way at the same time
    max_batch = MAX_BATCH
    drain_seconds = DRAIN_SECONDS

    @abstractmethod
    def start(self, numbers: Sequence[int]) -> None:
        """Give a batch to a free worker."""

    @abstractmethod
    def wait(self, timeout: float | None = None) -> list[BatchResult]:
        """Return the batches that have ended, as soon as there is one. Return none if the time is up or none runs."""

    def drain(self, error: BaseException) -> Iterator[Line]:
        """Yield the results of batches under way that end soon, when the run stops because of this error."""
        deadline = time.monotonic() + self.drain_seconds
        while (left := deadline - time.monotonic()) > 0 and (ended := self.wait(None if left == math.inf else left)):
            for done in ended:
                yield from done.lines or ()

    @abstractmethod
    def close(self) -> None:
        """End all workers at once."""


class WorkerDiedError(RefusedError):
    """A task crashed every worker that did it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"Task {number} crashed {MAX_DEATHS} workers.")
        self.number = number


def play_all(numbers: Iterable[int], pool: Pool) -> Iterator[Line]:
    """Yield the results of the tasks with these numbers as they end, in any order."""
    waiting, suspects = deque(numbers), deque[int]()
    deaths, running = Counter[int](), 0
    while waiting or suspects or running:
        while running < pool.slots and (waiting or suspects):
            pool.start([suspects.popleft()] if suspects else _batch(waiting, pool))
            running += 1
        ended = pool.wait(SIGNAL_SECONDS)
        for done in ended:
            running -= 1
            if done.lines is not None:
                waiting.extendleft(reversed(done.numbers[len(done.lines) :]))
                yield from done.lines
            elif done.error is None:
                suspects.extend(_after_death(done.numbers, deaths))
        for done in ended:
            if done.error:
                raise done.error


def _batch(waiting: deque[int], pool: Pool) -> list[int]:
    """Take the next tasks, fewer towards the end, so that all workers stay busy."""
    size = min(pool.max_batch, -(-len(waiting) // (2 * pool.slots)))
    return [waiting.popleft() for _ in range(size)]


def _after_death(numbers: Sequence[int], deaths: Counter[int]) -> Sequence[int]:
    """Return the tasks of a worker that died. They are done again one by one, which finds the one at fault."""
    deaths.update(numbers)
    for number in numbers:
        if deaths[number] >= MAX_DEATHS:
            raise WorkerDiedError(number)
    return numbers
