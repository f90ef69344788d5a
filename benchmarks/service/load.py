"""The load: pairs of players who play match after match, and many open matches."""

import asyncio
import random
import resource
import time
from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.service.clients import Client, Seat, accepted, parse_view

CREATED_AT_ONCE = 20  # matches

Timed = tuple[float, float]  # when something was finished, and the seconds that it took
Seats = tuple[Seat, Seat]


@dataclass
class Tally:
    """The times that the pairs have measured."""

    moves: list[Timed] = field(default_factory=list)
    matches: list[Timed] = field(default_factory=list)  # created, joined, and both players connected
    acknowledged: dict[str, int] = field(default_factory=dict)  # moves, by match

    def between(self, start: float, end: float) -> "Tally":
        """Return what was finished between two times."""
        moves, matches = ([one for one in done if start <= one[0] <= end] for done in (self.moves, self.matches))
        return Tally(moves, matches)


@dataclass(frozen=True)
class Style:
    """How the pairs play."""

    by_socket: bool = True
    options: dict[str, int] = field(default_factory=dict)  # of the game
    pause: float = 0.0  # seconds that a player thinks on average


class PlayingPair:
    """Two players; a move is finished when both have seen it."""

    def __init__(self, port: int, style: Style, tally: Tally, seed: int) -> None:
        self._one, self._two = Client(port), Client(port)
        self._style = style
        self._tally = tally
        self._chance = random.Random(seed)

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            seats = await self._new_match()
            while await self._turn(seats):
                pass
            for seat in seats.values():
                seat.live.close()

    async def _new_match(self) -> dict[str, Seat]:
        start = time.perf_counter()
        one = await self._one.create(options=self._style.options)
        two = await self._two.join(one.match)
        await asyncio.gather(one.watch(), two.watch())
        self._tally.matches.append(timed_since(start))
        return {one.name: one, two.name: two}

    async def _turn(self, seats: dict[str, Seat]) -> bool:
        """Play one move; return False if the match is over."""
        live = seats["first"].live
        ply, mover, legal = parse_view(live.view)
        if not legal:
            return False
        start = await self._wait_for_turn()
        await self._play(seats, seats[mover], start, (ply, self._chance.choice(legal)))
        return True

    async def _wait_for_turn(self) -> float:
        """Return the time from which the move is timed."""
        if self._style.pause:
            await asyncio.sleep(self._chance.uniform(0, 2 * self._style.pause))
        return time.perf_counter()

    async def _play(self, seats: dict[str, Seat], mover: Seat, start: float, move: tuple[int, str]) -> None:
        key = f"{self._chance.getrandbits(64):x}"
        version = seats["first"].live.version + 1
        send = mover.say_move if self._style.by_socket else mover.post_move
        accepted(await send(*move, key))
        for seat in seats.values():
            await seat.live.reach(version)
        self._tally.acknowledged[mover.match] = move[0] + 1
        self._tally.moves.append(timed_since(start))


def timed_since(start: float) -> Timed:
    """Return the time now and the seconds since the start."""
    end = time.perf_counter()
    return end, end - start


def pairs_playing(
    port: int, pairs: int, style: Style, tally: Tally
) -> AbstractAsyncContextManager[Sequence["asyncio.Task[None]"]]:
    """Let that many pairs play during the block."""
    return running_tasks([PlayingPair(port, style, tally, seed).run() for seed in range(pairs)])


@asynccontextmanager
async def running_tasks(
    coroutines: Iterable[Coroutine[Any, Any, None]],
) -> AsyncIterator[Sequence["asyncio.Task[None]"]]:
    """Run the coroutines during the block."""
    tasks = [asyncio.create_task(one) for one in coroutines]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wait(tasks: Sequence["asyncio.Task[None]"], seconds: float) -> None:
    """Wait for that time; raise the error of a task that fails meanwhile."""
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def open_matches(port: int, matches: int, *, moves: int = 0, watched: int = 0) -> list[Seats]:
    """Create matches with that many moves each; both players of the first `watched` matches have their sockets open."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    shares = [range(start, matches, CREATED_AT_ONCE) for start in range(CREATED_AT_ONCE)]
    opened = await asyncio.gather(*(_open_share(port, share, moves, watched) for share in shares))
    return [pair for share in opened for pair in share]


async def _open_share(port: int, share: range, moves: int, watched: int) -> list[Seats]:
    client = Client(port)
    pairs = []
    for number in share:
        one = await client.create()
        two = await client.join(one.match)
        for ply in range(moves):  # 1, 2, 3, … are legal, and the match is not over before the seventh
            accepted(await (one, two)[ply % 2].post_move(ply, str(ply + 1), str(ply)))
        if number < watched:
            await asyncio.gather(one.watch(), two.watch())
        pairs.append((one, two))
    client.close()
    return pairs
