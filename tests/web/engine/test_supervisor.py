"""A worker process as the service sees it: time limits, failures and what the next task meets."""

import asyncio
import errno
import gc
import os
import subprocess
import sys
import warnings
from collections.abc import Coroutine, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop

from duelbook.errors import RefusedError
from duelbook.web.engine import supervisor
from duelbook.web.engine.process import NICENESS, PipedProcess, Start, WorkerProcess, start_process
from duelbook.web.engine.supervisor import EngineTimeoutError, EngineUnavailableError, TaskProgress, Worker
from tests.simulation.event_loop import VirtualLoop

WORKER = """
import json, os, pathlib, signal, sys, time

def write(line, end="\\n"):
    print(line, end=end, flush=True)

def fail(how):
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "closed":
        os.close(1)
        time.sleep(60)
    elif how == "cut":
        write('{"answer": "x', end="")
        os._exit(0)
    elif how == "garbled":
        write("nonsense")
    elif how == "other":
        write('["answer"]')
    elif how == "wrong":
        write('{"answer": 17}')

write("ready")
for line in sys.stdin:
    task = json.loads(line)
    if "fault" in task:
        mark = pathlib.Path(task["mark"])
        if not mark.exists():
            mark.touch()
            fail(task["fault"])
            continue
    if task["task"] == "sleep":
        time.sleep(task["pause"])
    elif task["task"] == "exit":
        write(json.dumps({"answer": "exit"}))
        break
    elif task["task"] == "end":
        break
    elif task["task"] == "report":
        for line in task["lines"]:
            write("progress " + line)
    elif task["task"] == "refuse":
        write(json.dumps({"refused": "Too large."}))
        continue
    elif task["task"] == "fail":
        write(json.dumps({"failed": "ValueError: no"}))
        continue
    elif task["task"] == "long":
        write(json.dumps({"answer": "x" * 5_000_000}))
        continue
    write(json.dumps({"answer": task["task"]}))
"""

PATIENCE = 60.0

T = TypeVar("T")


