"""Studies that take longer than a moment: they are answered with their progress, and go on while somebody asks."""

import asyncio
import time

import httpx
import pytest

from duelbook.web.engine.studies import ABANDONED_SECONDS, ANSWER_SECONDS, Studies
from duelbook.web.engine.supervisor import OnProgress, TaskProgress
from tests.simulation.event_loop import in_virtual_time, run_in_virtual_time
from tests.support.service.harness import PATIENCE, RunningServer
from tests.support.service.impatient import impatient
from tests.web.conftest import Start

EXPLORING = TaskProgress("exploring", 4096)


class Slow:
    """A study that is ready when the test says so."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = False
        self.ready = asyncio.Event()

    async def __call__(self, on_progress: OnProgress) -> bytes:
        self.begun += 1
        try:
            await asyncio.sleep(0)
            on_progress(EXPLORING)
            await self.ready.wait()
            return b"ready"
        except asyncio.CancelledError:
            self.cancelled = True
            raise


@in_virtual_time
async def test_a_study_goes_on_between_requests_and_is_made_once() -> None:
    known, slow = Studies(), Slow()
    assert await known.ask("a", slow) == EXPLORING
    assert known.is_known("a")
    assert not known.is_known("b")
    assert await asyncio.gather(*(known.ask("a", slow) for _ in range(2))) == [EXPLORING] * 2
    slow.ready.set()
    assert await known.ask("a", slow) == b"ready"
    assert slow.begun == 1
    assert not known.is_known("a")


@in_virtual_time
async def test_a_study_that_nobody_asks_for_any_more_is_cancelled() -> None:
    known, slow = Studies(), Slow()
    await known.ask("a", slow)
    await asyncio.sleep(0.9 * ABANDONED_SECONDS)
    await known.ask("a", slow)
    await asyncio.sleep(0.9 * ABANDONED_SECONDS)
    assert not slow.cancelled  # it was asked for again
    assert known.is_known("a")
    await asyncio.sleep(0.2 * ABANDONED_SECONDS)
    assert slow.cancelled
    assert not known.is_known("a")


@in_virtual_time
async def test_a_study_whose_only_client_leaves_is_cancelled_at_once() -> None:
    known, slow = Studies(), Slow()
    one, two = (asyncio.create_task(known.ask("a", slow)) for _ in range(2))
    await asyncio.sleep(0.1)
    one.cancel()
    await asyncio.sleep(0.1)
    assert not slow.cancelled
    two.cancel()
    await asyncio.wait((one, two))
    await asyncio.sleep(0)
    assert slow.cancelled
    assert not known.is_known("a")


def test_the_failure_of_a_study_is_told_to_whoever_asks_next() -> None:
    async def fail(on_progress: OnProgress) -> bytes:
        await asyncio.sleep(1.5 * ANSWER_SECONDS)
        raise ValueError("no")

    async def ask() -> None:
        known = Studies()
        assert await known.ask("a", fail) is None
        await asyncio.sleep(ANSWER_SECONDS)
        with pytest.raises(ValueError, match="no"):
            await known.ask("a", fail)
        assert not known.is_known("a")

    run_in_virtual_time(ask())


@pytest.fixture(scope="module")
def slow(serve: Start) -> RunningServer:
    """A service with games that take seconds to study, and with which a client may begin few studies."""
    module = "tests.support.games.slow_stones"
    program = impatient("engine.studies.ANSWER_SECONDS=0.1")
    return serve(program, f"{module}:SlowStones,{module}:SlowPuzzles", study_limit=2)


def test_a_long_study_is_answered_with_its_progress_until_it_is_ready(slow: RunningServer) -> None:
    path = "/api/puzzles/slow-puzzles?level=1"
    with httpx.Client(base_url=slow.url, timeout=PATIENCE) as client:
        answer = client.get("/api/solve/slow-stones?option=pause%3D500")
        seen = []
        while answer.status_code == 202:
            assert answer.headers["retry-after"] == "1"
            seen.append(answer.json())
            time.sleep(0.2)
            answer = client.get(seen[-1]["url"])  # which does not count as another study
        assert answer.status_code == 200
        assert answer.json()["winner"] == "second"
        assert max(progress["states"] for progress in seen) >= 4096
        assert seen[-1]["budget_bytes"] > seen[-1]["memory_bytes"] > 0
        assert {progress["stage"] for progress in seen} <= {"queued", "working", "exploring", "analysing"}
        begun = client.get(path)
        assert begun.json()["url"].startswith(f"{path}&seed=")  # not another puzzle each time
        assert client.get(path).status_code == 429


def test_a_match_that_waits_for_its_game_to_be_solved_shows_the_progress_and_is_created_once(
    slow: RunningServer,
) -> None:
    new = {"game": "slow-stones", "opponent": "easy", "options": {"pause": 151}, "key": "k" * 32}
    with httpx.Client(base_url=slow.url, timeout=PATIENCE) as client:
        answer = client.post("/api/matches", json=new)
        seen = []
        while answer.status_code == 202:
            seen.append(answer.json())
            time.sleep(0.2)
            answer = client.post(seen[-1]["url"], json=new)
        assert answer.status_code == 201
        assert max(progress["states"] for progress in seen) >= 4096
        assert seen[-1]["budget_bytes"] > seen[-1]["memory_bytes"] > 0
        created = answer.json()
        again = client.post("/api/matches", json=new)
        assert again.status_code == 201
        assert [again.json()[name] for name in ("id", "seat", "token")] == [
            created[name] for name in ("id", "seat", "token")
        ]
        other = client.post("/api/matches", json=new | {"key": "l" * 32})  # solved by now
        assert other.status_code == 201
        assert other.json()["id"] != created["id"]
        assert "slow-stones" in client.get(f"/api/matches/{created['id']}").text


def test_a_client_without_a_key_waits_for_its_match(slow: RunningServer) -> None:
    new = {"game": "slow-stones", "opponent": "easy", "options": {"pause": 60}}
    with httpx.Client(base_url=slow.url, timeout=PATIENCE) as client:
        assert client.post("/api/matches", json=new).status_code == 201
