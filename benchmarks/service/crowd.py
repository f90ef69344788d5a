"""A crowd of clients of every kind, who go on when a worker is killed, and check what they are answered."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from benchmarks.service.clients import Client, Seat, decoded
from benchmarks.service.connections import Answer, RefusedError
from benchmarks.service.moves import GAMES

SOCKET_PAIRS, HTTP_PAIRS, OPPONENTS, SPECTATORS, VISITORS = 20, 10, 4, 6, 1
THINK_SECONDS = 0.1  # of a player, on average
PATIENCE_SECONDS = 60.0  # for an answer, over all tries, and for an agent's reply
RETRY_SECONDS = 0.1
RECONNECT_SHARE, UNDO_SHARE = 0.03, 0.03  # of the moves after which a player does so
AGENTS = ("random", "greedy", "perfect", "expert", "search:2", "mcts:100")
AGENT_GAMES = ("charge", "crystal-capture", "flag-chase")
STUDIES = (
    "/api/solve/charge",
    "/api/solve/crystal-capture?after=5,1",
    "/api/positions/flag-chase",
    "/api/puzzles/charge?seed=7",
    "/api/puzzles/daily",
    "/api/games",
    "/api/matches",
    "/",
)


class Crowd:
    """All clients of a soak, until they are stopped."""

    def __init__(self, port: int, seed: int) -> None:
        self.moves: list[float] = []  # the seconds that each took, since somebody last took them away
        self.wrong: list[str] = []
        self._port = port
        self._seed = seed
        self._done: Counter[str] = Counter()
        self._running: dict[str, None] = {}  # matches
        self._stopped = False

    def summary(self) -> str:
        return ", ".join(f"{number:,} {what}" for what, number in self._done.most_common())

    def stop(self) -> None:
        """Finish what was begun."""
        self._stopped = True

    async def run(self) -> None:
        """Play until stopped."""
        kinds: list[tuple[int, Callable[[random.Random], Coroutine[Any, Any, None]]]] = [
            (SOCKET_PAIRS, lambda chance: self._play_match(chance, by_socket=True)),
            (HTTP_PAIRS, lambda chance: self._play_match(chance, by_socket=False)),
            (OPPONENTS, self._play_agent),
            (SPECTATORS, self._watch),
            (VISITORS, self._visit),
        ]
        async with asyncio.TaskGroup() as group:
            for kind, (number, work) in enumerate(kinds):
                for index in range(number):
                    group.create_task(self._repeat(work, random.Random(f"{self._seed} {kind} {index}")))

    async def _repeat(self, work: Callable[[random.Random], Awaitable[None]], chance: random.Random) -> None:
        while not self._stopped:
            try:
                await work(chance)
            except (OSError, RefusedError) as error:
                self.wrong.append(f"{type(error).__name__}: {error}"[:300])
                await asyncio.sleep(RETRY_SECONDS)

    # Requests

    async def _ask(self, client: Client, method: str, path: str, body: dict[str, Any], token: str = "") -> Any:
        """Send a request until it is answered, and return the document; raise RefusedError if it is refused."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with suppress(OSError):
                    answer = await client.ask(method, path, json.dumps(body) if method == "POST" else "", token)
                    if answer.status != 503:
                        return decoded(answer)
                self._done["requests sent again"] += 1
                await asyncio.sleep(RETRY_SECONDS)

    async def _seat(self, client: Client, path: str, **body: Any) -> tuple[Seat, Any]:
        answer = await self._ask(client, "POST", path, body)
        return Seat(client, answer["id"], answer["seat"], answer["token"]), answer["match"]

    async def _pause(self, chance: random.Random) -> None:
        await asyncio.sleep(chance.uniform(0, 2 * THINK_SECONDS))

    # Two players

    async def _play_match(self, chance: random.Random, *, by_socket: bool) -> None:
        clients = Client(self._port), Client(self._port)
        options = GAMES["long matches" if by_socket else "short matches"]
        one, _ = await self._seat(
            clients[0], "/api/matches", game="crystal-capture", opponent="friend", options=options
        )
        key = f"{chance.getrandbits(200):050x}"
        two, view = await self._seat(clients[1], f"/api/matches/{one.match}/join", key=key)
        self._running[one.match] = None
        seats = {seat.name: seat for seat in (one, two)}
        if by_socket:
            for seat in seats.values():
                await self._connect(seat)
        played: list[str] = []
        while view["status"] != "over":
            await self._pause(chance)
            view = await self._turn(chance, seats, view, played, by_socket=by_socket)
        del self._running[one.match]
        found = (await self._ask(clients[0], "GET", f"/api/matches/{one.match}", {}))["moves"]
        if found != played:
            self.wrong.append(f"Match {one.match} has the moves {found} instead of {played}.")
        self._done["matches"] += 1
        for seat in seats.values():
            seat.client.close()
            if by_socket:
                seat.live.close()

    async def _connect(self, seat: Seat) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                with suppress(OSError, RefusedError):
                    await seat.watch()
                    return
                await asyncio.sleep(RETRY_SECONDS)

    async def _turn(
        self, chance: random.Random, seats: dict[str, Seat], view: Any, played: list[str], *, by_socket: bool
    ) -> Any:
        """Play a move, perhaps take one back or connect again, and return the view."""
        mover, ply, move, key = seats[view["mover"]], view["ply"], chance.choice(view["legal"]), _key(chance)
        start = time.perf_counter()
        sent = by_socket and await self._say(mover, ply, move, key)
        path = f"/api/matches/{mover.match}/actions"
        body = {"action": "play", "ply": ply, "move": move, "key": key}
        if not sent:
            view = await self._ask(mover.client, "POST", path, body, mover.token)
        self.moves.append(time.perf_counter() - start)
        self._done["moves"] += 1
        if by_socket and chance.random() < RECONNECT_SHARE:
            mover.live.close()
            await self._connect(mover)
            self._done["reconnections"] += 1
        if sent:
            view = await self._ask(mover.client, "GET", f"/api/matches/{mover.match}", {})
        played[:] = view["moves"]
        if played[ply : ply + 1] != [move]:
            self.wrong.append(f"Move {ply} of match {mover.match} is {played[ply : ply + 1]} instead of {move}.")
        if view["status"] == "playing" and chance.random() < UNDO_SHARE:
            view = await self._take_back(seats, mover, view)
            played[:] = view["moves"]
        return view

    async def _say(self, mover: Seat, ply: int, move: str, key: str) -> bool:
        """Play a move over the socket; return False if there was no answer, and connect again."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer: Answer = await mover.say_move(ply, move, key)
            if answer.status == 200:
                return True
            if json.loads(answer.body)["code"] != "unavailable":
                raise RefusedError(answer.body.decode())
        except OSError:
            await self._connect(mover)
        return False

    async def _take_back(self, seats: dict[str, Seat], mover: Seat, view: Any) -> Any:
        """Ask to take back the last move, and agree as the other player."""
        other = next(seat for seat in seats.values() if seat is not mover)
        for seat, action in ((mover, "undo"), (other, "agree")):
            path, body = f"/api/matches/{seat.match}/actions", {"action": action, "ply": view["ply"]}
            with suppress(RefusedError):  # a request that was sent again finds it done
                view = await self._ask(seat.client, "POST", path, body, seat.token)
        self._done["moves taken back"] += 1
        return await self._ask(mover.client, "GET", f"/api/matches/{mover.match}", {})

    # Others

    async def _play_agent(self, chance: random.Random) -> None:
        client = Client(self._port)
        game, agent = chance.choice(AGENT_GAMES), chance.choice(AGENTS)
        seat, view = await self._seat(client, "/api/matches", game=game, opponent=agent, seat="random")
        path = f"/api/matches/{seat.match}"
        while view["status"] != "over" and not self._stopped:
            if view["mover"] == seat.name:
                await self._pause(chance)
                body = {"action": "play", "ply": view["ply"], "move": chance.choice(view["legal"]), "key": _key(chance)}
                view = await self._ask(client, "POST", f"{path}/actions", body, seat.token)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while view["status"] != "over" and view["mover"] != seat.name:
                    await asyncio.sleep(0.02)
                    view = await self._ask(client, "GET", path, {})
            self._done["agents' turns"] += 1
        client.close()

    async def _watch(self, chance: random.Random) -> None:
        client = Client(self._port)
        if self._running:
            with suppress(OSError, RefusedError):
                live = await client.live(chance.choice(list(self._running)))
                await asyncio.sleep(chance.uniform(0, 3))
                live.close()
                self._done["spectators"] += 1
        await asyncio.sleep(RETRY_SECONDS)

    async def _visit(self, chance: random.Random) -> None:
        client = Client(self._port)
        with suppress(OSError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await client.study(chance.choice(STUDIES))
            if answer.status not in (200, 503):
                self.wrong.append(f"A study was answered by {answer.status}: {answer.body[:200].decode()}")
            self._done["studies and pages"] += 1
        client.close()
        await asyncio.sleep(chance.uniform(0, 1))


def _key(chance: random.Random) -> str:
    return f"{chance.getrandbits(64):x}"
