"""Studies that take a while: they go on between the requests of the client who asks for them."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, TypeVar

from duelbook.web.engine.supervisor import OnProgress, TaskProgress
from duelbook.web.tasks import cancel_all

ANSWER_SECONDS = 1.0  # what is not ready by then is answered with its progress
ABANDONED_SECONDS = 10.0  # after the last request for it, a study is cancelled, or its result forgotten

T = TypeVar("T")
Work = Callable[[OnProgress], Coroutine[Any, Any, T]]


class _Study:
    """One study, and who asks for it."""

    def __init__(self, work: Work[Any]) -> None:
        loop = asyncio.get_running_loop()
        self.progress: TaskProgress | None = None  # None while it waits for a worker
        self.task = loop.create_task(work(self._note))
        self.task.add_done_callback(_retrieve)
        self.answer_at = loop.time() + ANSWER_SECONDS
        self.asking = 0  # requests that wait for it now
        self._abandoned: asyncio.TimerHandle | None = None

    def expect(self, abandoned: asyncio.TimerHandle | None) -> None:
        """Replace the timer that ends the study if nobody asks again."""
        if self._abandoned:
            self._abandoned.cancel()
        self._abandoned = abandoned

    def _note(self, progress: TaskProgress) -> None:
        self.progress = progress


class Studies:
    """The studies of this process that are under way, or ready for the next request."""

    def __init__(self) -> None:
        self._studies: dict[Hashable, _Study] = {}

    def is_known(self, key: Hashable) -> bool:
        """Return True if the study has begun, so that asking for it begins no other."""
        return key in self._studies

    async def ask(self, key: Hashable, work: Work[T]) -> T | TaskProgress | None:
        """Return the result of the study, or how far it is after a second; None if it waits for a worker.

        The first request begins the study. It is cancelled when the last client leaves before it has an answer, or when
        nobody asks again.
        """
        study = self._studies.get(key) or self._studies.setdefault(key, _Study(work))
        study.expect(None)
        study.asking += 1
        loop = asyncio.get_running_loop()
        try:
            await asyncio.wait((study.task,), timeout=max(0.0, study.answer_at - loop.time()))
        except asyncio.CancelledError:
            if study.asking == 1:
                self._forget(key, study)
            raise
        finally:
            study.asking -= 1
        if study.task.done():
            self._forget(key, study)
            result: T = study.task.result()
            return result
        study.expect(loop.call_later(ABANDONED_SECONDS, self._forget, key, study))
        return study.progress

    async def close(self) -> None:
        """Cancel all studies."""
        await cancel_all(study.task for study in self._studies.values())

    def _forget(self, key: Hashable, study: _Study) -> None:
        study.expect(None)
        study.task.cancel()
        if self._studies.get(key) is study:
            del self._studies[key]


def _retrieve(task: "asyncio.Task[Any]") -> None:
    """Take note of an exception, which is only raised if somebody asks again."""
    if not task.cancelled():
        task.exception()
