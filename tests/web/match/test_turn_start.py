"""A turn begins when the move before it is durable: nobody pays for the slowness of the store."""

from collections.abc import Awaitable, Callable

import pytest

from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change
from duelbook.web.db.writer import COMMIT_SECONDS
from duelbook.web.match import cache
from duelbook.web.match.view import match_view
from duelbook.web.schemas.matches import SeatedView
from tests.support.clock import ManualClock
from tests.support.service.matches import MatchProcess, act
from tests.support.service.stores import with_stores

LIMIT = 30.0
SLOW = 3.0  # seconds that the store takes for a change
ALMOST = LIMIT - 0.1

Check = Callable[[MatchProcess, MatchProcess, ManualClock, SeatedView], Awaitable[None]]


def with_slow_move(url: str, check: Check) -> None:
    """Run the check on two processes when one has just played a first move, which took long to be stored.

    It is given both processes, the clock, and the seat of the next player.
    """

    async def work(store: Store, other: Store) -> None:
        clock, apply = ManualClock(1000.0), store.apply
        here, there = MatchProcess(store, clock), MatchProcess(other, clock)
        first, second = await here.new_pair(time_limit=LIMIT)

        async def slow(*changes: Change) -> None:
            clock.time += SLOW
            await apply(*changes)

        store.apply = slow  # type: ignore[method-assign]
        await act(here.actions, first, "play", ply=0, move="9")
        store.apply = apply  # type: ignore[method-assign]
        await check(here, there, clock, second)

    with_stores(url, 2, work)


async def left(process: MatchProcess, match: str) -> float | None:
    view = match_view(await process.registry.read(match))
    assert view.clocks
    return view.clocks.left


async def is_over(process: MatchProcess, match: str) -> bool:
    return (await process.registry.read(match)).match.over


def test_the_next_player_has_all_of_the_time_when_the_move_is_durable(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, second: SeatedView) -> None:
        assert await left(here, second.id) == LIMIT
        clock.time += ALMOST
        played = await act(here.actions, second, "play", ply=1, move="8")
        assert (played.row.ply, played.match.seconds[1]) == (2, ALMOST)

    with_slow_move(sqlite_url, check)


def test_a_process_that_did_not_store_the_move_takes_no_time_away_and_promises_none(sqlite_url: str) -> None:
    async def check(_: MatchProcess, there: MatchProcess, clock: ManualClock, second: SeatedView) -> None:
        assert await left(there, second.id) == LIMIT - SLOW
        clock.time += ALMOST
        await there.registry.end_if_out_of_time(second.id)
        assert not await is_over(there, second.id)
        assert await left(there, second.id) == 0.0
        assert (await act(there.actions, second, "play", ply=1, move="8")).row.ply == 2

    with_slow_move(sqlite_url, check)


def test_a_process_that_took_over_ends_the_match_once_the_time_must_be_up(sqlite_url: str) -> None:
    async def check(_: MatchProcess, there: MatchProcess, clock: ManualClock, second: SeatedView) -> None:
        clock.time += LIMIT - SLOW + COMMIT_SECONDS + 0.1
        await there.registry.end_if_out_of_time(second.id)
        assert await is_over(there, second.id)

    with_slow_move(sqlite_url, check)


def test_a_process_that_reads_the_move_soon_after_it_was_played_knows_that_it_is_durable(sqlite_url: str) -> None:
    async def check(_: MatchProcess, there: MatchProcess, clock: ManualClock, second: SeatedView) -> None:
        await there.registry.read(second.id)
        clock.time += LIMIT + 0.1
        await there.registry.end_if_out_of_time(second.id)
        assert await is_over(there, second.id)

    with_slow_move(sqlite_url, check)


def test_the_process_that_stored_the_move_ends_the_match_in_time_though_it_has_to_read_it_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MAX_CACHED_MATCHES", 1)

    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, second: SeatedView) -> None:
        known = (await here.registry.read(second.id)).row.version, clock.time
        await here.new_pair()  # takes its place
        for wait, over in ((ALMOST, False), (0.2, True)):
            clock.time += wait
            await here.registry.end_if_out_of_time(second.id, *known)
            assert await is_over(here, second.id) == over

    with_slow_move(sqlite_url, check)
