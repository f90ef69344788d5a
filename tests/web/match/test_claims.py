"""A player who stays away can be claimed against: after a warning and a fair time, and never while they are here."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from duelbook.web.match.claims import RECONNECT_SECONDS, Claims
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import MatchView
from tests.support.clock import ManualClock
from tests.support.service.asking import refused
from tests.support.service.harness import RunningServer
from tests.support.service.matches import MatchProcess
from tests.support.service.sockets import next_view
from tests.support.service.stores import with_stores
from tests.support.service.virtual import VirtualProcess, in_virtual_time
from tests.web.conftest import both_backends

CLAIM_SECONDS = 60.0


async def view(process: VirtualProcess, match: str) -> MatchView:
    return match_view(await process.do(process.service.registry.read(match)))


async def no_claim(asked: Awaitable[Any], said: str = "") -> None:
    with pytest.raises(Problem, match=said) as problem:
        await asked
    assert problem.value.code == "no-claim"


def test_an_absent_player_is_warned_and_then_loses_also_if_the_service_crashes_meanwhile() -> None:
    async def work(process: VirtualProcess) -> None:
        claims = process.service.claims
        ada, bo = await process.new_pair("charge", name="Ada")
        await no_claim(process.do(claims.claim(ada.id, bo.token)), "has not been warned")
        warned = await process.do(claims.warn(ada.id, bo.token))
        shown = match_view(warned).claim
        assert shown
        assert (shown.by, round(shown.left)) == ("second", CLAIM_SECONDS)
        again = await process.do(claims.warn(ada.id, bo.token))
        assert again.row.version == warned.row.version, "a retry changes nothing"
        await asyncio.sleep(CLAIM_SECONDS - RECONNECT_SECONDS / 2)
        await no_claim(process.do(claims.claim(ada.id, bo.token)), r"Claim the win in 8 seconds\.")
        process.crash()
        await process.start()
        claims = process.service.claims
        assert (await view(process, ada.id)).claim
        await asyncio.sleep(RECONNECT_SECONDS - 1)
        await no_claim(process.do(claims.claim(ada.id, bo.token)), "The service has just started")
        await asyncio.sleep(2)
        ended = match_view(await process.do(claims.claim(ada.id, bo.token)))
        assert (ended.status, ended.outcome, ended.reason, ended.claim) == ("over", "second", "absence", None)
        assert ended.result == "Ada has stayed away. Player 2 wins!"
        assert match_view(await process.do(claims.claim(ada.id, bo.token))) == ended, "a retry"
        assert (await process.do(process.service.actions.record(ada.id))).reason == "absence"

    in_virtual_time(work, claim_seconds=CLAIM_SECONDS)


def test_a_player_who_is_here_in_any_process_or_moves_ends_the_warning() -> None:
    async def work(here: VirtualProcess, there: VirtualProcess) -> None:
        claims = here.service.claims
        ada, bo = await here.new_pair("charge")
        await here.do(claims.warn(ada.id, bo.token))
        with there.service.presence.joined(ada.id, 0):
            await view(there, ada.id)  # as who opens a socket does
            there.service.claims.welcome(ada.id)
            await asyncio.sleep(CLAIM_SECONDS + 1)
            assert (await view(here, ada.id)).claim is None
            for action in (claims.warn, claims.claim):
                await no_claim(here.do(action(ada.id, bo.token)), "seems to be here")
        await asyncio.sleep(10)
        await here.do(claims.warn(ada.id, bo.token))
        await here.do(here.service.actions.play(ada.id, ada.token, 0, "charge 1", None))
        assert (await view(here, ada.id)).claim is None
        await asyncio.sleep(CLAIM_SECONDS + 1)
        await no_claim(here.do(claims.claim(ada.id, bo.token)), "It is your turn")

    in_virtual_time(work, 2, claim_seconds=CLAIM_SECONDS)


@both_backends
def test_a_player_who_opens_a_socket_ends_the_warning_and_everybody_is_told(server: RunningServer) -> None:
    ada, bo = server.new_pair("charge")
    with bo.live() as waiting:
        next_view(waiting)
        assert bo.post("warn").status_code == 200
        assert next_view(waiting)["match"]["claim"]["by"] == "second"
        refused(bo.post("claim"), 409, "no-claim")
        with ada.live() as live:
            if next_view(live)["match"]["claim"]:
                assert next_view(live)["match"]["claim"] is None
            assert next_view(waiting)["match"]["claim"] is None


def test_nothing_can_be_claimed_in_a_match_with_a_clock_or_against_a_computer(server: RunningServer) -> None:
    for player in (server.new_pair("charge", time_limit=60)[1], server.new_match("charge", "random")):
        for action in ("warn", "claim"):
            refused(player.post(action), 409, "no-claim")


# Two processes, one of which knows nothing of the other


def test_time_is_that_of_the_service_and_the_process_with_the_player_removes_the_warning(sqlite_url: str) -> None:
    async def work(*stores: Any) -> None:
        clock = ManualClock()
        one, two = (MatchProcess(store, clock) for store in stores)
        there: dict[str, int] = {}
        blind = Claims(one.registry, lambda _: 0, lambda _: 0, 100.0)
        seeing = Claims(two.registry, lambda match: there.get(match, 0), lambda match: there.get(match, 0), 100.0)
        first, second = await one.new_pair()
        await blind.warn(first.id, second.token)
        clock.time += 99.9
        with pytest.raises(Problem, match="Claim the win in 1 second"):
            await blind.claim(first.id, second.token)
        there[first.id] = 1
        seeing.notice(await two.registry.read(first.id))
        while (await one.registry.read(first.id)).row.claim_by is not None:
            await asyncio.sleep(0.01)
        clock.time += 1000.0
        with pytest.raises(Problem, match="has not been warned"):
            await blind.claim(first.id, second.token)
        await blind.warn(first.id, second.token)
        clock.time += 100.0
        there.clear()
        assert (await blind.claim(first.id, second.token)).row.reason == "absence"

    with_stores(sqlite_url, 2, work)
