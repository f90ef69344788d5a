"""Help in a match against an agent costs the player no time: the clock stands still while the service looks for it."""

from collections.abc import Awaitable, Callable

import httpx
import pytest

from duelbook.web.db.admin.check import check as check_store
from duelbook.web.db.store import Store
from duelbook.web.db.writer import COMMIT_SECONDS
from duelbook.web.match.help import DELIVERY_SECONDS, MatchHelp
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import ClocksView, NewMatch, SeatedView
from tests.support.clock import ManualClock
from tests.support.service.harness import Player, RunningServer
from tests.support.service.impatient import impatient
from tests.support.service.matches import MatchProcess, act
from tests.support.service.stores import with_stores
from tests.web.conftest import Start

LIMIT = 10.0
SPENT = 3.0  # seconds before the player asks for help
LONG = 60.0  # seconds that the service looks for it
MAX_SECONDS = 100.0

Check = Callable[[MatchProcess, MatchProcess, ManualClock, SeatedView], Awaitable[None]]


def with_match(url: str, check: Check) -> None:
    """Run the check on two processes in a match against an agent, when the person has thought for a while."""

    async def work(*stores: Store) -> None:
        clock = ManualClock(1000.0)
        here, there = (MatchProcess(store, clock) for store in stores)
        request = NewMatch(game="crystal-capture", opponent="random", seat="first", time_limit=LIMIT)
        seated = await here.lobby.create(request)
        clock.time += SPENT
        await check(here, there, clock, seated)

    with_stores(url, 2, work)


async def clocks(process: MatchProcess, match: str) -> ClocksView:
    found = match_view(await process.registry.read(match)).clocks
    assert found
    return found


async def shown(process: MatchProcess, match: str) -> tuple[float | None, float]:
    """Return the time that is left, and for how long the clock stands still at most."""
    found = await clocks(process, match)
    return found.left, found.stopped


def test_the_clock_stands_still_in_every_process_and_then_goes_on(sqlite_url: str) -> None:
    async def check(here: MatchProcess, there: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        async with MatchHelp(here.registry, MAX_SECONDS).stopped_clock(seated.id, seated.token, "advice 0"):
            clock.time += LONG
            assert [await shown(one, seated.id) for one in (here, there)] == [(LIMIT - SPENT, MAX_SECONDS - LONG)] * 2
            await there.registry.end_if_out_of_time(seated.id)
            assert not check_store(sqlite_url).findings
        assert [await shown(one, seated.id) for one in (here, there)] == [(LIMIT - SPENT, DELIVERY_SECONDS)] * 2
        clock.time += DELIVERY_SECONDS + 1
        assert [await shown(one, seated.id) for one in (here, there)] == [(LIMIT - SPENT - 1, 0)] * 2
        played = await act(here.actions, seated, "play", ply=0, move="9")
        assert played.moves[0].seconds == SPENT + 1

    with_match(sqlite_url, check)


def test_the_deadline_is_as_much_later_as_the_clock_stood_still(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        async with MatchHelp(here.registry, MAX_SECONDS).stopped_clock(seated.id, seated.token, "advice 0"):
            clock.time += LONG
        left = DELIVERY_SECONDS + LIMIT - SPENT
        for seconds, reason in ((left - 0.1, "unfinished"), (0.2, "time")):
            clock.time += seconds
            await here.registry.end_if_out_of_time(seated.id)
            assert (await here.registry.read(seated.id)).row.reason == reason

    with_match(sqlite_url, check)


def test_a_move_during_the_search_for_help_is_played_and_only_the_time_before_it_counts(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        async with MatchHelp(here.registry, MAX_SECONDS).stopped_clock(seated.id, seated.token, "advice 0"):
            clock.time += LONG
            played = await act(here.actions, seated, "play", ply=0, move="9")
            assert (played.moves[0].seconds, played.stopped_seconds) == (SPENT, 0)
            version = played.row.version
        assert (await here.registry.read(seated.id)).row.version == version

    with_match(sqlite_url, check)


def test_the_same_study_stops_the_clock_once_in_a_turn(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        helper = MatchHelp(here.registry, MAX_SECONDS)
        for study, stops in (("advice 0", True), ("advice 0", False), ("solution 0", True)):
            async with helper.stopped_clock(seated.id, seated.token, study):
                assert ((await clocks(here, seated.id)).stopped > DELIVERY_SECONDS) == stops

    with_match(sqlite_url, check)


def test_two_studies_at_once_stop_the_clock_until_the_second_is_ready(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        helper = MatchHelp(here.registry, MAX_SECONDS)
        first = helper.stopped_clock(seated.id, seated.token, "advice 0")
        await first.__aenter__()
        clock.time += 1
        async with helper.stopped_clock(seated.id, seated.token, "solution 0"):
            await first.__aexit__(None, None, None)
            clock.time += LONG
            assert await shown(here, seated.id) == (LIMIT - SPENT, MAX_SECONDS - LONG)
        assert await shown(here, seated.id) == (LIMIT - SPENT, DELIVERY_SECONDS)

    with_match(sqlite_url, check)


def test_a_clock_that_a_crash_left_standing_runs_again_by_itself(sqlite_url: str) -> None:
    async def check(here: MatchProcess, there: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        await here.registry.change(seated.id, lambda served: (served.stop_clock(MAX_SECONDS),))
        clock.time += MAX_SECONDS + 1
        assert await shown(there, seated.id) == (LIMIT - SPENT - 1, 0)
        clock.time += LIMIT + COMMIT_SECONDS
        await there.registry.end_if_out_of_time(seated.id)
        assert (await there.registry.read(seated.id)).row.reason == "time"

    with_match(sqlite_url, check)


def test_help_is_for_the_player_about_the_match_so_far(sqlite_url: str) -> None:
    async def check(here: MatchProcess, _: MatchProcess, clock: ManualClock, seated: SeatedView) -> None:
        helper = MatchHelp(here.registry, MAX_SECONDS)
        assert (await helper.question(seated.id, seated.token, 0))["after"] == []
        for token, ply, code in ((None, 0, "no-token"), ("x", 0, "wrong-token"), (seated.token, 1, "ply-ahead")):
            with pytest.raises(Problem) as raised:
                await helper.question(seated.id, token, ply)
            assert raised.value.code == code

    with_match(sqlite_url, check)


def test_a_clock_stands_still_while_the_service_solves_the_game_and_help_is_given_when_it_has(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUELBOOK_GAMES", "tests.support.games.slow_stones:SlowStones")
    server = start(program=impatient("engine.studies.ANSWER_SECONDS=0.1"))
    for action in ("hint", "solution"):
        quick = new_match(server, pause=1, stones=60)
        assert quick.post(action, ply=0).json()["hint"]["move"]
        assert quick.view()["clocks"]["stopped"] <= DELIVERY_SECONDS
    for action in ("hint", "solution"):
        slow = new_match(server, pause=100_000, stones=9000)
        asked = httpx.post(f"{server.url}/api/matches/{slow.match}/{action}", json={"ply": 0}, headers=slow.headers)
        assert asked.status_code == 202
        assert slow.view()["clocks"]["stopped"] > DELIVERY_SECONDS


def new_match(server: RunningServer, **options: int) -> Player:
    return server.new_match("slow-stones", "random", options=options, seat="first", time_limit=600)
