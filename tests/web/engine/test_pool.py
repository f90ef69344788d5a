"""The worker pool, with workers that answer turns only when they are told to."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from duelbook.games import make
from duelbook.options import write_options
from duelbook.web.engine.pool import WorkerPool
from duelbook.web.engine.process import WorkerProcess
from duelbook.web.engine.slots import client
from duelbook.web.engine.supervisor import EngineTimeoutError
from tests.simulation.event_loop import in_virtual_time, run_in_virtual_time

BUSY, OTHER = "192.0.2.1", "192.0.2.2"

Task = dict[str, Any]


class Told:
    """A worker that answers as it is told to, each task at once or after some seconds, or never."""

    is_running = True

    def __init__(self, answer: Callable[[Task], str | None], delays: Iterator[float]) -> None:
        self._answer, self._delays = answer, delays
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lines.put_nowait(b"ready\n")

    async def send(self, line: bytes) -> None:
        if (answer := self._answer(json.loads(line))) is not None:
            text = f'{{"answer":{answer}}}\n'.encode()
            asyncio.get_running_loop().call_later(next(self._delays, 0), self._lines.put_nowait, text)

    async def receive(self) -> bytes:
        return await self._lines.get()

    def kill(self) -> None: ...

    async def wait(self) -> None: ...


def pool_of(
    answer: Callable[[Task], str | None], think: float = 60, study: float = 60, delays: Sequence[float] = ()
) -> WorkerPool:
    """Return a pool with these time limits whose workers answer like that."""

    async def start(_: str) -> WorkerProcess:
        return Told(answer, iter(delays))

    return WorkerPool(think, study, start)


def test_that_a_game_is_too_large_is_found_out_once_whatever_is_drawn(number_row: str) -> None:
    asked: list[Task] = []

    def refuse(task: Task) -> str:
        asked.append(task)
        return "false"

    async def run() -> None:
        pool = pool_of(refuse)
        for row in ("1,2,3", "3,2,1", "2,1,3"):
            assert not await pool.is_solvable(number_row, {"length": 3, "row": row}, BUSY)

    run_in_virtual_time(run())
    assert len(asked) == 1


@in_virtual_time
async def test_demonstrations_wait_neither_for_each_other_nor_for_the_turns_of_whoever_asks() -> None:
    pool = pool_of(lambda task: None if task["task"] == "choose" else "1")
    turn = asyncio.create_task(pool.choose("random", None, BUSY, lambda: True))
    await asyncio.sleep(0)
    for game, address in (("charge", BUSY), ("flag-chase", OTHER), ("charge", BUSY)):
        client.set(address)
        assert await pool.demonstrate(game, "2026-11-16") == b"1"
    turn.cancel()


def test_an_agent_does_not_pay_for_the_solution_of_its_game() -> None:
    async def run() -> int:
        pool = pool_of(lambda _: "1", think=0.1, delays=[0.3])  # the first task is to solve the game
        return await pool.choose("perfect", None, OTHER, lambda: True, game="charge", options={"goal": 9})

    assert run_in_virtual_time(run()) == 1


LARGE: dict[str, Any] = {"game": "charge", "options": {"goal": 50, "charge_cards": 9}}


class SlowPool:
    """A pool whose workers solve no game within its time limit, and answer at once what needs no solution."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.pool = pool_of(self._answer, study=0.05)

    def _answer(self, task: Task) -> str | None:
        self.tasks.append(task)
        return "1" if task.get("solvable") is False else None


@in_virtual_time
async def test_that_a_game_takes_too_long_is_found_out_once_and_then_agents_search() -> None:
    slow = SlowPool()
    for _ in range(3):
        assert await slow.pool.choose("medium", None, BUSY, lambda: True, moves=[], **LARGE) == 1
    assert await slow.pool.study("advice", after=[], **LARGE) == b"1"
    assert [task["task"] for task in slow.tasks] == ["prepare", *["choose"] * 3, "advice"]


@in_virtual_time
async def test_a_study_of_a_game_that_takes_too_long_is_an_estimate_and_later_ones_are_so_at_once() -> None:
    slow = SlowPool()
    for _ in range(2):
        assert await slow.pool.study("advice", after=[], **LARGE) == b"1"
    assert not await slow.pool.prepare("charge", LARGE["options"], required=False)
    assert [task.get("solvable") for task in slow.tasks] == [None, False, False]


@in_virtual_time
async def test_what_must_be_solved_is_tried_again_and_fails_as_the_machine_is_busy() -> None:
    slow = SlowPool()
    for _ in range(2):
        with pytest.raises(EngineTimeoutError):
            await slow.pool.prepare("charge", LARGE["options"], required=True)
        with pytest.raises(EngineTimeoutError):
            await slow.pool.study("advice", after=[], game="charge", options=write_options(make("charge")))
    assert [task["task"] for task in slow.tasks if task["task"] == "prepare"] == ["prepare"] * 2
    assert all("solvable" not in task for task in slow.tasks)
