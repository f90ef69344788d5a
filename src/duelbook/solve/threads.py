"""Threads for the compiled solver: its functions release the interpreter's lock, so they run on all cores."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

T = TypeVar("T")


def core_count() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads:
    """Some threads; with one, everything runs in the caller's."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or core_count()
        self._pool = ThreadPoolExecutor(self.count) if self.count > 1 else None

    def __enter__(self) -> "Threads":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)  # waits for what is under way, which is short

    def run(self, tasks: Sequence[Callable[[], T]]) -> list[T]:
        """Return the results of the tasks in order."""
        if self._pool is None or len(tasks) < 2:
            return [task() for task in tasks]
        running = [self._pool.submit(task) for task in tasks]
        try:
            return [future.result() for future in running]
        finally:
            for future in running:
                future.cancel()
