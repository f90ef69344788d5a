"""The worker pool, with workers that answer turns only when they are told to."""

import asyncio
import json
from typing import Any, ClassVar

import pytest

from duelbook.games import make
from duelbook.options import write_options
from duelbook.web.engine.pool import WorkerPool
from duelbook.web.engine.process import WorkerProcess
from duelbook.web.engine.slots import client
from duelbook.web.engine.supervisor import EngineTimeoutError

BUSY, OTHER = "192.0.2.1", "192.0.2.2"


class BusyWorker:
    """Thinks for ever about a move, and answers everything else at once."""

    is_running = True

    def __init__(self) -> None:
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lines.put_nowait(b"ready\n")

    async def send(self, line: bytes) -> None:
        if b'"choose"' not in line:
            self._lines.put_nowait(b'{"answer":1}\n')

    async def receive(self) -> bytes:
        return await self._lines.get()

    def kill(self) -> None: ...

    async def wait(self) -> None: ...


class SmallWorker(BusyWorker):
    """Finds that every game is too large to be solved, and counts how often it was asked."""

    asked = 0

    async def send(self, line: bytes) -> None:
        SmallWorker.asked += 1
        self._lines.put_nowait(b'{"answer":false}\n')


async def start(_: str) -> WorkerProcess:
    return BusyWorker()


def test_that_a_game_is_too_large_is_found_out_once_whatever_is_drawn(number_row: str) -> None:
    async def start_small(_: str) -> WorkerProcess:
        return SmallWorker()

    async def run() -> list[bool]:
        pool = WorkerPool(60, 60, start_small)
        rows = ("1,2,3", "3,2,1", "2,1,3")
        return [await pool.is_solvable(number_row, {"length": 3, "row": row}, BUSY) for row in rows]

    assert asyncio.run(run()) == [False] * 3
    assert SmallWorker.asked == 1


def test_demonstrations_wait_neither_for_each_other_nor_for_the_turns_of_whoever_asks() -> None:
    async def run() -> list[bytes]:
        pool = WorkerPool(60, 60, start)
        turn = asyncio.create_task(pool.choose("random", None, BUSY, lambda: True))
        await asyncio.sleep(0)
        found = []
        async with asyncio.timeout(5):
            for game, address in (("charge", BUSY), ("flag-chase", OTHER), ("charge", BUSY)):
                client.set(address)
                found.append(await pool.demonstrate(game, "2026-11-16"))
        turn.cancel()
        return found

    assert asyncio.run(run()) == [b"1"] * 3


class SolvingWorker(BusyWorker):
    """Takes a while for its first task, in which it solves the game."""

    solved = False

    async def send(self, line: bytes) -> None:
        asyncio.get_running_loop().call_later(0 if self.solved else 0.3, self._lines.put_nowait, b'{"answer":1}\n')
        self.solved = True


def test_an_agent_does_not_pay_for_the_solution_of_its_game() -> None:
    async def start_solving(_: str) -> WorkerProcess:
        return SolvingWorker()

    async def run() -> int:
        pool = WorkerPool(0.1, 60, start_solving)
        return await pool.choose("perfect", None, OTHER, lambda: True, game="charge", options={"goal": 9})

    assert asyncio.run(run()) == 1


class SlowWorker(BusyWorker):
    """Never solves a game, and answers at once what needs no solution. It keeps the tasks that it was given."""

    tasks: ClassVar[list[dict[str, Any]]] = []

    async def send(self, line: bytes) -> None:
        task = json.loads(line)
        SlowWorker.tasks.append(task)
        if task.get("solvable") is False:
            self._lines.put_nowait(b'{"answer":1}\n')


LARGE: dict[str, Any] = {"game": "charge", "options": {"goal": 50, "charge_cards": 9}}


@pytest.fixture
def slow_pool(monkeypatch: pytest.MonkeyPatch) -> WorkerPool:
    """A pool whose workers solve no game within its time limit."""
    monkeypatch.setattr(SlowWorker, "tasks", [])

    async def start_slow(_: str) -> WorkerProcess:
        return SlowWorker()

    return WorkerPool(60, 0.05, start_slow)


def test_that_a_game_takes_too_long_is_found_out_once_and_then_agents_search(slow_pool: WorkerPool) -> None:
    async def run() -> None:
        for _ in range(3):
            assert await slow_pool.choose("medium", None, BUSY, lambda: True, moves=[], **LARGE) == 1
        assert await slow_pool.study("advice", after=[], **LARGE) == b"1"

    asyncio.run(run())
    assert [task["task"] for task in SlowWorker.tasks] == ["prepare", *["choose"] * 3, "advice"]


def test_a_study_of_a_game_that_takes_too_long_is_an_estimate_and_later_ones_are_so_at_once(
    slow_pool: WorkerPool,
) -> None:
    async def run() -> None:
        for _ in range(2):
            assert await slow_pool.study("advice", after=[], **LARGE) == b"1"
        assert not await slow_pool.prepare("charge", LARGE["options"], required=False)

    asyncio.run(run())
    assert [task.get("solvable") for task in SlowWorker.tasks] == [None, False, False]


def test_a_game_that_must_be_solved_is_tried_again_though_it_took_too_long(slow_pool: WorkerPool) -> None:
    async def run() -> None:
        for _ in range(2):
            with pytest.raises(EngineTimeoutError):
                await slow_pool.prepare("charge", LARGE["options"], required=True)

    asyncio.run(run())
    assert [task["task"] for task in SlowWorker.tasks] == ["prepare"] * 2


def test_a_study_of_a_solved_game_that_takes_too_long_fails_as_the_machine_is_busy(slow_pool: WorkerPool) -> None:
    async def run() -> None:
        for _ in range(2):
            with pytest.raises(EngineTimeoutError):
                await slow_pool.study("advice", after=[], game="charge", options=write_options(make("charge")))

    asyncio.run(run())
    assert all("solvable" not in task for task in SlowWorker.tasks)
