"""Simulated clients: players who play, retry, undo, resign, claim a win and play again, and spectators."""

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.history import History, Intended
from tests.simulation.network import Answer, Network, NetworkError, Socket

THINK_SECONDS = 1.0
BEST_OF = (1, 2, 4)  # games
RETRY_SECONDS = 0.5
RECONNECT_SECONDS = 0.5
NOTICED_SECONDS = 8.0  # after which every process knows that a player is there


@dataclass(frozen=True)
class Duel:
    """A match that is played by two clients, or by one against an agent, and watched by others."""

    start: float
    seed: int
    game: str
    options: dict[str, int]
    opponent: str = "friend"
    time_limit: float | None = None
    steps: int = 10  # of each player
    spectators: int = 0
    sockets: bool = True  # players watch, and may move, over a socket

    def __str__(self) -> str:
        limit = f", {self.time_limit:g} s a turn" if self.time_limit else ""
        sockets = "sockets" if self.sockets else "no sockets"
        return (
            f"{self.start:6.2f} s  {self.game} against {self.opponent}{limit}, {self.steps} steps, "
            f"{self.spectators} spectators, {sockets}"
        )


@dataclass(frozen=True)
class Crowd:
    """Many matches against an agent that one address begins at the same time; their turns wait for each other."""

    start: float
    seed: int
    matches: int

    def __str__(self) -> str:
        return f"{self.start:6.2f} s  {self.matches} matches against mcts:20 from one address"


@dataclass(frozen=True)
class Studies:
    """Questions that workers answer besides the agents' turns."""

    start: float
    seed: int
    questions: int

    def __str__(self) -> str:
        return f"{self.start:6.2f} s  {self.questions} studies"


STUDIES = ("/api/games/charge/demonstration", "/api/solve/flag-chase", "/api/puzzles/charge", "/api/puzzles/daily")


@dataclass
class World:
    """What clients use."""

    network: Network
    history: History
    nodes: int
    ending: bool = False  # clients stop
    viewers: list["Viewer"] = field(default_factory=list)


