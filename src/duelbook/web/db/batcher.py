"""A batcher: questions about matches that come at the same time are asked in one transaction."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Generic, TypeVar

from duelbook.web.db.errors import NO_ANSWER, StoreUnavailableError

WAIT_SECONDS = 3.0  # for queries before this one, which a database that does not answer keeps waiting
QUERY_LIMIT = 500  # matches that one query is about

K = TypeVar("K")
T = TypeVar("T")


class Batcher(Generic[K, T]):
    """Asks about matches that are wanted at the same time in one transaction."""

    def __init__(self, ask: Callable[[Collection[K]], Awaitable[dict[K, T]]], at_once: int = 1) -> None:
        self._ask = ask
        self._turns = asyncio.Semaphore(at_once)
        self._wanted: list[K] = []
        self._next: asyncio.Task[dict[K, T]] | None = None  # the query that has not been sent yet

    async def get(self, match: K) -> T | None:
        """Return what is known of the match at the time of this call, or later; None if there is no such match."""
        if self._next is None or len(self._wanted) >= QUERY_LIMIT:
            self._wanted = []
            self._next = asyncio.create_task(self._query(self._wanted))
            self._next.add_done_callback(_retrieve_exception)
        self._wanted.append(match)
        return (await asyncio.shield(self._next)).get(match)

    async def _query(self, wanted: list[K]) -> dict[K, T]:
        began = asyncio.get_running_loop().time()
        async with self._turns:
            if self._wanted is wanted:
                self._next = None
            if asyncio.get_running_loop().time() - began > WAIT_SECONDS:
                raise StoreUnavailableError("a query waited too long", NO_ANSWER)
            return await self._ask({*wanted})


def _retrieve_exception(task: "asyncio.Task[Any]") -> None:
    """Keep asyncio from logging an error that no caller waits for any more."""
    with suppress(asyncio.CancelledError):
        task.exception()
