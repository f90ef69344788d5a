"""A worker process as the pool uses it: lines go in, lines come out, and it can be killed."""

import asyncio
import os
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import Protocol

MAX_ANSWER_BYTES = 4_000_000
NICENESS = 5  # more than the service's own: it goes first, also while a worker starts
ENDED_SECONDS = 0.01  # between two looks whether a process that was killed has ended


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

    def __init__(self, process: Popen[bytes]) -> None:
        self._process = process
        self._reader = StreamReader(MAX_ANSWER_BYTES)
        self._pipes: list[asyncio.BaseTransport] = []

    async def connect(self) -> None:
        """Open both pipes, and let other processes go first."""
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        loop, process = asyncio.get_running_loop(), self._process
        output, _ = await loop.connect_read_pipe(lambda: StreamReaderProtocol(self._reader), process.stdout)
        self._pipes.append(output)
        flow = StreamReaderProtocol(StreamReader())
        task, _ = await loop.connect_write_pipe(lambda: flow, process.stdin)
        self._pipes.append(task)
        self._writer = StreamWriter(task, flow, None, loop)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    async def send(self, line: bytes) -> None:
        self._writer.write(line)
        await self._writer.drain()

    async def receive(self) -> bytes:
        return await self._reader.readline()

    def kill(self) -> None:
        self._process.kill()
        for pipe in self._pipes:  # they must not be left to the garbage collector: the event loop may be closed by then
            pipe.close()

    async def wait(self) -> None:
        while self.is_running:
            await asyncio.sleep(ENDED_SECONDS)


async def start_process(module: str, kind: type[PipedProcess] = PipedProcess) -> WorkerProcess:
    """Start the module as a process that ends with this one.

    `subprocess` does not copy this process to start another. The event loop would, with all its memory: nothing else
    would happen for 50 ms and more.
    """
    process = kind(
        Popen(
            (sys.executable, "-m", module),
            bufsize=0,
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for the service
        )
    )
    try:
        await process.connect()
    except BaseException:
        process.kill()
        raise
    return process
