"""Stores for tests: changes to write, and several stores on one database."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

from msgspec.structs import replace

from duelbook.web.db.database import open_databases
from duelbook.web.db.move_hashes import hash_after, hash_before
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change, MatchRow, MoveRow, SeatRow

T = TypeVar("T")
LONG_AGO = 1_000_000
PATIENCE = 60.0  # seconds for changes to be written


def new(number: int, **more: Any) -> Change:
    name = f"{number:024d}"
    row = MatchRow(name, "crystal-capture", '{"goal": 15}', 1, 0, LONG_AGO, LONG_AGO, started="2026-01-01T00:00:00")
    return Change(replace(row, **more), new=True, seats=(SeatRow(name, 0, token="a"), SeatRow(name, 1, token="b")))


def moved(before: Change, move: str = "5", key: str | None = None) -> Change:
    row = before.match
    after = replace(row, version=row.version + 1, ply=row.ply + 1)
    seat, hashed = row.ply % 2, before.moves[-1].hash if before.moves else hash_before(row)
    hashed = hash_after(hashed, row.ply, move, seat, key, 0.5, after.version)
    return Change(after, moves=(MoveRow(row.id, row.ply, move, seat, key, 0.5, after.version, hashed),))


@asynccontextmanager
async def store_at(url: str, **more: Any) -> Any:
    store = Store(open_databases(url, **more))
    store.start()
    try:
        yield store
    finally:
        await store.close()


def with_stores(url: str, count: int, work: Callable[..., Coroutine[Any, Any, T]], **more: Any) -> T:
    """Run the work with that many stores on one database, as several processes have them; return its result."""

    async def run() -> T:
        async with AsyncExitStack() as stack:
            return await work(*[await stack.enter_async_context(store_at(url, **more)) for _ in range(count)])

    return asyncio.run(run())


async def outcomes(*awaitables: Awaitable[Any]) -> list[type[BaseException] | None]:
    """Run all of these at once; return for each its error, or None."""
    ends = await asyncio.wait_for(asyncio.gather(*awaitables, return_exceptions=True), PATIENCE)
    return [type(end) if isinstance(end, BaseException) else None for end in ends]
