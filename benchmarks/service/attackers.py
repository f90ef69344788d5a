"""Attackers, as a process of the lowest priority: `python -m benchmarks.service.attackers NAME PORT`.

All connections come from one address. The process runs until it is killed.
"""

import asyncio
import json
import os
import random
import resource
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle

import uvloop

from benchmarks.service.clients import HOST, UPGRADE, Client
from benchmarks.service.connections import TEXT, RefusedError, encode_frame

ADDRESS = "127.0.0.2"
LOWEST_PRIORITY = 19
CONNECTIONS = 10_500
OPENED_AT_ONCE = 250
PIPELINING_CONNECTIONS, PIPELINED_REQUESTS = 8, 1000
SLOW_READ_BYTES, SLOW_READ_SECONDS = 1000, 0.1
STUDY_CONNECTIONS = 8
SOCKETS = 100
SLOW_CONNECTIONS, SLOW_BYTE_SECONDS = 1000, 0.5
BODY_CONNECTIONS, BODY_BYTES = 8, 9_000_000
REFUSED_CONNECTIONS = 16
EXPENSIVE_AGENTS = (  # of each kind, the first that the service accepts is the opponent
    [f"mcts:{rollouts}" for rollouts in (1_000_000, 100_000, 10_000, 5000, 1000)],
    [f"search:{depth}" for depth in (100, 20, 12, 8, 6, 4)],
)
LONGEST_GAME = {"crystals": 30, "goal": 150}
RETRY_SECONDS = 0.2


def request(port: int, path: str, method: str = "GET", more: str = "") -> bytes:
    """Return the head of a request."""
    return f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n{more}\r\n".encode()


async def connect(port: int, receive_bytes: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection from the address of the attackers."""
    plain = socket.socket()
    plain.setblocking(False)
    plain.bind((ADDRESS, 0))
    if receive_bytes:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    await asyncio.get_running_loop().sock_connect(plain, (HOST, port))
    return await asyncio.open_connection(sock=plain, limit=max(receive_bytes, 1000))


async def forever(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work again and again, whatever the server does about it."""
    while True:
        with suppress(OSError, EOFError, RefusedError, ValueError):
            await work()
        await asyncio.sleep(RETRY_SECONDS)


async def many(number: int, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work on that many connections at once, forever."""
    async with asyncio.TaskGroup() as group:
        for index in range(number):
            group.create_task(forever(work))
            if index % OPENED_AT_ONCE == 0:
                await asyncio.sleep(0.05)


async def pipelining(port: int) -> None:
    """Send requests without end, and read the answers slowly."""
    requests = PIPELINED_REQUESTS * request(port, "/")

    async def work() -> None:
        reader, writer = await connect(port, receive_bytes=4096)
        reading = asyncio.create_task(read_slowly(reader))
        try:
            while True:
                writer.write(requests)
                await writer.drain()
        finally:
            reading.cancel()
            writer.close()

    await many(PIPELINING_CONNECTIONS, work)


async def read_slowly(reader: asyncio.StreamReader) -> None:
    while await reader.read(SLOW_READ_BYTES):
        await asyncio.sleep(SLOW_READ_SECONDS)


async def connections(port: int) -> None:
    """Hold more connections open than the service allows in all."""

    async def work() -> None:
        reader, writer = await connect(port)
        try:
            writer.write(request(port, "/healthz"))
            while await reader.read(1000):
                pass
        finally:
            writer.close()

    await many(CONNECTIONS, work)


async def studies(port: int) -> None:
    """Ask for solutions that take long, each of another game."""
    goals = list(range(30, 120))
    random.shuffle(goals)

    async def work() -> None:
        goal = goals.pop() if goals else random.randint(30, 120)
        path = f"/api/solve/crystal-capture?option=crystals=16&option=goal={goal}"
        await Client(port, ADDRESS).ask("GET", path)

    await many(STUDY_CONNECTIONS, work)


async def agents(port: int) -> None:
    """Create a match a second against the most expensive agents that the service accepts, in turn."""
    client = Client(port, ADDRESS)
    for names in cycle(EXPENSIVE_AGENTS):
        with suppress(OSError):
            while names and not await is_accepted(client, names[0]):
                names.pop(0)
        await asyncio.sleep(1)


async def is_accepted(client: Client, agent: str) -> bool:
    """Create a match in which the agent moves first; return False if the service does not allow the agent."""
    try:
        await client.create("crystal-capture", agent, seat="second", options=LONGEST_GAME)
    except RefusedError as error:
        return bool(json.loads(str(error))["code"] != "invalid")
    return True


async def messages(port: int) -> None:
    """Send socket messages as fast as they are taken, and read the answers."""
    one = await Client(port, ADDRESS).create()
    frames = 100 * encode_frame(TEXT, b'{"type": "view"}')

    async def work() -> None:
        reader, writer = await connect(port)
        drained = asyncio.create_task(read_all(reader))
        try:
            writer.write(request(port, f"/api/matches/{one.match}/live", more=UPGRADE))
            while not drained.done():
                writer.write(frames)
                await writer.drain()
        finally:
            drained.cancel()
            writer.close()

    await many(SOCKETS, work)


async def read_all(reader: asyncio.StreamReader) -> None:
    while await reader.read(100_000):
        pass


async def slowloris(port: int) -> None:
    """Send headers and bodies a byte at a time."""

    async def work() -> None:
        reader, writer = await connect(port)
        closed = asyncio.create_task(read_all(reader))
        start = request(port, "/api/matches", "POST", "Content-Type: application/json\r\nContent-Length: 5000\r\n")
        cut = random.choice((20, len(start)))
        try:
            writer.write(start[:cut])
            while not closed.done():
                writer.write(b"x")
                await asyncio.sleep(SLOW_BYTE_SECONDS)
        finally:
            closed.cancel()
            writer.close()

    await many(SLOW_CONNECTIONS, work)


async def bodies(port: int) -> None:
    """Send bodies that are far too large."""
    body = bytes(BODY_BYTES)

    async def work() -> None:
        reader, writer = await connect(port)
        head = f"Content-Type: application/json\r\nContent-Length: {BODY_BYTES}\r\n"
        try:
            writer.write(request(port, "/api/review", "POST", head) + body)
            await writer.drain()
            await reader.readline()
        finally:
            writer.close()

    await many(BODY_CONNECTIONS, work)


async def refused(port: int) -> None:
    """Send far more requests than the limits allow, each after the answer to the one before."""

    async def work() -> None:
        client = Client(port, ADDRESS)
        while True:
            await client.ask("GET", "/api/matches")

    await many(REFUSED_CONNECTIONS, work)


async def logged(port: int) -> None:
    """Send requests within the limits, all of which are logged."""
    client = Client(port, ADDRESS)
    while True:
        await client.ask("GET", "/healthz")
        await asyncio.sleep(0.02)


async def busy(_: int) -> None:
    """Use up a processor, for comparison: what an attacker on the same machine costs by itself."""
    while True:
        sum(range(10_000))
        await asyncio.sleep(0)


ATTACKERS = (pipelining, connections, studies, agents, messages, slowloris, bodies, refused, logged, busy)


def main() -> None:
    _, name, port = sys.argv
    os.nice(LOWEST_PRIORITY)
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    attack = next(attack for attack in ATTACKERS if attack.__name__ == name)
    uvloop.run(attack(int(port)))


if __name__ == "__main__":
    main()