@pytest.fixture(autouse=True)
def worker_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the worker by one that does what the task says."""
    (tmp_path / "obedient_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(supervisor, "WORKER_MODULE", "obedient_worker")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def answers(*tasks: tuple[float, str, dict[str, Any]], start: Start = start_process) -> list[object]:
    """Give the tasks to one worker, one after the other; return each answer or the type of the error."""
    worker, found = Worker(start, permanent=False), list[object]()
    for seconds, task, arguments in tasks:
        try:
            found.append(await worker.run(str, seconds, task, **arguments))
        except (EngineUnavailableError, RefusedError) as error:
            found.append(type(error))
    await worker.close()
    return found


class ScriptedProcess:
    """Writes the lines of a worker, each after some seconds of virtual time, and then nothing more."""

    is_running = True

    def __init__(self, lines: Sequence[tuple[float, bytes]]) -> None:
        self._script = lines
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._lines.put_nowait(b"ready\n")

    async def send(self, line: bytes) -> None:
        for at, (_, written) in zip(accumulate(wait for wait, _ in self._script), self._script, strict=True):
            asyncio.get_running_loop().call_later(at, self._lines.put_nowait, written)

    async def receive(self) -> bytes:
        return await self._lines.get()

    def kill(self) -> None: ...

    async def wait(self) -> None: ...


Script = Sequence[tuple[float, bytes]]


def answer_after(seconds: float, *scripts: Script, held_up: float = 0.0) -> object:
    """Return the answer to a task with that time limit, in virtual time.

    Each process that is started follows the next script. The event loop is held up for some seconds meanwhile.
    """
    following = iter(scripts)
    loop = VirtualLoop(seed=0)  # type: ignore[abstract]

    async def start(_: str) -> WorkerProcess:
        loop.call_later(0.1, loop.hold_up, held_up)
        return ScriptedProcess([(wait, line + b"\n") for wait, line in next(following)])

    return loop.run(answers((seconds, "task", {}), start=start))[0]


ANSWER = b'{"answer":"done"}'
COMPILING = (0.0, b"compiling"), (supervisor.COMPILE_SECONDS - 1, b"compiled")
COMPILING_TOO_LONG = (0.0, b"compiling"), (supervisor.COMPILE_SECONDS + 1, b"compiled")
ALIVE = [(0.5, b"alive")] * 5
LATE = 4.0  # seconds after which the service reads what a worker wrote at once


@pytest.mark.parametrize(
    ("seconds", "script", "answer"),
    [
        (4, [*COMPILING, (2.9, ANSWER)], "done"),
        (4, [*ALIVE, *COMPILING, *ALIVE, (0.0, ANSWER)], EngineTimeoutError),
        (60, [*COMPILING_TOO_LONG, (0.0, ANSWER)], EngineTimeoutError),
        (60, [(0.9 * supervisor.SILENT_SECONDS, b"alive")] * 10 + [(1.0, ANSWER)], "done"),
        (5, [(0.2, b"alive")] * 30 + [(0.2, ANSWER)], EngineTimeoutError),
    ],
    ids=["rules are compiled", "before and after that", "compiled too long", "works for long", "works for too long"],
)
def test_a_worker_may_compile_rules_and_work_until_its_time_is_up(
    seconds: float, script: Script, answer: object
) -> None:
    assert answer_after(seconds, script) == answer


def test_a_worker_that_is_stuck_is_replaced() -> None:
    assert answer_after(60, [], [(1.0, ANSWER)]) == "done"


@pytest.mark.parametrize("before", [0, 2])
def test_an_answer_that_arrives_while_the_service_is_held_up_counts(before: int) -> None:
    script = [(LATE, b"alive")] + [(0.0, b"alive")] * before + [(0.0, ANSWER)] if before else [(LATE, ANSWER)]
    assert answer_after(0.8, script, held_up=LATE) == "done"
    assert answer_after(0.8, script) == EngineTimeoutError


@pytest.mark.parametrize(
    ("seconds", "task", "answer"),
    [
        (0.2, "sleep", EngineTimeoutError),
        (PATIENCE, "end", EngineUnavailableError),
        (PATIENCE, "fail", EngineUnavailableError),
        (PATIENCE, "long", EngineUnavailableError),
        (PATIENCE, "refuse", RefusedError),
        (PATIENCE, "exit", "exit"),
    ],
)
def test_whatever_comes_of_a_task_the_next_one_gets_its_own_answer(seconds: float, task: str, answer: object) -> None:
    assert run(answers((seconds, task, {"pause": PATIENCE}), (PATIENCE, "next", {}))) == [answer, "next"]


def test_a_worker_that_does_not_start_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "WORKER_MODULE", "there_is_no_such_module")
    assert run(answers((PATIENCE, "next", {}))) == [EngineUnavailableError]


@pytest.mark.parametrize("fault", ["killed", "closed", "cut", "garbled", "other", "wrong"])
def test_a_task_whose_worker_fails_is_done_by_another_process(fault: str, tmp_path: Path) -> None:
    task = {"fault": fault, "mark": str(tmp_path / "mark")}
    assert run(answers((PATIENCE, "task", task))) == ["task"]


async def reported(*lines: str) -> tuple[str, list[TaskProgress]]:
    """Give a worker a task that reports so; return its answer and what was reported."""
    worker, found = Worker(start_process, permanent=False), list[TaskProgress]()
    try:
        return await worker.run(str, PATIENCE, "report", found.append, lines=lines), found
    finally:
        await worker.close()


def test_the_progress_of_a_task_is_passed_on() -> None:
    line = '{"stage": "exploring", "states": 4096, "passes": 7, "memory_bytes": 1000, "budget_bytes": 9000}'
    answer, progress = run(reported(line))
    assert answer == "report"
    assert progress == [TaskProgress(), TaskProgress("exploring", 4096, 0, 7, 1000, 9000)]


def test_a_worker_whose_progress_is_nonsense_has_failed() -> None:
    with pytest.raises(EngineUnavailableError):
        run(reported('{"stage": 7}'))


def test_a_worker_that_cannot_be_started_is_started_again() -> None:
    starts: list[str] = []

    async def start(module: str) -> WorkerProcess:
        starts.append(module)
        if len(starts) == 1:
            raise OSError(errno.EAGAIN, "no more processes")
        return await start_process(module)

    assert run(answers((PATIENCE, "task", {}), start=start)) == ["task"]


@pytest.mark.parametrize("task", ["next", "end", "long", "sleep"])
def test_nothing_is_left_of_the_processes_of_a_worker_that_is_closed(
    task: str, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(supervisor, "ENDING_SECONDS", PATIENCE)  # a busy machine takes its time
    failed: list[object] = []
    gc.collect()  # what other tests have left
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    recwarn.clear()
    warnings.simplefilter("always", ResourceWarning)
    run(answers((0.5, task, {"pause": PATIENCE})))
    gc.collect()
    assert not failed
    assert not [str(warning.message) for warning in recwarn]


def test_an_exception_in_a_task_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    assert run(answers((PATIENCE, "fail", {}))) == [EngineUnavailableError]
    assert {getattr(record, "traceback", None) for record in caplog.records} == {"ValueError: no"}


def test_a_worker_whose_answers_nobody_reads_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "duelbook.web.engine.worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        assert worker.stdin
        assert worker.stdout
        assert worker.stderr
        assert worker.stdout.readline() == b"ready\n"
        worker.stdout.close()
        worker.stdin.write(b'{"task": "unknown"}\n')
        worker.stdin.flush()
        assert worker.stderr.read() == b""
    assert worker.returncode == 0


def test_a_process_is_started_without_copying_the_service_and_goes_second() -> None:
    forks: list[None] = []

    async def start_one() -> int:
        process = await start_process("duelbook.web.engine.worker")
        assert isinstance(process, PipedProcess)
        try:
            assert await process.receive() == b"ready\n"
            return os.getpriority(os.PRIO_PROCESS, process._process.pid)
        finally:
            process.kill()
            await process.wait()

    os.register_at_fork(before=lambda: forks.append(None))  # a copy would call it
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        priority = runner.run(start_one())
    assert priority == min(os.getpriority(os.PRIO_PROCESS, 0) + NICENESS, 19)
    assert not forks
