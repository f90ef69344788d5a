"""Cancellation of background tasks."""

import asyncio
from collections.abc import Iterable

RETRY_SECONDS = 0.1


async def cancel_all(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """Cancel the tasks until all have ended: before Python 3.12 `wait_for` may swallow a cancellation."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=RETRY_SECONDS)
