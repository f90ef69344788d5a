"""VersionBatcher: questions for the versions of matches that come at the same time are asked together."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress


class VersionBatcher:
    def __init__(self, ask: Callable[[Collection[str]], Awaitable[dict[str, int]]]) -> None:
        self._ask = ask
        self._one_at_a_time = asyncio.Lock()
        self._wanted: set[str] = set()
        self._next: asyncio.Task[dict[str, int]] | None = None  # the question that has not been asked yet

    async def version(self, match: str) -> int | None:
        """Answer the version that the match is at, no older than this call."""
        self._wanted.add(match)
        if self._next is None:
            self._next = asyncio.create_task(self._glance())
            self._next.add_done_callback(_noted)
        return (await asyncio.shield(self._next)).get(match)

    async def _glance(self) -> dict[str, int]:
        async with self._one_at_a_time:
            wanted, self._wanted, self._next = self._wanted, set(), None
            return await self._ask(wanted)


def _noted(task: "asyncio.Task[dict[str, int]]") -> None:
    """Let an error be that nobody waits for any more."""
    with suppress(asyncio.CancelledError):
        task.exception()