class Client:
    """Asks any process, and tries again."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.random = random.Random(name)
        self.address = f"192.0.2.{1 + self.random.randrange(250)}"

    async def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Answer | None:
        """Ask one process once; return None if the connection fails."""
        network, history = self.world.network, self.world.history
        node = self.random.randrange(self.world.nodes)
        start = network.loop.time()
        what = f"{self.name} {method} {path.rpartition('/')[2][:6]}"
        try:
            answer = await network.request(node, method, path, body, token, self.address)
        except NetworkError:
            history.answered(node, what, start, None)
            return None
        history.answered(node, what, start, answer)
        return answer

    async def insist(self, method: str, path: str, body: Any = None, token: str | None = None) -> Answer | None:
        """Ask until there is an answer that is not temporary; return None if the run ends first."""
        while not self.world.ending:
            answer = await self.ask(method, path, body, token)
            if answer and answer.status != 503:
                return answer
            await asyncio.sleep(RETRY_SECONDS * (0.5 + self.random.random()))
        return None

    async def read(self, match: str) -> dict[str, Any] | None:
        while not self.world.ending:
            start = self.world.network.loop.time()
            answer = await self.ask("GET", f"/api/matches/{match}")
            if answer and answer.status not in (200, 503):
                return None
            if answer and answer.status == 200:
                view: dict[str, Any] = answer.body
                self.world.history.read(match, view["version"], start, self.name)
                return view
            await asyncio.sleep(RETRY_SECONDS * (0.5 + self.random.random()))
        return None


class Viewer(Client):
    """Keeps a live socket open, and opens another when it is closed."""

    def __init__(self, world: World, name: str, match: str, token: str | None = None, seat: int | None = None) -> None:
        super().__init__(world, name)
        self.match = match
        self.token = token
        self.seat = seat
        self.socket: Socket | None = None
        self.connected_since: float | None = None
        self.view: dict[str, Any] | None = None
        self.present: dict[str, bool] = {}
        self._answers: dict[str, asyncio.Future[Any]] = {}
        world.viewers.append(self)

    async def watch(self) -> None:
        network = self.world.network
        while not self.world.ending:
            node, start = self.random.randrange(self.world.nodes), network.loop.time()
            try:
                socket = await network.connect(node, f"/api/matches/{self.match}/live", self.token, self.address)
            except NetworkError:
                await asyncio.sleep(RECONNECT_SECONDS * (0.5 + self.random.random()))
                continue
            self.socket, self.connected_since = socket, network.loop.time()
            await self._listen(socket, start)
            self.socket = self.connected_since = None

    async def _listen(self, socket: Socket, start: float) -> None:
        history, version = self.world.history, 0
        while (message := await socket.receive()) is not None:
            history.note(self.name, message["type"], message.get("version", ""), message.get("code", ""))
            match message["type"]:
                case "view":
                    if version:
                        history.pushed(self.match, message["version"], version)
                    else:
                        history.read(self.match, message["version"], start, f"{self.name}, a first view")
                    version, self.view = message["version"], message["match"]
                    self.present = message.get("present", self.present)
                case "presence":
                    self.present = message["present"]
                case "accepted" | "error":
                    if answer := self._answers.pop(message["id"], None):
                        answer.set_result(message)
        for answer in self._answers.values():
            answer.set_result(None)
        self._answers.clear()

    async def send(self, kind: str, **fields: Any) -> dict[str, Any] | None:
        """Send a message and return its answer, or None if the socket was lost."""
        if self.socket is None or not self.socket.is_open:
            return None
        loop, socket = self.world.network.loop, self.socket
        name = str(self.random.getrandbits(32))
        answer = self._answers[name] = loop.create_future()
        start = loop.time()
        socket.send({"type": kind, "id": name, **fields})
        message: dict[str, Any] | None = await answer
        status = 200 if message and message["type"] == "accepted" else message["status"] if message else 0
        found = Answer(status, message) if message else None
        self.world.history.answered(socket.node.number, f"{self.name} socket {kind}", start, found)
        return message


class Player(Client):
    """Plays one seat of a match."""

    def __init__(self, world: World, name: str, duel: Duel, seated: dict[str, Any]) -> None:
        super().__init__(world, name)
        self.duel = duel
        self.match: str = seated["id"]
        self.token: str = seated["token"]
        self.seat: str = seated["seat"]
        self._keys = 0
        self._viewer: Viewer | None = None
        if duel.sockets:
            seat = ("first", "second").index(self.seat)
            self._viewer = Viewer(world, f"{name} viewer", self.match, self.token, seat)

    async def play(self) -> dict[str, Any] | None:
        """Play until the match is over or all steps are done; return the seat in a rematch, if there is one."""
        if self._viewer:
            asyncio.get_running_loop().create_task(self._viewer.watch())
        for _ in range(self.duel.steps):
            await asyncio.sleep(self.random.expovariate(1 / THINK_SECONDS))
            view = await self.read(self.match)
            if view is None:
                return None
            if view["status"] == "over":
                return await self._rematch()
            chance = self.random.random()
            if view["mover"] == self.seat:
                await self._move(view)
            elif view["undo"] not in (None, self.seat) or chance < 0.08:
                answer = "undo" if view["undo"] is None else "agree" if self.random.random() < 0.7 else "decline"
                await self._act(answer, ply=view["ply"])
            elif chance > 0.98:
                await self._act("resign")
            elif chance > 0.4:
                await self._wait_for_opponent(view)
        return None

    async def _move(self, view: dict[str, Any]) -> None:
        """Play a move, and try again with the same key until the outcome is known."""
        self._keys += 1
        key = f"{self.name.replace(' ', '-')}-{self._keys}"
        intended = Intended(self.match, key, view["ply"], self.random.choice(view["legal"]))
        self.world.history.moves.append(intended)
        if self.random.random() < 0.15:  # sent twice, as a client does that lost patience
            await asyncio.gather(self._try_move(intended), self._try_move(intended))
        await self._try_move(intended)
        if self.random.random() < 0.1:
            await asyncio.sleep(self.random.random() * 5)
            await self._try_move(intended)

    async def _try_move(self, intended: Intended) -> None:
        history = self.world.history
        body = {"action": "play", "ply": intended.ply, "move": intended.move, "key": intended.key}
        while not self.world.ending:
            answer: dict[str, Any] | None
            if self._viewer and self.random.random() < 0.5 and self._viewer.socket:
                answer = await self._viewer.send("action", **body)
            else:
                response = await self.ask("POST", f"/api/matches/{self.match}/actions", body, self.token)
                answer = response.body if response else None
            if answer and "code" not in answer:
                history.acknowledged(intended, answer["version"], answer["ply"], answer.get("moves"))
                return
            if answer and answer["code"] != "unavailable":
                history.refused(intended, answer["code"])
                return
            await asyncio.sleep(RETRY_SECONDS * (0.5 + self.random.random()))

    async def _wait_for_opponent(self, view: dict[str, Any]) -> None:
        """Warn an opponent who is away, or claim the win against one who was warned."""
        if view["claim"] is None or view["claim"]["by"] == self.seat:
            await self._act("claim")

    async def _act(self, action: str, **fields: Any) -> None:
        start = self.world.network.loop.time()
        body = {"action": action, **fields}
        answer = await self.ask("POST", f"/api/matches/{self.match}/actions", body, self.token)
        if answer and answer.status == 200:
            self.world.history.read(self.match, answer.body["version"], start, f"{self.name} {action}")
            if answer.body["reason"] == "absence":
                self._check_absence()

    def _check_absence(self) -> None:
        """Check that the opponent, who has just lost, has not been here for long."""
        now, cluster = self.world.network.loop.time(), self.world.network.cluster
        for viewer in self.world.viewers:
            away = viewer.match != self.match or viewer.seat in (None, ("first", "second").index(self.seat))
            since = viewer.connected_since
            if away or since is None or now - since < NOTICED_SECONDS:
                continue
            if not cluster.seconds_disturbed(since, now):
                self.world.history.fail("claimed", f"{viewer.name} has been here since {since:.1f} s, and lost")

    async def _rematch(self) -> dict[str, Any] | None:
        if self.random.random() < 0.5:
            return None
        answer = await self.insist("POST", f"/api/matches/{self.match}/rematch", {}, self.token)
        return answer.body if answer and answer.status == 200 else None


async def play_duel(world: World, number: int, duel: Duel) -> None:
    """Create a match, join it, play it, and perhaps a rematch."""
    await asyncio.sleep(duel.start)
    name = f"{duel.seed} duel {number}"
    creator = Client(world, f"{name} creator")
    new: dict[str, Any] = {"game": duel.game, "options": duel.options, "opponent": duel.opponent, "seat": "random"}
    new |= {"time_limit": duel.time_limit} if duel.time_limit else {}
    new["best_of"] = BEST_OF[duel.steps % len(BEST_OF)]
    created = await creator.insist("POST", "/api/matches", new)
    if created is None or created.status != 201:
        return
    seated = [created.body]
    world.history.created[created.body["id"]] = world.network.loop.time()
    if duel.opponent == "friend":
        joined = await Client(world, f"{name} joiner").insist(
            "POST", f"/api/matches/{created.body['id']}/join", {"key": f"{random.Random(name).getrandbits(128):032x}"}
        )
        if joined is None or joined.status != 200:
            return
        seated.append(joined.body)
    for index in range(duel.spectators):
        spectator = Viewer(world, f"{name} spectator {index}", created.body["id"])
        asyncio.get_running_loop().create_task(spectator.watch())
    await asyncio.gather(*(_play(world, f"{name} player {one}", duel, seat) for one, seat in enumerate(seated)))


async def begin_crowd(world: World, number: int, crowd: Crowd) -> None:
    """Create the matches, in which the agent moves first."""
    await asyncio.sleep(crowd.start)
    client = Client(world, f"{crowd.seed} crowd {number}")
    new = {"game": "charge", "opponent": "mcts:20", "seat": "second"}
    for _ in range(crowd.matches):
        created = await client.insist("POST", "/api/matches", new)
        if created and created.status == 201:
            world.history.created[created.body["id"]] = world.network.loop.time()


async def study(world: World, number: int, studies: Studies) -> None:
    await asyncio.sleep(studies.start)
    client = Client(world, f"{studies.seed} student {number}")
    for _ in range(studies.questions):
        answer = await client.ask("GET", client.random.choice(STUDIES))
        while answer and answer.status == 202 and not world.ending and client.random.random() < 0.9:
            await asyncio.sleep(RETRY_SECONDS)
            answer = await client.ask("GET", answer.body["url"])
        await asyncio.sleep(client.random.random())


async def _play(world: World, name: str, duel: Duel, seated: dict[str, Any]) -> None:
    again = await Player(world, name, duel, seated).play()
    if again:
        await Player(world, f"{name} again", duel, again).play()
