"""The match registry: reading writes nothing, and time that is up is recorded by actions and timers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change
from duelbook.web.match import cache
from duelbook.web.match.listings import SPARE, Listings
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.tokens import token_hash
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES, Join, NewMatch, SeatedView
from duelbook.web.service import Service
from duelbook.web.settings import Settings
from tests.support.clock import ManualClock
from tests.support.service.matches import MatchProcess, act
from tests.support.service.stores import moved, new, outcomes, with_stores

LIMIT = 30.0
PATIENCE = 60.0


@asynccontextmanager
async def serving(url: str) -> AsyncIterator[Service]:
    """Run a service for a while."""
    service = Service(Settings(database_url=url))
    await service.start()
    yield service
    await service.stop()


async def new_match(service: Service, **request: object) -> tuple[SeatedView, SeatedView]:
    """Create a match and join it; return both seats."""
    first = await service.lobby.create(NewMatch(game="crystal-capture", opponent="friend", **request))  # type: ignore[arg-type]
    return first, await service.lobby.join(first.id, Join())


def with_late_match(url: str, check: Callable[[MatchProcess, SeatedView], Awaitable[None]]) -> None:
    """Run the check on a match whose first player's time has just run out, which nobody has recorded."""

    async def work(store: Store) -> None:
        clock = ManualClock()
        process = MatchProcess(store, clock)
        first, _ = await process.new_pair(time_limit=LIMIT)
        clock.time = LIMIT + 0.001
        await check(process, first)

    with_stores(url, 1, work)


def test_reading_a_match_whose_time_is_up_writes_nothing_and_shows_no_time_left(sqlite_url: str) -> None:
    async def check(process: MatchProcess, first: SeatedView) -> None:
        before = await process.store.version(first.id)
        changed: list[ServedMatch] = []
        process.registry.listeners.append(changed.append)
        view = match_view(await process.registry.read(first.id))
        await process.actions.admit(first.id, first.token)
        await process.actions.record(first.id)
        assert (view.status, view.version, view.outcome) == ("playing", before, "none")
        assert view.clocks
        assert view.clocks.left == 0.0
        assert await Listings(process.registry, process.store, lambda: {first.id: 3}).being_played() == []
        assert (await process.store.version(first.id), changed) == (before, [])

    with_late_match(sqlite_url, check)


def test_a_move_after_the_time_is_up_ends_the_match_and_is_refused(sqlite_url: str) -> None:
    async def check(process: MatchProcess, first: SeatedView) -> None:
        with pytest.raises(Problem) as problem:
            await act(process.actions, first, "play", ply=0, move="9")
        assert problem.value.code == "over"
        stored = await process.store.load(first.id)
        assert stored
        assert (stored.match.reason, stored.match.outcome, stored.moves) == ("time", 1, [])

    with_late_match(sqlite_url, check)


def test_a_match_ends_when_its_time_is_up_without_a_request_and_without_a_periodic_check(sqlite_url: str) -> None:
    async def work() -> None:
        service = Service(Settings(database_url=sqlite_url))
        service.maintenance.jobs = [job for job in service.maintenance.jobs if "late" not in job[0].__name__]
        await service.start()
        ended = asyncio.Event()
        service.registry.listeners.append(lambda served: ended.set() if served.match.over else None)
        first, _ = await new_match(service, time_limit=0.2)
        async with asyncio.timeout(PATIENCE):
            await ended.wait()
        view = match_view(await service.registry.read(first.id))
        assert (view.status, view.reason, view.outcome) == ("over", "time", "second")
        await service.stop()

    asyncio.run(work())


def test_matches_that_have_just_ended_hide_no_public_match(sqlite_url: str) -> None:
    async def work() -> None:
        async with serving(sqlite_url) as service:
            running = [(await new_match(service, public=True))[0].id for _ in range(MAX_LISTED_MATCHES)]
            ended = [new(number, public=True, active_at=10**6, time_limit=0.0, due=10.0**9) for number in range(SPARE)]
            await service.store.apply(*ended)
            present = dict.fromkeys([*running, *(change.match.id for change in ended)], 3)
            listings = Listings(service.registry, service.store, lambda: present)
            assert [entry.id for entry in await listings.being_played()] == list(reversed(running))

    asyncio.run(work())


def with_slow_store(
    url: str, check: Callable[[Service, SeatedView, asyncio.Event], Awaitable[None]], **request: object
) -> None:
    """Run the check on a service whose changes wait for an event."""

    async def work() -> None:
        async with serving(url) as service:
            first, _ = await new_match(service, **request)
            may_write, apply = asyncio.Event(), service.store.apply

            async def slow(*changes: Change) -> None:
                await may_write.wait()
                await apply(*changes)

            service.store.apply = slow  # type: ignore[method-assign]
            await check(service, first, may_write)

    asyncio.run(work())


