"""Attacks: how long ordinary players wait while somebody attacks the service or what it depends on.

The service has its default limits. An attacker is a process of the lowest priority on this machine, with one address.
The players have the normal priority. The row "busy processors" shows what such a process costs them by itself.
"""

import asyncio
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from typing import Any

import psycopg
from sqlalchemy import make_url

from benchmarks.service.attackers import ADDRESS
from benchmarks.service.bystanders import Bystanders, Times
from benchmarks.service.clients import Client, wait_until_prepared
from benchmarks.service.figures import below, print_table
from benchmarks.service.plan import Plan
from benchmarks.service.process import new_folder
from benchmarks.service.proxy import DelayingProxy
from benchmarks.service.server import Backends, Server, running_backends
from benchmarks.service.usage import resident
from tests.support.service.backends import Missing

MAX_RATIO = 5.0  # of the time under attack to that in calm
MAX_GROWTH = 2000.0  # megabytes, at which an attack is ended
SETTLE_SECONDS = {False: 3.0, True: 6.0}  # after which players count: workers for agents and studies have started
REDIS_DELAY_SECONDS = 0.3
PIPE_BYTES = 4096
HEAD = (
    "attack",
    "p50 ms",
    "p99 ms",
    "× calm p50",
    "× calm p99",
    "refused",
    "opponent sees it p99",
    "refused",
    "new match p99",
    "refused",
    "study p99",
    "refused",
    "agent's reply p99",
    "refused",
    "memory MB",
)


class LogPipe:
    """A pipe for a server's log, which is read until the reader stops."""

    def __init__(self) -> None:
        self._reader, self.writer = os.pipe()
        fcntl.fcntl(self._reader, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._reader, False)

    def read(self) -> None:
        """Drop what was logged."""
        with suppress(BlockingIOError):
            os.read(self._reader, 10 * PIPE_BYTES)

    def close(self) -> None:
        os.close(self._reader)
        os.close(self.writer)


@dataclass
class Scene:
    """A running service, and what it depends on."""

    server: Server
    proxy: DelayingProxy | None = None  # in front of Redis
    reads_log: bool = True


Assault = Callable[[Scene], AbstractAsyncContextManager[None]]


def attackers(*names: str) -> Assault:
    """Return an attack by these attackers."""

    @asynccontextmanager
    async def assault(scene: Scene) -> AsyncIterator[None]:
        command = [sys.executable, "-m", "benchmarks.service.attackers"]
        processes = [subprocess.Popen([*command, name, str(scene.server.port)]) for name in names]
        try:
            yield
        finally:
            for process in processes:
                process.kill()
                process.wait()

    return assault


@asynccontextmanager
async def slow_redis(scene: Scene) -> AsyncIterator[None]:
    """Let everything to and from Redis take longer."""
    assert scene.proxy
    scene.proxy.delay_seconds = REDIS_DELAY_SECONDS
    yield


@asynccontextmanager
async def held_match(scene: Scene) -> AsyncIterator[None]:
    """Hold the lock of a match in which somebody wants to move."""
    client = Client(scene.server.port, ADDRESS)
    seat = await client.create()
    await client.join(seat.match)
    with held(scene, f"SELECT * FROM matches WHERE id = '{seat.match}' FOR UPDATE"):
        move = asyncio.create_task(seat.post_move(0, "5", "once"))
        yield
        move.cancel()


@asynccontextmanager
async def held_uptime(scene: Scene) -> AsyncIterator[None]:
    """Leave a transaction open that has changed the uptime."""
    with held(scene, "UPDATE uptime SET seconds = seconds"):
        yield


@contextmanager
def held(scene: Scene, statement: str) -> Iterator[None]:
    url = make_url(scene.server.settings["database_url"]).set(drivername="postgresql")
    connection = psycopg.connect(url.render_as_string(hide_password=False))
    try:
        connection.execute(statement.encode())
        yield
    finally:
        connection.close()


@asynccontextmanager
async def unread_log(scene: Scene) -> AsyncIterator[None]:
    """Stop reading the pipe that the service logs to, and have it log more."""
    scene.reads_log = False
    async with attackers("logged")(scene):
        yield


@dataclass(frozen=True)
class Attack:
    name: str
    assault: Assault
    shared: bool = False  # on PostgreSQL and Redis, with two processes; else on SQLite
    logs_to_pipe: bool = False
    settle_seconds: float = 1.0  # after which it counts


