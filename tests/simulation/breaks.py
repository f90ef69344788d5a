"""Deliberate breaks of the service, to show that the simulation finds them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from duelbook.web.clock import ServiceClock
from duelbook.web.db.store import Store
from tests.simulation.cluster import Cluster
from tests.support.service import broken

Break = Callable[[pytest.MonkeyPatch, Cluster], None]


def _shared(name: str) -> Break:
    """Return a break that the tests with real servers have, too."""
    break_service = broken.BREAKS[name]

    def apply(patch: pytest.MonkeyPatch, _: Cluster) -> None:
        break_service(patch.setattr)

    apply.__doc__ = break_service.__doc__
    return apply


def charge_down_time(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Clocks run on while the service is down."""
    patch.setattr(ServiceClock, "seconds", lambda _: cluster.loop.time())


def wait_for_redis(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """The answer to a move waits for Redis."""
    real = Store.apply

    async def apply(self: Store, *changes: Any) -> None:
        await real(self, *changes)
        with suppress(OSError):
            await cluster.channel.open(0).publish("waiting")

    patch.setattr(Store, "apply", apply)


def lost_last_write(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """A crash loses the last transaction, although it was acknowledged."""
    cluster.store.keeps_last_write = False


def no_time_limit(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Nothing limits how long the service waits for its store."""
    cluster.store.limit = None


SHARED = (
    "acknowledge-before-commit",
    "no-unique-key",
    "forget-answers",
    "forget-agents",
    "never-resync",
    "swallow-errors",
)
OWN = (charge_down_time, wait_for_redis, lost_last_write, no_time_limit)

BREAKS: dict[str, Break] = {name: _shared(name) for name in SHARED}
BREAKS |= {one.__name__.replace("_", "-"): one for one in OWN}