def test_requests_on_a_match_whose_change_is_stuck_end_in_time_and_other_matches_are_served(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LOCK_SECONDS", 0.2)

    async def check(service: Service, first: SeatedView, may_write: asyncio.Event) -> None:
        stuck = asyncio.create_task(act(service.actions, first, "play", ply=0, move="9"))
        await asyncio.sleep(0)
        asked = [act(service.actions, first, "play", ply=0, move="8"), service.registry.read(first.id)]
        assert await outcomes(*asked) == [StoreUnavailableError] * 2
        may_write.set()
        await stuck
        assert (await service.registry.read(first.id)).row.ply == 1

    with_slow_store(sqlite_url, check)


def test_readers_never_see_a_change_before_it_is_durable(sqlite_url: str) -> None:
    async def check(service: Service, first: SeatedView, may_write: asyncio.Event) -> None:
        early = asyncio.create_task(service.registry.read(first.id))
        await asyncio.sleep(0)
        playing = asyncio.create_task(act(service.actions, first, "play", ply=0, move="9"))
        readers = [early, *(asyncio.create_task(service.registry.read(first.id)) for _ in range(3))]
        done, _ = await asyncio.wait(readers, timeout=0.3)
        assert not done, "the move is in memory, but not in the store"
        may_write.set()
        assert {(await reader).row.ply for reader in readers} == {1}
        await playing

    with_slow_store(sqlite_url, check)


def test_the_list_of_public_matches_never_shows_a_change_before_it_is_durable(sqlite_url: str) -> None:
    async def check(service: Service, first: SeatedView, may_write: asyncio.Event) -> None:
        find, playing = service.store.being_played, list[asyncio.Task[ServedMatch]]()

        async def play_when_read() -> ServedMatch:
            await service.registry.read(first.id)  # ends with the query that the list waits for
            return await act(service.actions, first, "play", ply=0, move="9")

        async def find_and_play(present: Mapping[str, int], limit: int) -> Sequence[str]:
            found = await find(present, limit)
            asyncio.get_running_loop().call_soon(lambda: playing.append(asyncio.create_task(play_when_read())))
            return found

        service.store.being_played = find_and_play  # type: ignore[method-assign]
        listings = Listings(service.registry, service.store, lambda: {first.id: 3})
        assert [entry.ply for entry in await listings.being_played()] == [0]
        may_write.set()
        assert (await playing[0]).row.ply == 1

    with_slow_store(sqlite_url, check, public=True)


def test_a_listener_that_fails_hides_no_durable_change_from_the_player_and_the_other_listeners(
    sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: ServedMatch) -> None:
        raise ZeroDivisionError

    async def work() -> None:
        async with serving(sqlite_url) as service:
            first, _ = await new_match(service)
            told: list[int] = []
            service.registry.watchers.insert(0, fail)
            service.registry.listeners.append(lambda served: told.append(served.row.ply))
            assert (await act(service.actions, first, "play", ply=0, move="9")).row.ply == 1
            assert told == [1]
            await service.registry.refresh(first.id, 3)

    asyncio.run(work())
    assert [record.message for record in caplog.records if record.exc_info] == ["a listener failed"] * 2


def count_queries(service: Service) -> list[int]:
    """Return a list that gets, for each query for versions, how many matches it asks for."""
    asked: list[int] = []
    ask = service.store._version_batcher._ask

    async def count(ids: Collection[str]) -> dict[str, int]:
        asked.append(len(ids))
        return await ask(ids)

    service.store._version_batcher._ask = count
    return asked


def test_a_socket_is_opened_without_a_query_right_after_a_change_in_a_process_without_redis(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with serving(sqlite_url) as service:
            first, _ = await new_match(service)
            monkeypatch.setattr(cache, "TRUST_SECONDS", 1000.0)
            asked = count_queries(service)
            await service.actions.admit(first.id, first.token)
            await act(service.actions, first, "play", ply=0, move="9")
            assert (await service.actions.admit(first.id, first.token)).row.ply == 1
            assert asked == []
            await service.registry.read(first.id)
            assert asked == [1], "whatever else is read is checked"
            monkeypatch.setattr(cache, "TRUST_SECONDS", 0.0)
            await service.actions.admit(first.id, first.token)
            assert asked == [1, 1], "what was written longer ago is asked for"

    asyncio.run(work())


def test_a_process_without_redis_refuses_no_action_that_another_process_has_made_possible(sqlite_url: str) -> None:
    async def work(ours: Store, theirs: Store) -> None:
        registry = MatchRegistry(ours, ManualClock(), is_shared=False)
        await ours.apply(first := new(1))
        match = first.match.id
        assert (await registry.read(match)).row.ply == 0
        await theirs.apply(second := moved(first))

        def refuse_at_ply_0(served: ServedMatch) -> tuple[Change, ...]:
            if served.row.ply == 0:
                raise Problem("ply-ahead", "The match is only at ply 0.")
            return ()

        assert (await registry.change(match, refuse_at_ply_0)).row.ply == 1
        await theirs.apply(moved(second, "6"))
        assert (await registry.read(match)).row.ply == 2

    with_stores(sqlite_url, 2, work)


def test_a_player_who_has_joined_at_another_process_can_open_a_socket_at_once(sqlite_url: str) -> None:
    async def work(ours: Store, theirs: Store) -> None:
        here, there = (MatchProcess(store, ManualClock(), is_shared=False) for store in (ours, theirs))
        created = new(1)
        free = replace(created.seats[1], token=None)
        await ours.apply(replace(created, seats=(created.seats[0], free)))
        match = created.match.id
        await here.actions.admit(match, None)
        row = replace(created.match, version=created.match.version + 1)
        await theirs.apply(Change(row, seats=(replace(free, token=token_hash("late")),)))
        for process in (here, there):
            assert (await process.actions.admit(match, "late")).seat_of("late") == 1

    with_stores(sqlite_url, 2, work)