ATTACKS = {
    "busy": Attack("busy processors, no attack", attackers("busy", "busy")),
    "pipelining": Attack("pipelining without end, reading slowly", attackers("pipelining")),
    "connections": Attack("10,500 connections", attackers("connections"), settle_seconds=6.0),
    "studies": Attack("studies from 8 connections", attackers("studies")),
    "agents": Attack("a match a second against the most expensive agent", attackers("agents")),
    "messages": Attack("socket messages without end", attackers("messages")),
    "slowloris": Attack("1,000 requests a byte at a time", attackers("slowloris"), settle_seconds=3.0),
    "bodies": Attack("bodies of 9 MB", attackers("bodies")),
    "refused": Attack("requests far beyond the limits", attackers("refused")),
    "log": Attack("the log is not read", unread_log, logs_to_pipe=True),
    "redis": Attack("Redis answers after 0.6 s", slow_redis, shared=True),
    "match": Attack("another match is locked in PostgreSQL", held_match, shared=True),
    "uptime": Attack("the uptime is locked in PostgreSQL", held_uptime, shared=True),
}


async def run(plan: Plan) -> None:
    print(f"attacks: {plan.calm:g} s calm, then {plan.attack:g} s under attack")
    rows = []
    with ExitStack() as stack:
        backends = None
        with suppress(Missing):
            backends = stack.enter_context(running_backends())
        for name in plan.attacks or ATTACKS:
            if ATTACKS[name].shared and backends is None:
                print(f"  {name} is left out: it needs PostgreSQL and Redis")
            else:
                rows.append(await measure(ATTACKS[name], backends, plan))
    print_table(HEAD, rows)


async def measure(attack: Attack, backends: Backends | None, plan: Plan) -> list[str]:
    """Attack a new server, and return the row of the table."""
    async with AsyncExitStack() as stack:
        scene = await prepare(attack, backends, stack)
        await wait_until_prepared(scene.server)
        bystanders = Bystanders(scene.server.port)
        playing = asyncio.create_task(bystanders.run())
        stack.callback(playing.cancel)
        await asyncio.sleep(SETTLE_SECONDS[attack.shared])
        start = time.perf_counter()
        await asyncio.sleep(plan.calm)
        end_of_calm = time.perf_counter()
        memory_before = resident(scene.server.workers())
        async with attack.assault(scene):
            await asyncio.sleep(attack.settle_seconds)
            middle = time.perf_counter()
            peak = await watch_memory(scene.server, middle + plan.attack, memory_before + MAX_GROWTH)
            bystanders.stop()
            await playing
            end = time.perf_counter()
    calm, under = bystanders.between(start, end_of_calm), bystanders.between(middle, end)
    was, now = calm.moves.spread, under.moves.spread
    below(f"p50 under '{attack.name}'", now.p50 / was.p50, MAX_RATIO, "× calm")
    below(f"p99 under '{attack.name}'", now.p99 / was.p99, MAX_RATIO, "× calm")
    moves = [f"{now.p50:.1f}", f"{now.p99:.1f}", f"{now.p50 / was.p50:.1f}", f"{now.p99 / was.p99:.1f}"]
    rest = (
        (under.views, calm.views),
        (under.new_matches, calm.new_matches),
        (under.studies, calm.studies),
        (under.replies, calm.replies),
    )
    more = [cell for times, before in rest for cell in (ratio(times, before), times.refused)]
    return [attack.name, *moves, under.moves.refused, *more, f"{peak - memory_before:+.0f}"]


def ratio(under: Times, calm: Times) -> str:
    """Return the 99% time in milliseconds, and how many times that in calm it is."""
    return f"{under.spread.p99:.0f} ({under.spread.p99 / calm.spread.p99:.1f}×)"


async def prepare(attack: Attack, backends: Backends | None, stack: AsyncExitStack) -> Scene:
    """Start the service as the attack needs it."""
    settings: dict[str, Any] = {}
    proxy = None
    if attack.shared:
        assert backends
        proxy = await stack.enter_async_context(DelayingProxy(backends.redis.port))
        settings = backends.settings(redis_url=f"redis://127.0.0.1:{proxy.port}/0", workers=2)
    scene = Scene(Server(stack.enter_context(new_folder()), **settings), proxy)
    output = None
    if attack.logs_to_pipe:
        pipe = LogPipe()
        stack.callback(pipe.close)
        stack.callback(asyncio.create_task(read_log(scene, pipe)).cancel)
        output = pipe.writer
    stack.callback(scene.server.kill)
    await asyncio.to_thread(scene.server.start, output)
    return scene


async def read_log(scene: Scene, pipe: LogPipe) -> None:
    while scene.reads_log:
        pipe.read()
        await asyncio.sleep(0.01)


async def watch_memory(server: Server, end: float, limit: float) -> float:
    """Return the most memory, in megabytes, that the server has needed until that time; stop at the limit."""
    peak = 0.0
    while time.perf_counter() < end and peak < limit:
        peak = max(peak, resident(server.workers()))
        await asyncio.sleep(0.2)
    return peak
