"""Duels: two people play match after match, and every move is waited for until both have seen it."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from benchmarks.service.people import Client, Seat, accepted, standing

Done = tuple[float, float]  # when something was done, and the seconds that it took


@dataclass
class Tally:
    """What the duels of a benchmark have come to."""

    moves: list[Done] = field(default_factory=list)
    matches: list[Done] = field(default_factory=list)  # made, joined, and both players connected


@dataclass(frozen=True)
class Way:
    """How duels are played."""

    by_socket: bool = True
    options: dict[str, int] = field(default_factory=dict)  # of the game
    pause: float = 0.0  # seconds that a player thinks


class Duel:
    def __init__(self, port: int, way: Way, tally: Tally, seed: int) -> None:
        self._one, self._two = Client(port), Client(port)
        self._way = way
        self._tally = tally
        self._chance = random.Random(seed)

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            seats = await self._sit_down()
            while await self._turn(seats):
                pass
            for seat in seats.values():
                seat.live.close()

    async def _sit_down(self) -> dict[str, Seat]:
        start = time.perf_counter()
        one = await self._one.create(options=self._way.options)
        two = await self._two.join(one.match)
        await asyncio.gather(one.watch(), two.watch())
        self._tally.matches.append(done_since(start))
        return {one.name: one, two.name: two}

    async def _turn(self, seats: dict[str, Seat]) -> bool:
        """Play one move; tell whether there was one to play."""
        live = seats["first"].live
        ply, mover, legal = standing(live.view)
        if not legal:
            return False
        if self._way.pause:
            await asyncio.sleep(self._chance.uniform(0, 2 * self._way.pause))
        await self._played(seats, seats[mover], live.version + 1, (ply, self._chance.choice(legal)))
        return True

    async def _played(self, seats: dict[str, Seat], mover: Seat, version: int, move: tuple[int, str]) -> None:
        key = f"{self._chance.getrandbits(64):x}"
        send = mover.say_move if self._way.by_socket else mover.post_move
        start = time.perf_counter()
        accepted(await send(*move, key))
        for seat in seats.values():
            await seat.live.reach(version)
        self._tally.moves.append(done_since(start))


def done_since(start: float) -> Done:
    """Answer that something is done which was begun then."""
    end = time.perf_counter()
    return end, end - start


@asynccontextmanager
async def playing(port: int, duels: int, way: Way, tally: Tally) -> AsyncIterator[Sequence["asyncio.Task[None]"]]:
    """Let so many duels be played meanwhile."""
    tasks = [asyncio.create_task(Duel(port, way, tally, seed).run()) for seed in range(duels)]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def lasting(tasks: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    """Let that time pass; what goes wrong in a task goes wrong here."""
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
