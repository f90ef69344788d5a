"""Work on a database in threads: the event loop waits once for a whole transaction, however many statements it has."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")


class Threads:
    """As many threads as the engine has connections."""

    def __init__(self, engine: Engine, size: int) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(size, "store")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Answer what the work answers, once its transaction is committed."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._transact, work)

    def _transact(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """Let go of threads and connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()
