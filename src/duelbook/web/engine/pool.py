"""WorkerPool off the event loop: in processes of its own, which are killed when their time is up."""

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Any

from duelbook.agents import is_exact
from duelbook.errors import RefusedError

PROGRAM = "duelbook.web.engine.worker"  # the module that thinks; one with more games can take its place
LONGEST_ANSWER = 4_000_000  # bytes
IDLE = 120.0  # seconds after which a process that may end does
START = 20.0  # seconds for a process to start
COMPILING = 300.0  # seconds for rules to be compiled, once for an installation
MOST_STUDIES = 8  # that are worked on or wait; others are told to come back

log = logging.getLogger("duelbook.web")


class EngineUnavailableError(Exception):
    """The process ended without an answer."""


class Worker:
    """One process that thinks; questions wait for each other in the order they came."""

    def __init__(self, *, lasting: bool) -> None:
        self._lasting = lasting
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, seconds: float, task: str, **question: Any) -> Any:
        """Answer what the process says; TimeoutError once it has thought too long, and it is killed then."""
        async with self._turn:
            if self._idle:
                self._idle.cancel()
            try:
                process = await self._running()
                async with asyncio.timeout(seconds) as limit:
                    return await self._exchange(process, {"task": task, **question}, limit)
            except (TimeoutError, asyncio.CancelledError, EngineUnavailableError):
                self.kill()  # its answer would be taken for that of the next question
                raise
            except OSError as error:
                self.kill()
                raise EngineUnavailableError("the process cannot be reached") from error
            finally:
                if not self._lasting:
                    self._idle = asyncio.get_running_loop().call_later(IDLE, self.kill)

    async def _running(self) -> Process:
        if self._process and self._process.returncode is None:
            return self._process
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", PROGRAM),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for the service
            limit=LONGEST_ANSWER,
        )
        assert self._process.stdout
        try:
            async with asyncio.timeout(START):
                await self._process.stdout.readline()  # that it is there, which is not a part of anybody's time
        except TimeoutError as error:
            raise EngineUnavailableError("the process does not start") from error
        return self._process

    async def _exchange(self, process: Process, question: dict[str, Any], limit: asyncio.Timeout) -> Any:
        assert process.stdin
        process.stdin.write(json.dumps(question).encode() + b"\n")
        await process.stdin.drain()
        line = await self._heard(process, limit)
        if not line:
            raise EngineUnavailableError("the process ended")
        reply = json.loads(line)
        if "refused" in reply:
            raise RefusedError(reply["refused"])
        if "failed" in reply:
            log.error("thinking failed", extra={"why": reply["failed"]})
            raise EngineUnavailableError(reply["failed"])
        return reply["answer"]

    async def _heard(self, process: Process, limit: asyncio.Timeout) -> bytes:
        """Answer what the process says; while it compiles rules, nobody's time runs."""
        assert process.stdout
        now = asyncio.get_running_loop().time
        left = 0.0
        while (line := await process.stdout.readline()) in (b"compiling\n", b"compiled\n"):
            if line == b"compiling\n":
                left = (limit.when() or 0.0) - now()
                limit.reschedule(now() + COMPILING)
            else:
                limit.reschedule(now() + left)
        return line

    def kill(self) -> None:
        if self._process and self._process.returncode is None:
            self._process.kill()
        self._process = None


class WorkerPool:
    """Who thinks about what: quick agents, slow ones, and studies do not wait for each other."""

    def __init__(self, think_seconds: float, study_seconds: float) -> None:
        self._quick = Worker(lasting=True)
        self._slow = Worker(lasting=False)
        self._study = Worker(lasting=False)
        self._studies = 0
        self._demonstrations: dict[str, tuple[str, str]] = {}
        self._think_seconds = think_seconds
        self._study_seconds = study_seconds

    async def warm(self) -> None:
        """Have the quick agents ready for the default games."""
        await self._quick.ask(self._study_seconds, "warm")

    async def ready(self, game: str, options: str) -> None:
        """Have the quick agents ready for a game, as far as that can be done."""
        with suppress(RefusedError, EngineUnavailableError, TimeoutError):
            await self._quick.ask(self._study_seconds, "prepare", game=game, options=json.loads(options))

    async def choose(self, agent: str, limit: float | None, **question: Any) -> int:
        """Answer the agent's move, or raise TimeoutError; waiting for others to be done is not a part of its time."""
        lane = self._quick if is_quick(agent) else self._slow
        seconds = min(self._think_seconds, limit or self._think_seconds)
        move: int = await lane.ask(seconds, "choose", agent=agent, **question)
        return move

    async def demonstrate(self, game: str, day: str) -> str:
        """Answer the demonstration of the day as JSON, made once; the quick agents, who have the solutions, play it."""
        if self._demonstrations.get(game, ("", ""))[0] != day:
            line = await self._quick.ask(self._study_seconds, "demonstrate", game=game, day=day)
            self._demonstrations[game] = day, json.dumps(line)
        return self._demonstrations[game][1]

    async def study(self, task: str, **question: Any) -> Any:
        """Answer a solution, a review or a puzzle, or raise TimeoutError; a line that is too long is not joined."""
        if self._studies >= MOST_STUDIES:
            raise EngineUnavailableError("too many studies wait")
        self._studies += 1
        try:
            return await self._study.ask(self._study_seconds, task, **question)
        finally:
            self._studies -= 1

    def close(self) -> None:
        for lane in (self._quick, self._slow, self._study):
            lane.kill()


def is_quick(agent: str) -> bool:
    """Tell whether the agent answers at once, if its game is solved where it needs that."""
    return is_exact(agent) or agent.partition(":")[0] in ("random", "greedy")
