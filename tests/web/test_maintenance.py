"""Maintenance: due turns and clocks, however many there are, and the removal of old matches by the uptime."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from duelbook.web import maintenance
from duelbook.web.db.tables import Change, SeatRow
from duelbook.web.engine.slots import client
from duelbook.web.match import cache
from duelbook.web.service import Service
from duelbook.web.settings import Settings
from tests.support.service.stock import contents, execute
from tests.support.service.stores import LONG_AGO, PATIENCE, new, with_stores

DAY = 86_400
MANY = 12  # more than fit into a page of the queries in these tests


def run(service: Service, until: Callable[[], Awaitable[bool]]) -> None:
    async def work() -> None:
        await service.start()
        async with asyncio.timeout(PATIENCE):
            while not await until():
                await asyncio.sleep(0.05)
        await service.stop()

    asyncio.run(work())


def with_agent(number: int, **more: object) -> Change:
    created = new(number, agent_due=True, due=0.0, **more)
    name = created.match.id
    return Change(created.match, new=True, seats=(SeatRow(name, 0, agent="random"), SeatRow(name, 1, token="b")))


def test_many_waiting_turns_of_one_client_hold_up_no_turn_that_was_interrupted(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "MAX_TURNS", 2)
    created = [with_agent(number) for number in range(MANY)]
    with_stores(sqlite_url, 1, lambda store: store.apply(*created))
    execute(sqlite_url, "INSERT INTO uptime VALUES (1, 1000)")
    service = Service(Settings(database_url=sqlite_url))
    choose: Any = service.engine.choose

    async def wait_for_client(agent: str, limit: float | None, payer: str, *more: Any, **position: Any) -> int:
        if payer == "busy":
            await asyncio.sleep(PATIENCE)
        move: int = await choose(agent, limit, payer, *more, **position)
        return move

    monkeypatch.setattr(service.engine, "choose", wait_for_client)
    waiting = created[: MANY // 2]

    async def take_turns_of_client() -> None:
        client.set("busy")
        for change in waiting:
            service.agent_turns.take(change.match.id)

    async def others_are_played() -> bool:
        return {row[0] for row in contents(sqlite_url)["moves"]} == {change.match.id for change in created[MANY // 2 :]}

    start = service.maintenance.start

    async def start_after_client() -> None:
        await asyncio.create_task(take_turns_of_client())
        await start()

    monkeypatch.setattr(service.maintenance, "start", start_after_client)
    run(service, others_are_played)


def test_a_match_that_cannot_be_served_is_not_tried_again_and_again(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(maintenance, "UPTIME_SECONDS", 0.05)
    caplog.set_level(logging.INFO, "duelbook.web")
    damaged = [with_agent(1, options="{}x"), new(2, options="{}x", time_limit=30.0, due=30.0)]
    late = new(3, time_limit=30.0, due=30.0)
    with_stores(sqlite_url, 1, lambda store: store.apply(*damaged, late))
    execute(sqlite_url, "INSERT INTO uptime VALUES (1, 1000)")

    async def ended_after_some_checks() -> bool:
        await asyncio.sleep(0.5)
        return len(found()) >= len(damaged) and any("time" in row for row in contents(sqlite_url)["matches"])

    def found() -> list[str]:
        return [vars(record)["match"] for record in caplog.records if record.message == "a match is damaged"]

    run(Service(Settings(database_url=sqlite_url)), ended_after_some_checks)
    assert sorted(found()) == [change.match.id for change in damaged]


def remaining(url: str) -> set[int]:
    return {int(row[0]) for row in contents(url)["matches"]}


def matches_of_all_ages() -> list[Change]:
    """Return matches last active at day 1 and day 20 of the uptime, unfinished (1, 20) and finished (101, 120)."""
    over = {"reason": "resignation", "outcome": 1, "ended": "2026-01-01T00:01:00"}
    return [
        new(100 * finished + day, active_at=day * DAY, **(over if finished else {}))
        for finished in (0, 1)
        for day in (1, 20)
    ]


@pytest.mark.parametrize(
    ("idle_days", "finished_days", "left"),
    [(30, 0, {20, 101, 120}), (0, 30, {1, 20, 120}), (0, 0, {1, 20, 101, 120}), (1, 1, set())],
)
def test_matches_are_removed_by_the_uptime_and_each_run_is_logged(
    sqlite_url: str, idle_days: float, finished_days: float, left: set[int], caplog: pytest.LogCaptureFixture
) -> None:
    with_stores(sqlite_url, 1, lambda store: store.apply(*matches_of_all_ages()))
    execute(sqlite_url, f"INSERT INTO uptime VALUES (1, {40 * DAY})")
    caplog.set_level(logging.INFO, "duelbook.web")
    service = Service(Settings(database_url=sqlite_url, idle_days=idle_days, finished_days=finished_days))

    def logged() -> int:
        return sum(vars(record)["count"] for record in caplog.records if record.message == "old matches were removed")

    async def is_done() -> bool:
        await asyncio.sleep(0.3)
        return remaining(sqlite_url) == left and logged() >= 4 - len(left)  # it is logged after it is done

    run(service, is_done)
    assert logged() == 4 - len(left)


def test_more_matches_than_fit_into_the_cache_are_served(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_CACHED_MATCHES", 3)
    with_stores(sqlite_url, 1, lambda store: store.apply(*(new(number, active_at=LONG_AGO) for number in range(MANY))))

    async def work() -> None:
        service = Service(Settings(database_url=sqlite_url, idle_days=0))
        await service.start()
        ids = [new(number).match.id for number in range(MANY)]
        for _ in range(2):
            found = await asyncio.gather(*map(service.registry.read, ids))
            assert [served.row.id for served in found] == ids
        assert len(service.registry) <= 3
        await service.stop()

    asyncio.run(work())
