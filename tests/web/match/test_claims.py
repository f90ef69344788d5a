"""A player who stays away can be claimed against: after a warning and a fair time, and never while they are here."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from duelbook.web.match.claims import RECONNECT_SECONDS, Claims
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import MatchView, SeatedView
from tests.support.clock import ManualClock
from tests.support.service.asking import refused
from tests.support.service.harness import RunningServer
from tests.support.service.matches import CLAIM_SECONDS, MatchProcess, act
from tests.support.service.sockets import next_view
from tests.support.service.stores import with_stores
from tests.support.service.virtual import VirtualProcess, in_virtual_time
from tests.web.conftest import both_backends


async def view(process: VirtualProcess, match: str) -> MatchView:
    return match_view(await process.do(process.service.registry.read(match)))


async def claim(process: VirtualProcess, seat: SeatedView) -> ServedMatch:
    return await process.do(act(process.service.actions, seat, "claim"))


async def no_claim(asked: Awaitable[Any], said: str = "") -> None:
    with pytest.raises(Problem, match=said) as problem:
        await asked
    assert problem.value.code == "not-now"


def test_an_absent_player_is_warned_and_then_loses_also_if_the_service_crashes_meanwhile() -> None:
    async def work(process: VirtualProcess) -> None:
        ada, bo = await process.new_pair("charge", name="Ada")
        warned = await claim(process, bo)
        shown = match_view(warned).claim
        assert shown
        assert (shown.by, round(shown.left)) == ("second", CLAIM_SECONDS)
        await no_claim(claim(process, bo), r"Claim the win in 100 seconds\.")
        assert (await view(process, ada.id)).version == warned.row.version, "a retry changes nothing"
        await asyncio.sleep(CLAIM_SECONDS - RECONNECT_SECONDS / 2)
        await no_claim(claim(process, bo), r"Claim the win in 8 seconds\.")
        process.crash()
        await process.start()
        assert (await view(process, ada.id)).claim
        await asyncio.sleep(RECONNECT_SECONDS - 1)
        await no_claim(claim(process, bo), "The service has just started")
        await asyncio.sleep(2)
        ended = match_view(await claim(process, bo))
        assert (ended.status, ended.outcome, ended.reason, ended.claim) == ("over", "second", "absence", None)
        assert ended.result == "Ada has stayed away. Player 2 wins!"
        assert match_view(await claim(process, bo)) == ended, "a retry"
        assert (await process.do(process.service.actions.record(ada.id))).reason == "absence"

    in_virtual_time(work, claim_seconds=CLAIM_SECONDS)


def test_a_player_who_is_here_in_any_process_or_moves_ends_the_warning() -> None:
    async def work(here: VirtualProcess, there: VirtualProcess) -> None:
        ada, bo = await here.new_pair("charge")
        await claim(here, bo)
        with there.service.presence.joined(ada.id, 0):
            await view(there, ada.id)  # as who opens a socket does
            there.service.claims.welcome(ada.id)
            await asyncio.sleep(CLAIM_SECONDS + 1)
            assert (await view(here, ada.id)).claim is None
            await no_claim(claim(here, bo), "seems to be here")
        await asyncio.sleep(10)
        await claim(here, bo)
        await here.do(act(here.service.actions, ada, "play", ply=0, move="charge 1"))
        assert (await view(here, ada.id)).claim is None
        await asyncio.sleep(CLAIM_SECONDS + 1)
        await no_claim(claim(here, bo), "It is your turn")

    in_virtual_time(work, 2, claim_seconds=CLAIM_SECONDS)


@both_backends
def test_a_player_who_opens_a_socket_ends_the_warning_and_everybody_is_told(server: RunningServer) -> None:
    ada, bo = server.new_pair("charge")
    with bo.live() as waiting:
        next_view(waiting)
        assert bo.act("claim").status_code == 200
        assert next_view(waiting)["match"]["claim"]["by"] == "second"
        refused(bo.act("claim"), 409, "not-now")
        with ada.live() as live:
            if next_view(live)["match"]["claim"]:
                assert next_view(live)["match"]["claim"] is None
            assert next_view(waiting)["match"]["claim"] is None


def test_nothing_can_be_claimed_in_a_match_with_a_clock_or_against_a_computer(server: RunningServer) -> None:
    for player in (server.new_pair("charge", time_limit=60)[1], server.new_match("charge", "random")):
        refused(player.act("claim"), 409, "not-now")


# Two processes, one of which knows nothing of the other


def test_time_is_that_of_the_service_and_the_process_with_the_player_removes_the_warning(sqlite_url: str) -> None:
    async def work(*stores: Any) -> None:
        clock = ManualClock()
        one, two = (MatchProcess(store, clock) for store in stores)
        there: dict[str, int] = {}
        seeing = Claims(
            two.registry, lambda match: there.get(match, 0), lambda match: there.get(match, 0), CLAIM_SECONDS
        )
        first, second = await one.new_pair()
        await act(one.actions, second, "claim")
        clock.time += 99.9
        await no_claim(act(one.actions, second, "claim"), "Claim the win in 1 second")
        there[first.id] = 1
        seeing.notice(await two.registry.read(first.id))
        while (await one.registry.read(first.id)).row.claim_by is not None:
            await asyncio.sleep(0.01)
        clock.time += 1000.0
        again = await act(one.actions, second, "claim")
        assert (again.row.reason, again.row.claim_at) == ("unfinished", clock.time + CLAIM_SECONDS), "a new warning"
        clock.time += CLAIM_SECONDS
        there.clear()
        assert (await act(one.actions, second, "claim")).row.reason == "absence"

    with_stores(sqlite_url, 2, work)
