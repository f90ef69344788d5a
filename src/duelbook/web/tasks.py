"""Background tasks: started, logged if they fail, and cancelled."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any

RETRY_SECONDS = 0.1

log = logging.getLogger("duelbook.web")


def start(work: Coroutine[Any, Any, None], tasks: set["asyncio.Task[None]"]) -> None:
    """Run the work in a task, which is in the set until it ends. An exception is logged."""

    def finish(task: "asyncio.Task[None]") -> None:
        tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("a background task failed", exc_info=error)

    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(finish)


async def cancel_all(tasks: Iterable["asyncio.Task[Any]"]) -> None:
    """Cancel the tasks until all have ended: before Python 3.12 `wait_for` may swallow a cancellation."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=RETRY_SECONDS)
