"""The supervisor of a worker process: it starts the process, gives it tasks, and replaces it when it fails."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from duelbook.errors import RefusedError
from duelbook.game_errors import BrokenGameError
from duelbook.web.engine.process import Start, WorkerProcess
from duelbook.web.tasks import start

WORKER_MODULE = "duelbook.web.engine.worker"
PROGRESS = b"progress "  # begins a line that says how far a task is
MAX_TRIES = 2  # of a task; each on a process of its own
IDLE_SECONDS = 120.0  # after which a temporary worker is ended
START_SECONDS = 10.0  # for a worker to start
COMPILE_SECONDS = 300.0  # for rules to be compiled, once for each installation
ENDING_SECONDS = 1.0  # for killed processes to end when the service stops
SILENT_SECONDS = 3.0  # without a sign of life after which a worker counts as stuck
GRACE_SECONDS = 0.05  # for a line that has arrived while the service itself was held up
MISSED_SECONDS = 1.0  # the same for a worker whose time is up: several signs of life are missing

log = logging.getLogger("duelbook.web")

T = TypeVar("T")


class EngineUnavailableError(Exception):
    """The worker failed, or too many tasks are waiting. A later try may succeed."""


class EngineTimeoutError(EngineUnavailableError):
    """The task took too long, and its worker was killed."""


class WorkerFailedError(Exception):
    """The process ended, does not respond, or sent what is not an answer. A fresh process may succeed."""


class TaskFailedError(WorkerFailedError):
    """The task raised an exception that nobody expected; this is its traceback."""


class WorkerAnswer(msgspec.Struct):
    """A worker's answer to a task."""

    answer: msgspec.Raw = msgspec.Raw()
    refused: str | None = None  # why the task cannot be done, for the client
    broken: str | None = None  # what is wrong with the game's own code
    failed: str | None = None  # the traceback of an error in the worker


class TaskProgress(msgspec.Struct, frozen=True):
    """How far a task is: what it does, and if it solves a game, how far the solver is."""

    stage: str = "working"  # or what the solver is doing
    states: int = 0  # found so far
    valued: int = 0
    passes: int = 0
    memory_bytes: int = 0
    budget_bytes: int = 0


OnProgress = Callable[[TaskProgress], None]


def ignore_progress(_: TaskProgress) -> None:
    """Take progress that nobody asks for."""


