"""The clock of the service: the time that it has been up, as far as the database has recorded it."""

import asyncio

from duelbook.web.clock import UPTIME_SECONDS, ServiceClock
from tests.simulation.event_loop import in_virtual_time


@in_virtual_time
async def test_the_clock_stands_still_soon_after_the_last_uptime_that_was_recorded() -> None:
    clock = ServiceClock()
    assert clock.seconds() == 0.0
    clock.set(100.0)
    await asyncio.sleep(UPTIME_SECONDS)
    assert clock.seconds() == 100.0 + UPTIME_SECONDS
    await asyncio.sleep(60.0)  # in which the database cannot be reached
    assert clock.seconds() == 100.0 + 2 * UPTIME_SECONDS


@in_virtual_time
async def test_the_clock_never_goes_back_and_follows_only_processes_of_the_same_service() -> None:
    clock = ServiceClock()
    clock.set(100.0)
    for heard, shown in ((99.0, 100.0), (101.5, 101.5), (500.0, 101.5)):
        clock.catch_up(heard)
        assert clock.seconds() == shown
