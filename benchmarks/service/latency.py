"""Latency: how long moves and new matches take while moves arrive at a fixed rate, whatever the server does.

A move is due at a random time that does not depend on the moves before it. Its latency counts from that time, so a
server that falls behind cannot hide it.
"""

import asyncio
import time

from benchmarks.service.clients import Client, wait_until_prepared
from benchmarks.service.figures import at_least, below, quantile, spread
from benchmarks.service.load import PlayingPair, Style, Tally, running_tasks, timed_since, wait
from benchmarks.service.moves import GAMES
from benchmarks.service.plan import Plan
from benchmarks.service.server import running_server
from benchmarks.service.usage import cores, sample

MAX_MOVE_MILLISECONDS = 50.0
MAX_CREATE_MILLISECONDS = 25.0
CREATIONS_PER_SECOND = 20.0  # besides the new matches of the pairs
MIN_SHARE = 0.98  # of the offered moves that must have been played


async def run(plan: Plan) -> None:
    print(f"latency: {plan.rate:,} moves/s offered by {plan.pairs} pairs over sockets, {plan.seconds:g} s")
    tally, created = Tally(), Tally()
    with running_server("warning") as server:
        await wait_until_prepared(server)
        style = Style(options=GAMES["long matches"])
        pairs = [ScheduledPair(server.port, style, tally, seed, plan.pairs / plan.rate) for seed in range(plan.pairs)]
        async with running_tasks([*(pair.run() for pair in pairs), create_matches(server.port, created)]) as tasks:
            await wait(tasks, plan.warm_up)
            before = sample(server.pid)
            await wait(tasks, plan.seconds)
            after = sample(server.pid)
    moves, creations = (
        [spent for _, spent in done]
        for done in (
            tally.between(before.clock, after.clock).moves,
            created.between(before.clock, after.clock).matches,
        )
    )
    print(f"  a move:      {spread(moves)}, p99.9 {1000 * quantile(moves, 0.999):.1f} ms")
    print(f"  a new match: {spread(creations)}")
    print(f"    {cores(before, after)}")
    at_least("moves", len(moves) / (after.clock - before.clock), MIN_SHARE * plan.rate, "moves/s")
    below("99% of moves", spread(moves).p99, MAX_MOVE_MILLISECONDS, "ms")
    below("99% of new matches", spread(creations).p99, MAX_CREATE_MILLISECONDS, "ms")


class ScheduledPair(PlayingPair):
    """Two players whose moves are due at random times, with a mean time between them."""

    def __init__(self, port: int, style: Style, tally: Tally, seed: int, mean_seconds: float) -> None:
        super().__init__(port, style, tally, seed)
        self._mean_seconds = mean_seconds
        self._due = 0.0

    async def run(self) -> None:
        """Play until cancelled. The next match is prepared while one is played."""
        prepared = asyncio.create_task(self._new_match())
        try:
            while True:
                seats = await prepared
                self._due = self._due or time.perf_counter()
                prepared = asyncio.create_task(self._new_match())
                while await self._turn(seats):
                    pass
                for seat in seats.values():
                    seat.live.close()
        finally:
            prepared.cancel()

    async def _wait_for_turn(self) -> float:
        self._due += self._chance.expovariate(1 / self._mean_seconds)
        await asyncio.sleep(self._due - time.perf_counter())
        return self._due


async def create_matches(port: int, tally: Tally) -> None:
    """Create matches at a fixed rate, each in a task of its own, until cancelled."""
    due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        while True:
            due += 1 / CREATIONS_PER_SECOND
            await asyncio.sleep(due - time.perf_counter())
            group.create_task(create_match(port, due, tally))


async def create_match(port: int, due: float, tally: Tally) -> None:
    client = Client(port)
    await client.create()
    tally.matches.append(timed_since(due))
    client.close()
