"""Simulated workers: they play random legal moves after a while, and die, hang or talk nonsense if they are told to."""

import asyncio
import json
import random

from duelbook.web.engine import worker
from tests.simulation.event_loop import VirtualLoop
from tests.simulation.faults import Faults, Kind


class Workers:
    """Starts the workers of all processes."""

    def __init__(self, loop: VirtualLoop, seed: object, faults: Faults) -> None:
        self.loop = loop
        self.random = random.Random(f"{seed} workers")
        self.faults = faults

    async def start(self, node: int) -> "SimulatedWorker":
        await asyncio.sleep(0.05 + 0.2 * self.random.random())
        return SimulatedWorker(self, node)


class SimulatedWorker:
    """One worker process."""

    def __init__(self, workers: Workers, node: int) -> None:
        self._workers = workers
        self._node = node
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lines.put_nowait(b"ready\n")
        self.is_running = True

    async def send(self, line: bytes) -> None:
        if not self.is_running:
            raise BrokenPipeError("the worker has ended")
        slow = b'"mcts' in line
        delay = 1.0 + self._workers.random.random() if slow else 2 * self._workers.random.random() ** 3
        self._workers.loop.call_later(0.005 + delay, self._answer, line)

    async def receive(self) -> bytes:
        return await self._lines.get()

    def kill(self) -> None:
        if self.is_running:
            self.is_running = False
            self._lines.put_nowait(b"")

    async def wait(self) -> None: ...

    def _answer(self, line: bytes) -> None:
        if not self.is_running or self._fails(Kind.HANGING_WORKERS):
            return
        if self._fails(Kind.DYING_WORKERS):
            self.kill()
            return
        answer = json.dumps(_answer(json.loads(line))).encode() + b"\n"
        if self._fails(Kind.CONFUSED_WORKERS):
            if self._workers.random.random() < 0.5:
                self._lines.put_nowait(answer[: len(answer) // 2])
                self.kill()
                return
            answer = b'{"failed": "MemoryError"}\n'
        self._lines.put_nowait(answer)

    def _fails(self, kind: Kind) -> bool:
        return self._workers.faults.active(kind, self._node) and self._workers.random.random() < 0.95


def _answer(task: dict[str, object]) -> object:
    """Return what a worker answers. Every agent plays at random: what it plays does not matter here."""
    if task["task"] != "choose":
        return {"answer": None}
    return worker.answer(json.dumps({**task, "agent": "random"}))
