"""Clocks run on the server: time runs out without a request, and nobody is charged for time the server was down."""

import asyncio
import time

import pytest

from duelbook.records.document import GiftDocument
from duelbook.records.record import Gift
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import ClocksView, MatchView
from tests.support.service.harness import RunningServer
from tests.support.service.matches import act
from tests.support.service.sockets import next_view
from tests.support.service.virtual import VirtualProcess, in_virtual_time
from tests.web.conftest import both_backends

LIMIT = 60.0
DELAY = 0.1  # seconds that the simulated database may take for a few changes
UNRECORDED = 1.1  # seconds of uptime that a crash may lose: the uptime is recorded once a second
SKEW = 0.3  # seconds by which the clocks of two real processes may differ


async def view(process: VirtualProcess, match: str) -> MatchView:
    return match_view(await process.do(process.service.registry.read(match)))


async def clocks(process: VirtualProcess, match: str) -> ClocksView:
    found = (await view(process, match)).clocks
    assert found
    return found


def near(seconds: float | None, expected: float) -> bool:
    return seconds is not None and abs(seconds - expected) < DELAY


@both_backends
def test_a_player_whose_time_is_up_loses_without_a_request(server: RunningServer) -> None:
    waiting = server.new_match(time_limit=0.4)
    with waiting.live() as one, waiting.live(watching=True) as two:
        assert {next_view(live)["match"]["status"] for live in (one, two)} == {"waiting"}
        begun = time.monotonic()
        waiting.friend()
        for live in (one, two):
            ended = next_view(live)
            while ended["match"]["status"] != "over":
                ended = next_view(live)
            view = ended["match"]
            assert (view["reason"], view["outcome"]) == ("time", "second")
            used = {"first": 0.4, "second": 0}
            assert view["clocks"] == {"limit": 0.4, "left": None, "stopped": 0, "used": used, "given": []}
    assert time.monotonic() - begun > 0.4 - SKEW


def test_the_time_left_goes_down_and_the_time_that_a_player_uses_adds_up() -> None:
    async def work(process: VirtualProcess) -> None:
        seats = await process.new_pair(time_limit=LIMIT)
        match = seats[0].id
        for ply, (pause, first, second) in enumerate(((6.0, 6.0, 0.0), (7.0, 6.0, 7.0), (8.0, 14.0, 7.0))):
            assert near((await clocks(process, match)).left, LIMIT)
            await asyncio.sleep(pause)
            assert near((await clocks(process, match)).left, LIMIT - pause)
            await process.do(act(process.service.actions, seats[ply % 2], "play", ply=ply, move=str(ply + 1)))
            used = (await clocks(process, match)).used
            assert near(used.first, first)
            assert near(used.second, second)

    in_virtual_time(work)


def test_no_clock_runs_before_the_start_or_after_the_end_or_without_a_limit() -> None:
    async def work(process: VirtualProcess) -> None:
        waiting, untimed = await process.new_match(time_limit=LIMIT), await process.new_match()
        first, _ = await process.new_pair(time_limit=LIMIT)
        await process.do(act(process.service.actions, first, "resign"))
        await asyncio.sleep(2 * LIMIT)
        assert (await view(process, waiting.id)).status == "waiting"
        assert (await view(process, first.id)).reason == "resignation"
        for match in (waiting, first):
            found = await clocks(process, match.id)
            assert (found.limit, found.left, found.stopped, found.used.second) == (LIMIT, None, 0, 0)
            assert near(found.used.first, 0)
        assert (await view(process, untimed.id)).clocks is None

    in_virtual_time(work)


def test_down_time_is_not_charged_but_the_time_before_is_and_the_rest_is_all_that_is_left() -> None:
    async def work(process: VirtualProcess) -> None:
        first, _ = await process.new_pair(time_limit=LIMIT)
        await asyncio.sleep(40)
        process.crash()
        await asyncio.sleep(1000)
        await process.start()
        left = (await clocks(process, first.id)).left
        assert left is not None
        assert LIMIT - 40 - DELAY < left < LIMIT - 40 + UNRECORDED
        await asyncio.sleep(left - DELAY)
        assert (await view(process, first.id)).status == "playing"
        await asyncio.sleep(LIMIT)
        assert (await view(process, first.id)).reason == "time"

    in_virtual_time(work)


def test_time_that_is_given_survives_a_crash_and_counts_for_that_turn_only() -> None:
    """ALL-9."""

    async def work(process: VirtualProcess) -> None:
        first, second = await process.new_pair(time_limit=LIMIT)
        for _ in range(2):
            given = await process.do(act(process.service.actions, second, "give"))
        assert (given.row.last_action, given.row.last_by) == ("give", 1)
        process.crash()
        await process.start()
        left = (await clocks(process, first.id)).left
        assert left is not None
        assert LIMIT + 30 - DELAY < left <= LIMIT + 30 + UNRECORDED
        await asyncio.sleep(left - DELAY)
        assert (await view(process, first.id)).status == "playing"
        played = await process.do(act(process.service.actions, first, "play", ply=0, move="1"))
        assert played.record().given == (Gift(1, 30),)
        assert (await clocks(process, first.id)).given == [GiftDocument(1, 30)]
        assert near((await clocks(process, first.id)).left, LIMIT)
        await asyncio.sleep(LIMIT + DELAY)
        assert (await view(process, first.id)).reason == "time"

    in_virtual_time(work)


def test_who_may_not_give_time_gets_a_sentence() -> None:
    async def work(process: VirtualProcess) -> None:
        first, second = await process.new_pair(time_limit=LIMIT)
        with pytest.raises(Problem, match="It is your turn"):
            await process.do(act(process.service.actions, first, "give"))
        for _ in range(4):
            await process.do(act(process.service.actions, second, "give"))
        with pytest.raises(Problem, match="60 seconds were given for this turn already"):
            await process.do(act(process.service.actions, second, "give"))
        assert "give" not in (await view(process, first.id)).actions.second

    in_virtual_time(work)


def test_a_late_message_shows_the_time_that_is_left_by_then() -> None:
    async def work(here: VirtualProcess, there: VirtualProcess) -> None:
        first, _ = await here.new_pair(time_limit=LIMIT)
        shown: list[float] = []
        there.service.registry.watchers.append(lambda served: shown.append(served.seconds_left or 0.0))
        played = await here.do(act(here.service.actions, first, "play", ply=0, move="9"))
        await asyncio.sleep(20)
        await there.do(there.service.registry.refresh(first.id, played.row.version))
        assert near(shown[-1], LIMIT - 20)

    in_virtual_time(work, 2)


def test_an_agent_that_waits_for_other_agents_loses_no_time() -> None:
    async def work(process: VirtualProcess) -> None:
        for _ in range(16):  # two at a time, and each of them takes more than a second; some begin before the last
            await process.new_match("charge", "mcts:20", seat="second")
        created = process.service.clock.seconds()
        timed = await process.new_match("charge", "mcts:20", seat="second", time_limit=3)
        while (shown := await view(process, timed.id)).ply == 0:
            await asyncio.sleep(0.1)
        assert process.service.clock.seconds() > created + 3
        assert shown.clocks
        assert (shown.status, 1 < shown.clocks.used.first <= 3) == ("playing", True)

    in_virtual_time(work)
