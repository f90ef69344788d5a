"""A worker process as the pool uses it: lines go in, lines come out, and it can be killed."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

MAX_ANSWER_BYTES = 4_000_000


class WorkerProcess(Protocol):
    """A running worker."""

    @property
    def is_running(self) -> bool: ...

    async def send(self, line: bytes) -> None:
        """Send a line; raise OSError if the worker is gone."""

    async def receive(self) -> bytes:
        """Return the next line, or nothing if the worker has ended; raise ValueError if the line is too long."""

    def kill(self) -> None:
        """Kill the worker if it still runs, and close the pipes to it."""

    async def wait(self) -> None:
        """Wait until a worker that was killed has ended."""


Start = Callable[[str], Awaitable[WorkerProcess]]  # starts a process with that module


class PipedProcess:
    """A process of this machine, with a pipe each way."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    async def send(self, line: bytes) -> None:
        assert self._process.stdin
        self._process.stdin.write(line)
        await self._process.stdin.drain()

    async def receive(self) -> bytes:
        assert self._process.stdout
        return await self._process.stdout.readline()

    def kill(self) -> None:
        # Nothing else closes all pipes, and they must not be left to the garbage collector: it may come too late, when
        # the event loop is closed.
        with suppress(ProcessLookupError):  # it has just ended
            self._process._transport.close()  # type: ignore[attr-defined]

    async def wait(self) -> None:
        await self._process.wait()


async def start_process(module: str) -> WorkerProcess:
    """Start the module as a process that ends with this one."""
    return PipedProcess(
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for the service
            limit=MAX_ANSWER_BYTES,
        )
    )
