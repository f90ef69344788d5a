"""A pool of workers, and how games are given out to it: in batches, and again where a worker dies."""

import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from duelbook.arena.work import Line
from duelbook.errors import RefusedError

LARGEST_BATCH = 200  # games that a worker is given at once; it hands back those that it has no time for
PATIENCE = 1.0  # seconds that workers have to hand over what is finished
MOST_DEATHS = 3  # of workers over one game


class Done(NamedTuple):
    """What became of a batch."""

    numbers: Sequence[int]
    lines: list[Line] | None  # those of the first games in it; None where the worker died


class Pool(Protocol):
    """Workers that play batches of games."""

    slots: int  # batches that may be under way at once

    def start(self, numbers: Sequence[int]) -> None:
        """Give a batch to a worker that is free."""
        ...

    def wait(self, timeout: float | None = None) -> list[Done]:
        """Answer the batches that have ended, as soon as there is one; none when the time is up or none is on."""
        ...

    def close(self) -> None:
        """End all workers at once."""
        ...


class DyingWorkerError(RefusedError):
    """A game that ends every worker it is given to."""

    def __init__(self, number: int) -> None:
        super().__init__(f"the worker died {MOST_DEATHS} times over game {number}")
        self.number = number


def play_all(numbers: Iterable[int], pool: Pool) -> Iterator[Line]:
    """Answer the games of these numbers as they end, in any order."""
    waiting, suspects = deque(numbers), deque[int]()
    deaths, running = Counter[int](), 0
    while waiting or suspects or running:
        while running < pool.slots and (waiting or suspects):
            pool.start([suspects.popleft()] if suspects else _batch(waiting, pool.slots))
            running += 1
        for done in pool.wait():
            running -= 1
            if done.lines is None:
                suspects.extend(_survived(done.numbers, deaths))
            else:
                waiting.extendleft(reversed(done.numbers[len(done.lines) :]))
                yield from done.lines


def leftovers(pool: Pool, patience: float = PATIENCE) -> Iterator[Line]:
    """Answer what is under way and ends soon, when everything is stopped."""
    deadline = time.monotonic() + patience
    while (left := deadline - time.monotonic()) > 0 and (ended := pool.wait(left)):
        for done in ended:
            yield from done.lines or ()


def _batch(waiting: deque[int], slots: int) -> list[int]:
    """Take the next games; fewer towards the end, so that all workers stay busy."""
    size = min(LARGEST_BATCH, -(-len(waiting) // (2 * slots)))
    return [waiting.popleft() for _ in range(size)]


def _survived(numbers: Sequence[int], deaths: Counter[int]) -> Sequence[int]:
    """Answer the games of a worker that died, to be tried again one by one: so the culprit is found."""
    deaths.update(numbers)
    for number in numbers:
        if deaths[number] >= MOST_DEATHS:
            raise DyingWorkerError(number)
    return numbers
