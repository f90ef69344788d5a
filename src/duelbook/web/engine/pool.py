"""The worker pool: agents and studies run in processes of their own, which are killed when their time is up."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from duelbook.agents import is_exact
from duelbook.errors import RefusedError
from duelbook.web.engine.process import WorkerProcess, start_process

WORKER_MODULE = "duelbook.web.engine.worker"  # can be replaced by a module that knows more games
IDLE_SECONDS = 120.0  # after which a temporary worker is ended
START_SECONDS = 20.0  # for a worker to start
COMPILE_SECONDS = 300.0  # for rules to be compiled, once for each installation
MAX_STUDIES = 8  # that run or wait; a further one fails

log = logging.getLogger("duelbook.web")

Start = Callable[[str], Awaitable[WorkerProcess]]  # starts a process with that module


class EngineUnavailableError(Exception):
    """The worker ended or failed, or too many studies are waiting. A later try may succeed."""


class EngineTimeoutError(EngineUnavailableError):
    """The worker did not answer in time, and was killed."""


class Worker:
    """One worker process. Tasks wait for each other in the order in which they arrive."""

    def __init__(self, *, permanent: bool, start: Start = start_process) -> None:
        self._permanent = permanent
        self._start = start
        self._lock = asyncio.Lock()
        self._process: WorkerProcess | None = None
        self._idle_timer: asyncio.TimerHandle | None = None

    async def run(self, seconds: float, task: str, **arguments: Any) -> Any:
        """Run the task and return its answer; kill the worker and raise EngineTimeoutError if it takes too long.

        Neither the wait for earlier tasks nor the start of the process counts.
        """
        async with self._lock:
            if self._idle_timer:
                self._idle_timer.cancel()
            try:
                process = await self._running_process()
                return await self._exchange(process, seconds, {"task": task, **arguments})
            except (asyncio.CancelledError, EngineUnavailableError):
                self.kill()  # or its answer would be taken for that of the next task
                raise
            except OSError as error:
                self.kill()
                raise EngineUnavailableError("The worker cannot be reached.") from error
            finally:
                if not self._permanent:
                    self._idle_timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.kill)

    async def _running_process(self) -> WorkerProcess:
        if self._process and self._process.is_running:
            return self._process
        self._process = await self._start(WORKER_MODULE)
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._process.receive()  # "ready"
        except TimeoutError as error:
            raise EngineUnavailableError("The worker does not start.") from error
        return self._process

    async def _exchange(self, process: WorkerProcess, seconds: float, question: dict[str, Any]) -> Any:
        try:
            async with asyncio.timeout(seconds) as limit:
                await process.send(json.dumps(question).encode() + b"\n")
                line = await self._read_answer(process, limit)
        except TimeoutError as error:
            raise EngineTimeoutError(f"The task took more than {seconds:g} seconds.") from error
        except ValueError as error:
            raise EngineUnavailableError("The worker's answer is too long.") from error
        if not line:
            raise EngineUnavailableError("The worker ended.")
        answer = json.loads(line)
        if "refused" in answer:
            raise RefusedError(answer["refused"])
        if "failed" in answer:
            log.error("a worker failed", extra={"why": answer["failed"]})
            raise EngineUnavailableError(answer["failed"])
        return answer["answer"]

    async def _read_answer(self, process: WorkerProcess, limit: asyncio.Timeout) -> bytes:
        """Return the line with the answer. The time limit is suspended while the worker compiles rules."""
        now = asyncio.get_running_loop().time
        left = 0.0
        while (line := await process.receive()) in (b"compiling\n", b"compiled\n"):
            if line == b"compiling\n":
                left = (limit.when() or 0.0) - now()
                limit.reschedule(now() + COMPILE_SECONDS)
            else:
                limit.reschedule(now() + left)
        return line

    def kill(self) -> None:
        if self._process and self._process.is_running:
            self._process.kill()
        self._process = None


class WorkerPool:
    """Three workers, so that quick agents, slow agents and studies do not wait for each other."""

    def __init__(self, think_seconds: float, study_seconds: float, start: Start = start_process) -> None:
        self._quick = Worker(permanent=True, start=start)
        self._slow = Worker(permanent=False, start=start)
        self._study = Worker(permanent=False, start=start)
        self._studies = 0
        self._demonstrations: dict[str, tuple[str, str]] = {}
        self._think_seconds = think_seconds
        self._study_seconds = study_seconds

    async def warm(self) -> None:
        """Have the quick worker load the solutions of the default games."""
        await self._quick.run(self._study_seconds, "warm")

    async def prepare_agents(self, game: str, options: Mapping[str, Any]) -> None:
        """Have the quick worker solve the game, if it can be solved."""
        with suppress(RefusedError, EngineUnavailableError):
            await self._quick.run(self._study_seconds, "prepare", game=game, options=options)

    async def prepare(self, game: str, options: Mapping[str, Any]) -> None:
        """Solve the game, or raise RefusedError if it is too large."""
        await self.study("prepare", game=game, options=options)

    async def choose(self, agent: str, limit: float | None, **position: Any) -> int:
        """Return the agent's move, or raise EngineTimeoutError. Waiting for other agents does not count."""
        worker = self._quick if is_quick(agent) else self._slow
        seconds = min(self._think_seconds, limit or self._think_seconds)
        move: int = await worker.run(seconds, "choose", agent=agent, **position)
        return move

    async def demonstrate(self, game: str, day: str) -> str:
        """Return the demonstration game of the day as JSON. The quick worker, which has the solutions, plays it."""
        if self._demonstrations.get(game, ("", ""))[0] != day:
            line = await self._quick.run(self._study_seconds, "demonstrate", game=game, day=day)
            self._demonstrations[game] = day, json.dumps(line)
        return self._demonstrations[game][1]

    async def study(self, task: str, **arguments: Any) -> Any:
        """Return a solution, a review or a puzzle; raise EngineUnavailableError if too many are waiting."""
        if self._studies >= MAX_STUDIES:
            raise EngineUnavailableError("Too many studies are waiting.")
        self._studies += 1
        try:
            return await self._study.run(self._study_seconds, task, **arguments)
        finally:
            self._studies -= 1

    def close(self) -> None:
        for worker in (self._quick, self._slow, self._study):
            worker.kill()


def is_quick(agent: str) -> bool:
    """Return True if the agent moves at once: exact agents do when their game is solved."""
    return is_exact(agent) or agent.partition(":")[0] in ("random", "greedy")