class Worker:
    """One worker. It does one task at a time; a process that fails is replaced, and its task tried once more."""

    def __init__(self, start_process: Start, *, permanent: bool) -> None:
        self._start_process = start_process
        self._permanent = permanent
        self._process: WorkerProcess | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def run(
        self, kind: type[T], seconds: float, task: str, on_progress: OnProgress = ignore_progress, **arguments: Any
    ) -> T:
        """Run the task and return its answer; kill the worker and raise EngineTimeoutError if it takes too long.

        The start of the process does not count. Neither does the time of a worker that was stopped or is stuck.
        """
        if self._idle_timer:
            self._idle_timer.cancel()
        question = msgspec.json.encode({"task": task, **arguments}) + b"\n"
        try:
            for _ in range(MAX_TRIES):
                try:
                    return await self._ask(kind, seconds, question, on_progress)
                except TaskFailedError as error:
                    log.error("a task failed", extra={"task": task, "traceback": str(error)})
                except WorkerFailedError as error:
                    log.warning("a worker failed", extra={"task": task, "why": str(error)})
                except (RefusedError, EngineUnavailableError):
                    raise
                except Exception:  # whatever starting a process and its pipes may raise
                    log.exception("a worker failed", extra={"task": task})
                self.kill()
            raise EngineUnavailableError("The worker failed.")
        except (asyncio.CancelledError, EngineUnavailableError):
            self.kill()  # or its answer would be taken for that of the next task
            raise
        finally:
            if not self._permanent:
                self._idle_timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.kill)

    async def _ask(self, kind: type[T], seconds: float, question: bytes, on_progress: OnProgress) -> T:
        process = await self._running_process()
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                await process.send(question)
        except TimeoutError as error:
            raise WorkerFailedError("It does not read its task.") from error
        except (OSError, RuntimeError) as error:  # a pipe that is closed; uvloop raises RuntimeError
            raise WorkerFailedError("It has ended.") from error
        on_progress(TaskProgress())
        line = await _receive_answer(process, seconds, on_progress)
        if not line:
            raise WorkerFailedError("It ended.")
        try:
            answer = msgspec.json.decode(line, type=WorkerAnswer)
            if answer.refused is not None:
                raise RefusedError(answer.refused)
            if answer.broken is not None:
                raise BrokenGameError(answer.broken)
            if answer.failed is not None:
                raise TaskFailedError(answer.failed)
            return msgspec.json.decode(answer.answer, type=kind)
        except msgspec.MsgspecError as error:
            raise WorkerFailedError("Its answer cannot be read.") from error

    async def _running_process(self) -> WorkerProcess:
        if self._process and self._process.is_running:
            return self._process
        self.kill()  # what is left of it
        try:
            self._process = await self._start_process(WORKER_MODULE)
        except OSError as error:
            raise WorkerFailedError(f"It cannot be started: {error}.") from error
        try:
            async with asyncio.timeout(START_SECONDS):
                if not await self._process.receive():  # "ready"
                    raise WorkerFailedError("It ended while it started.")
        except TimeoutError as error:
            raise WorkerFailedError("It does not start.") from error
        return self._process

    def kill(self) -> None:
        """Kill the process if there is one. The next task gets a fresh one."""
        process, self._process = self._process, None
        if process:
            process.kill()
            start(process.wait(), self._ending)

    async def close(self) -> None:
        """Kill the process, and wait until it and those before it have ended."""
        if self._idle_timer:
            self._idle_timer.cancel()
        self.kill()
        if self._ending:
            await asyncio.wait(self._ending, timeout=ENDING_SECONDS)


async def _receive_answer(process: WorkerProcess, seconds: float, on_progress: OnProgress) -> bytes:
    """Return the line with the answer, or nothing if the worker has ended; pass on the progress before it.

    The time limit is suspended while the worker compiles rules. A worker that works sends a sign of life several times
    a second. So a task that takes too long (EngineTimeoutError) differs from a worker that is stuck. What has arrived
    when the time is up is still read: the service itself may have been held up, and the answer may be there.
    """
    now = asyncio.get_running_loop().time
    deadline, left, compiling = now() + seconds, 0.0, False
    while True:
        patience = deadline - now() if compiling else min(deadline - now(), SILENT_SECONDS)
        line = await _receive(process, patience)
        if line is None and patience >= MISSED_SECONDS and not compiling:
            raise WorkerFailedError("It does not respond.")
        if line is None:
            raise EngineTimeoutError(f"The task took more than {seconds:g} seconds.")
        match line:
            case b"alive\n":
                pass
            case b"compiling\n":
                deadline, left, compiling = now() + COMPILE_SECONDS, deadline - now(), True
                on_progress(TaskProgress("compiling"))
            case b"compiled\n":
                deadline, compiling = now() + left, False
                on_progress(TaskProgress())
            case _ if line.startswith(PROGRESS):
                on_progress(_read_progress(line))
            case _:
                return line


def _read_progress(line: bytes) -> TaskProgress:
    try:
        return msgspec.json.decode(line.removeprefix(PROGRESS), type=TaskProgress)
    except msgspec.MsgspecError as error:
        raise WorkerFailedError("Its progress cannot be read.") from error


async def _receive(process: WorkerProcess, seconds: float) -> bytes | None:
    """Return the next line, or None if there is none in time."""
    for patience in (seconds, GRACE_SECONDS):
        try:
            async with asyncio.timeout(patience):
                return await process.receive()
        except TimeoutError:
            pass
        except ValueError as error:
            raise WorkerFailedError("Its answer is too long.") from error
    return None
