"""Games played here, one after another."""

from collections.abc import Sequence

from duelbook.arena.work import Job, work
from duelbook.arena.workers.pool import Done


class SerialPool:
    """The one worker is this process; every game is handed over as soon as it is played."""

    slots = 1

    def __init__(self, job: Job) -> None:
        self._job = job
        self._numbers: Sequence[int] = ()

    def start(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def wait(self, timeout: float | None = None) -> list[Done]:
        numbers, self._numbers = self._numbers, ()
        return [Done(numbers, work(self._job, numbers, enough=0))] if numbers else []

    def close(self) -> None:
        pass
