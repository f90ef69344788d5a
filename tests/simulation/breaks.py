"""Deliberate breaks of the service, to show that the simulation finds them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import update

from duelbook.web.clock import ServiceClock
from duelbook.web.db.errors import ConflictError
from duelbook.web.db.store import Store
from duelbook.web.db.tables import matches
from duelbook.web.db.writer import CHANGING_COLUMNS, Statements, Writer, packed_rows, unpacked_rows
from duelbook.web.maintenance import Maintenance
from tests.simulation.cluster import Cluster

Break = Callable[[pytest.MonkeyPatch, Cluster], None]


def acknowledge_before_commit(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A move is acknowledged at once and committed a little later."""
    real = Writer.apply

    async def delayed(self: Writer, *changes: Any) -> None:
        await asyncio.sleep(0.2)
        await real(self, *changes)

    async def apply(self: Writer, *changes: Any) -> None:
        task = asyncio.create_task(delayed(self, *changes))
        task.add_done_callback(lambda done: done.exception())

    patch.setattr(Writer, "apply", apply)


def no_unique_key(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A second writer is accepted: versions are not checked, and rows are overwritten."""
    how = Statements("sqlite")
    how.new = {table: statement.prefix_with("OR REPLACE") for table, statement in how.new.items()}
    match = unpacked_rows("sqlite", matches.c)
    how.change_match = (
        update(matches).where(matches.c.id == match.c.id).values({name: match.c[name] for name in CHANGING_COLUMNS})
    )
    patch.setattr("duelbook.web.db.writer.statements", lambda _: how)
    patch.setattr(
        "duelbook.web.db.writer._write_rows",
        lambda connection, *what: connection.execute(what[0], packed_rows(what[1])),
    )


def forget_answers(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Retries are not recognized."""
    patch.setattr("duelbook.web.match.actions.find_retried_move", lambda *_: None)


def forget_agents(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Agents' turns that a restart interrupted are not taken."""

    async def none(*_: Any) -> AsyncIterator[list[str]]:
        return
        yield

    patch.setattr(Store, "with_agent_due", none)


def charge_down_time(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Clocks run on while the service is down."""
    patch.setattr(ServiceClock, "seconds", lambda _: cluster.loop.time())


def wait_for_channel(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """The answer to a move waits for Redis."""
    real = Store.apply

    async def apply(self: Store, *changes: Any) -> None:
        await real(self, *changes)
        with suppress(OSError):
            await cluster.channel.open(0).publish("waiting")

    patch.setattr(Store, "apply", apply)


def never_resync(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Messages that Redis loses are lost for good."""

    async def nothing(_: Any) -> None: ...

    patch.setattr(Maintenance, "resync", nothing)


def swallow_errors(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A change that could not be written is acknowledged."""
    real = Writer._try_write

    async def written(self: Writer, changes: Any) -> Exception | None:
        error = await real(self, changes)
        return error if isinstance(error, ConflictError) else None

    patch.setattr(Writer, "_try_write", written)


def lost_last_write(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """A crash loses the last transaction, although it was acknowledged."""
    cluster.store.keeps_last_write = False


def no_time_limit(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Nothing limits how long the service waits for its store."""
    cluster.store.limit = None


BREAKS: dict[str, Break] = {
    broken.__name__.replace("_", "-"): broken
    for broken in (
        acknowledge_before_commit,
        no_unique_key,
        forget_answers,
        forget_agents,
        charge_down_time,
        wait_for_channel,
        never_resync,
        swallow_errors,
        lost_last_write,
        no_time_limit,
    )
}
