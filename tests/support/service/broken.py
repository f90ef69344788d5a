"""The service with a deliberate break, to show that the tests of faults can fail: `python -m … BREAK serve`."""

import asyncio
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import update

from duelbook.__main__ import run
from duelbook.web.db import database
from duelbook.web.db.changes import CHANGING_COLUMNS, Statements
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.row_parameters import packed_rows, unpacked_rows
from duelbook.web.db.tables import matches
from duelbook.web.db.writer import Writer

Change = Callable[..., None]  # sets an attribute, as `pytest.MonkeyPatch.setattr` does


def acknowledge_before_commit(change: Change) -> None:
    """A move is acknowledged at once and committed a little later."""
    real = Writer.apply
    later: set[asyncio.Task[None]] = set()

    async def delayed(self: Writer, *changes: Any) -> None:
        await asyncio.sleep(0.2)
        await real(self, *changes)

    async def apply(self: Writer, *changes: Any) -> None:
        later.add(asyncio.create_task(delayed(self, *changes)))

    change(Writer, "apply", apply)


def no_unique_key(change: Change) -> None:
    """A second writer is accepted: versions are not checked, and rows are overwritten."""

    how = Statements("sqlite")
    how.new = {table: statement.prefix_with("OR REPLACE") for table, statement in how.new.items()}
    match = unpacked_rows("sqlite", matches.c)
    unchecked = update(matches).where(matches.c.id == match.c.id)
    how.change_match = unchecked.values({name: match.c[name] for name in CHANGING_COLUMNS})
    how.advance_match = unchecked.values({name: match.c[name] for name in ("version", "ply", "turn_started")})
    change("duelbook.web.db.changes.statements", lambda _: how)
    change(
        "duelbook.web.db.changes._write_rows",
        lambda connection, *what: connection.execute(what[0], packed_rows(what[1])),
    )


def forget_answers(change: Change) -> None:
    """Retries are not recognized."""
    change("duelbook.web.match.actions.find_retried_line", lambda *_: None)


def forget_agents(change: Change) -> None:
    """Agents' turns that a restart interrupted are not taken."""

    async def none(*_: Any) -> AsyncIterator[list[str]]:
        return
        yield

    change("duelbook.web.db.store.Store.with_agent_due", none)


def charge_down_time(change: Change) -> None:
    """Clocks run on while the service is down."""
    change("duelbook.web.clock.ServiceClock.seconds", lambda _: time.time())


def wait_for_redis(change: Change) -> None:
    """The answer to a move waits for Redis."""

    def notice(self: Any, _: Any) -> None:
        where = self._channel._redis.connection_pool.connection_kwargs
        while True:
            try:
                return socket.create_connection((where["host"], where["port"]), timeout=1).close()
            except OSError:
                time.sleep(0.05)

    change("duelbook.web.live.relay.Relay.send_change", notice)


def never_resync(change: Change) -> None:
    """Messages that Redis loses are lost for good."""

    async def nothing(_: Any) -> None: ...

    change("duelbook.web.maintenance.Maintenance.resync", nothing)


def swallow_errors(change: Change) -> None:
    """A change that could not be written is acknowledged."""
    real = Writer._try_write

    async def written(self: Writer, jobs: Any, check: bool = False) -> Sequence[Exception | None]:
        ends = await real(self, jobs, check)
        return [None if isinstance(end, StoreUnavailableError) else end for end in ends]

    change(Writer, "_try_write", written)


def asynchronous_commit(change: Change) -> None:
    """PostgreSQL acknowledges commits that it has not written yet."""
    real = database._durable

    def relaxed(url: Any, session: Any) -> dict[str, Any]:
        arguments = real(url, session)
        assert "synchronous_commit=on" in arguments["options"]
        return arguments | {"options": arguments["options"].replace("synchronous_commit=on", "synchronous_commit=off")}

    change(database, "_durable", relaxed)


BREAKS: dict[str, Callable[[Change], None]] = {
    broken.__name__.replace("_", "-"): broken
    for broken in (
        acknowledge_before_commit,
        no_unique_key,
        forget_answers,
        forget_agents,
        charge_down_time,
        wait_for_redis,
        never_resync,
        swallow_errors,
        asynchronous_commit,
    )
}

if __name__ == "__main__":
    BREAKS[sys.argv.pop(1)](pytest.MonkeyPatch().setattr)
    run()
