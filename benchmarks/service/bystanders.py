"""Bystanders: ordinary players, each from an address of their own, who are timed while somebody attacks."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count

from benchmarks.service.clients import Client, Seat, accepted, parse_view
from benchmarks.service.connections import Answer, RefusedError
from benchmarks.service.figures import Spread, spread
from benchmarks.service.moves import GAMES

PAIRS, MOVE_SECONDS = 20, 0.2  # pairs of players, and the time between two moves of a pair
NEWCOMER_SECONDS = 0.2  # between two of them
STUDY_SECONDS = 0.5
AGENT, AGENT_SECONDS = "mcts:100", 0.5
PATIENCE_SECONDS = 10.0  # after which an answer counts as refused


@dataclass
class Times:
    """When each thing ended, how long it took, and whether it was refused."""

    done: list[tuple[float, float, bool]] = field(default_factory=list)

    def between(self, start: float, end: float) -> "Times":
        """Return what ended between two times."""
        return Times([one for one in self.done if start <= one[0] < end])

    @property
    def spread(self) -> Spread:
        return spread([seconds for _, seconds, _ in self.done])

    @property
    def refused(self) -> str:
        return f"{sum(refused for _, _, refused in self.done)} of {len(self.done)}"


class Bystanders:
    """Players who play, newcomers who create a match, visitors who study, and opponents of an agent."""

    def __init__(self, port: int) -> None:
        self.moves, self.views = Times(), Times()  # until the answer, and until the opponent has the view
        self.new_matches, self.studies, self.replies = Times(), Times(), Times()
        self._port = port
        self._addresses = (f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}" for number in count())
        self._stopped = False

    async def run(self) -> None:
        """Play until stopped."""
        async with asyncio.TaskGroup() as group:
            for number in range(PAIRS):
                group.create_task(self._repeat(self._pair(number)))
            group.create_task(self._repeat(self._newcomer, every=NEWCOMER_SECONDS))
            group.create_task(self._repeat(self._study, every=STUDY_SECONDS))
            group.create_task(self._repeat(self._opponent()))

    def stop(self) -> None:
        """Ask for nothing more; what was asked for is waited for."""
        self._stopped = True

    async def _repeat(self, work: Callable[[], Awaitable[None]], every: float = 0.0) -> None:
        """Do the work until stopped; a pace that is given does not depend on the answers."""
        async with asyncio.TaskGroup() as group:
            while not self._stopped:
                if every:
                    group.create_task(self._try(work))
                    await asyncio.sleep(every)
                else:
                    await self._try(work)

    async def _try(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except* (OSError, RefusedError):
            await asyncio.sleep(MOVE_SECONDS)  # it was counted where it was timed

    async def _timed(self, times: Times, work: Awaitable[object]) -> None:
        """Wait for the answer, and note its time."""
        start = time.perf_counter()
        refused = True
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await work
            refused = False
        finally:
            end = time.perf_counter()
            times.done.append((end, end - start, refused))

    def between(self, start: float, end: float) -> "Bystanders":
        """Return what ended between two times."""
        part = Bystanders(self._port)
        for name in ("moves", "views", "new_matches", "studies", "replies"):
            setattr(part, name, getattr(self, name).between(start, end))
        return part

    def _client(self) -> Client:
        return Client(self._port, next(self._addresses))

    def _pair(self, seed: int) -> Callable[[], Awaitable[None]]:
        clients = self._client(), self._client()
        chance = random.Random(seed)

        async def play_match() -> None:
            seats: dict[str, Seat] = {}
            await self._timed(self.new_matches, seat_pair(seats, *clients))
            live = seats["first"].live
            while not self._stopped:
                ply, mover, legal = parse_view(live.view)
                if not legal:
                    break
                await asyncio.sleep(chance.uniform(0, 2 * MOVE_SECONDS))
                version = live.version + 1
                move = seats[mover].say_move(ply, chance.choice(legal), f"{chance.getrandbits(64):x}")
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._timed(self.views, all_reach(seats, version)))
                    group.create_task(self._timed(self.moves, answered(move)))
            for seat in seats.values():
                seat.live.close()

        return play_match

    async def _newcomer(self) -> None:
        client = self._client()
        await self._timed(self.new_matches, client.create())
        client.close()

    async def _study(self) -> None:
        client = self._client()

        async def study() -> None:
            accepted(await client.study("/api/solve/crystal-capture?after=5"))

        await self._timed(self.studies, study())
        client.close()

    def _opponent(self) -> Callable[[], Awaitable[None]]:
        client = self._client()

        async def play_match() -> None:
            async with asyncio.timeout(PATIENCE_SECONDS):
                seat = await client.create("charge", AGENT)
                await seat.watch()
            while not self._stopped and parse_view(seat.live.view)[2]:
                await asyncio.sleep(AGENT_SECONDS)
                await self._timed(self.replies, get_reply(seat))
            seat.live.close()

        return play_match


async def seat_pair(seats: dict[str, Seat], one: Client, two: Client) -> None:
    """Create a match, let the other client join it, and open both sockets."""
    first = await one.create(options=GAMES["long matches"])
    for seat in (first, await two.join(first.match)):
        await seat.watch()
        seats[seat.name] = seat


async def answered(answer: Awaitable[Answer]) -> None:
    accepted(await answer)


async def all_reach(seats: dict[str, Seat], version: int) -> None:
    """Wait until both players have the view of that version."""
    for seat in seats.values():
        await seat.live.reach(version)


async def get_reply(seat: Seat) -> None:
    """Play a move, and wait for the agent's."""
    ply, _, legal = parse_view(seat.live.view)
    accepted(await seat.say_move(ply, legal[0], f"{random.getrandbits(64):x}"))
    while parse_view(seat.live.view)[1] not in ("", seat.name) or parse_view(seat.live.view)[0] == ply:
        await seat.live.reach(seat.live.version + 1)
