"""The worker pool, with workers that answer turns only when they are told to."""

import asyncio

from duelbook.web.engine.pool import WorkerPool
from duelbook.web.engine.process import WorkerProcess
from duelbook.web.engine.slots import client

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
