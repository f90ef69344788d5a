"""A player who stays away can be claimed against: after a warning and a fair time, and never while they are here."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from duelbook.web.match.claims import Claims
from duelbook.web.problems import Problem
from tests.support.clock import ManualClock
from tests.support.service.harness import Player, RunningServer
from tests.support.service.matches import MatchProcess
from tests.support.service.sockets import next_view
from tests.support.service.stores import with_stores
from tests.web.conftest import new_settings

CLAIM_SECONDS = 1.0
PATIENCE = 20.0


@pytest.fixture(scope="module")
def impatient(
    backend: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """A server on which an absent player has little time to come back."""
    folder = tmp_path_factory.mktemp("impatient")
    settings = {**new_settings(backend, folder, request), "claim_seconds": CLAIM_SECONDS}
    server = RunningServer(folder, settings).start()
    yield server
    server.kill()


def code(answer: Any) -> str:
    return str(answer.json()["code"]) if answer.is_error else "200"


def until_claimed(player: Player) -> dict[str, Any]:
    """Claim the win until it is granted; return the view."""
    deadline = time.monotonic() + PATIENCE
    while (answer := player.post("claim")).is_error:
        assert code(answer) == "no-claim", answer.text
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.05)
    view: dict[str, Any] = answer.json()
    return view


def test_an_absent_player_is_warned_and_then_loses(impatient: RunningServer) -> None:
    ada, bo = impatient.new_pair("charge", name="Ada")
    assert code(bo.post("claim")) == "no-claim"  # without a warning
    began = time.monotonic()
    warned = bo.post("warn").json()
    assert warned["claim"]["by"] == "second"
    assert 0 < warned["claim"]["left"] <= CLAIM_SECONDS
    again = bo.post("warn").json()
    assert again["version"] == warned["version"]  # a retry changes nothing
    answer = bo.post("claim")
    if time.monotonic() < began + CLAIM_SECONDS:  # else a busy machine has taken longer than the opponent has
        assert "Your opponent can still come back. Claim the win in 1 second." in answer.json()["detail"]
    view = until_claimed(bo)
    assert (view["status"], view["outcome"], view["reason"]) == ("over", "second", "absence")
    assert view["result"] == "Ada has stayed away. Player 2 wins!"
    assert view["claim"] is None
    assert bo.post("claim").json() == view  # a retry
    assert code(ada.post("claim")) == "over"
    record = impatient.http.get(f"/api/matches/{ada.match}/record").json()
    assert record["reason"] == "absence"


def test_a_player_who_comes_back_ends_the_warning(impatient: RunningServer) -> None:
    ada, bo = impatient.new_pair("charge")
    with bo.live() as waiting:
        next_view(waiting)
        assert code(bo.post("warn")) == "200"
        assert next_view(waiting)["match"]["claim"]["by"] == "second"
        with ada.live() as live:
            first = next_view(live)
            if first["match"]["claim"]:
                assert next_view(live)["match"]["claim"] is None
            assert next_view(waiting)["match"]["claim"] is None
            time.sleep(CLAIM_SECONDS + 0.1)
            assert code(bo.post("claim")) == "no-claim"
            assert code(bo.post("warn")) == "no-claim"
    assert ada.view()["status"] == "playing"


def test_a_move_ends_the_warning(impatient: RunningServer) -> None:
    ada, bo = impatient.new_pair("charge")
    bo.post("warn")
    assert ada.play(0, "charge 1").json()["claim"] is None
    assert code(bo.post("claim")) == "no-claim"


def test_nothing_can_be_claimed_where_nobody_is_waited_for(impatient: RunningServer) -> None:
    ada, bo = impatient.new_pair("charge")
    timed = impatient.new_pair("charge", time_limit=60)[1]
    alone = impatient.new_match("charge", "random")
    waiting = impatient.new_match("charge")
    for player, expected in ((ada, "no-claim"), (timed, "no-claim"), (alone, "no-claim"), (waiting, "not-begun")):
        for action in ("warn", "claim"):
            assert code(player.post(action)) == expected
    bo.post("resign")
    assert [code(player.post("warn")) for player in (ada, bo)] == ["over", "over"]


def test_a_warning_outlives_a_crash(impatient: RunningServer) -> None:
    _, bo = impatient.new_pair("charge")
    bo.post("warn")
    impatient.kill()
    impatient.start()
    assert bo.view()["claim"]["by"] == "second"
    assert until_claimed(bo)["reason"] == "absence"


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


def test_who_just_opens_a_socket_is_welcome(sqlite_url: str) -> None:
    async def work(store: Any) -> None:
        process, here = MatchProcess(store, ManualClock()), dict[str, int]()
        claims = Claims(process.registry, lambda _: 0, lambda match: here.get(match, 0), 100.0)
        first, second = await process.new_pair()
        await claims.warn(first.id, second.token)
        here[first.id] = 2
        claims.welcome(first.id)  # the player who waits
        assert not claims._tasks
        here[first.id] = 3
        claims.welcome(first.id)
        await asyncio.gather(*claims._tasks)
        assert (await process.registry.read(first.id)).row.claim_by is None

    with_stores(sqlite_url, 1, work)
