"""Tasks that go on until they are ended."""

import asyncio
from collections.abc import Iterable

AGAIN = 0.1  # seconds after which a task that goes on is told once more


async def end(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """End the tasks, and wait for that; told once, one could miss it: before Python 3.12 `wait_for` may swallow it."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN)
