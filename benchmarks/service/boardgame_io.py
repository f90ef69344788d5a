"""boardgame.io as a peer: its server with Crystal Capture, and players who speak the protocol of its live sockets."""

import asyncio
import json
import random
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.service.clients import HOST, UPGRADE, Client
from benchmarks.service.connections import TEXT, LiveSocket, encode_frame
from benchmarks.service.load import Tally, timed_since
from benchmarks.service.process import ServerProcess

PACKAGES = ("boardgame.io@0.50.2", "node-persist@3.1.0", "koa-compose@4.1.0")  # the last two are what it works with
PLACE = Path(".venv") / "boardgame.io"  # of the packages
PROGRAM = Path(__file__).with_suffix(".js")
GAME = "crystal-capture"
PLAYERS = ("0", "1")
STATE = re.compile(rb'"G":\{"pool":\[([\d,]*)\],"totals":\[(\d+),(\d+)\]\}.*?"currentPlayer":"(\d)"')
NUMBER = re.compile(rb'"_stateID":(\d+)')


def install() -> bool:
    """Install boardgame.io if it is not there; return False if that is impossible."""
    if (PLACE / "node_modules" / "node-persist").is_dir():
        return True
    if not shutil.which("npm"):
        return False
    command = ["npm", "install", "--silent", "--no-save", "--no-package-lock", "--prefix", str(PLACE), *PACKAGES]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


class BoardgameServer(ServerProcess):
    """A server of boardgame.io with its matches in files or in memory."""

    ready_path = "/games"

    def __init__(self, folder: Path, options: Mapping[str, int], *, in_memory: bool) -> None:
        super().__init__(folder)
        self._options = options
        self._store = [] if in_memory else [folder / "matches"]

    def command(self) -> Sequence[str | Path]:
        return ["node", PROGRAM, PLACE.resolve(), str(self.port), *self._store]

    def environment(self) -> Mapping[str, str]:
        return {"NODE_ENV": "production", **{name.upper(): str(value) for name, value in self._options.items()}}


class BoardgameSocket(LiveSocket):
    """A live socket: socket.io over WebSocket. A version is the number of the state plus one."""

    async def open(self, request: bytes, *seat: str) -> None:
        """Open the socket, and wait for the first state."""
        await self._ask(request)
        await self._ask(encode_frame(TEXT, f"40/{GAME},".encode()))
        self.emit("sync", *seat)
        await self.reach(1)

    def emit(self, *event: object) -> None:
        """Send an event."""
        self._transport.write(encode_frame(TEXT, f"42/{GAME},{json.dumps(event)}".encode()))

    def _receive(self, message: bytes) -> None:
        if message == b"2":
            self._transport.write(encode_frame(TEXT, b"3"))  # a ping and a pong
        elif message.startswith(b"40"):
            self._answered(None)
        elif found := NUMBER.search(message):
            self._take_view(int(found[1]) + 1, message)


class BoardgamePair:
    """Two players, who play as `load.PlayingPair` does; a move is finished when both have seen it."""

    def __init__(self, port: int, options: Mapping[str, int], tally: Tally, seed: int) -> None:
        self._client = Client(port)
        self._goal = options["goal"]
        self._tally = tally
        self._chance = random.Random(seed)
        self._keys: list[str] = []

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            match, sockets = await self._new_match()
            while await self._turn(match, sockets):
                pass
            for socket in sockets:
                socket.close()

    async def _new_match(self) -> tuple[str, list[BoardgameSocket]]:
        start = time.perf_counter()
        match = (await self._client.post(f"/games/{GAME}/create", numPlayers=2, unlisted=True))["matchID"]
        joined = [
            await self._client.post(f"/games/{GAME}/{match}/join", playerID=player, playerName=player)
            for player in PLAYERS
        ]
        self._keys = [one["playerCredentials"] for one in joined]
        sockets = [await open_socket(self._client.port, match, *seat) for seat in zip(PLAYERS, self._keys, strict=True)]
        self._tally.matches.append(timed_since(start))
        return match, sockets

    async def _turn(self, match: str, sockets: Sequence[BoardgameSocket]) -> bool:
        """Play one move; return False if the match is over."""
        found = STATE.search(sockets[0].view)
        assert found
        pool, *totals = found[1].split(b","), int(found[2]), int(found[3])
        mover = int(found[4])
        legal = [int(crystal) for crystal in pool if crystal and int(crystal) <= self._goal - totals[mover]]
        if not legal or self._goal in totals:
            return False
        await self._play(match, sockets, mover, self._chance.choice(legal))
        return True

    async def _play(self, match: str, sockets: Sequence[BoardgameSocket], mover: int, crystal: int) -> None:
        version, player = sockets[0].version, PLAYERS[mover]
        move = {"type": "capture", "args": [crystal], "playerID": player, "credentials": self._keys[mover]}
        start = time.perf_counter()
        sockets[mover].emit("update", {"type": "MAKE_MOVE", "payload": move}, version - 1, match, player)
        for socket in sockets:
            await socket.reach(version + 1)
        self._tally.acknowledged[match] = version
        self._tally.moves.append(timed_since(start))


async def open_socket(port: int, match: str, *seat: str) -> BoardgameSocket:
    """Open a live socket of a match, as a spectator if no seat is given."""
    _, socket = await asyncio.get_running_loop().create_connection(BoardgameSocket, HOST, port)
    await socket.open(
        f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {HOST}:{port}\r\n{UPGRADE}\r\n".encode(),
        match,
        *seat,
    )
    return socket


async def stored_moves(port: int, match: str) -> int:
    """Return how many moves of the match the server knows: none if it does not know the match."""
    client = Client(port)
    known = (await client.ask("GET", f"/games/{GAME}/{match}")).status == 200
    client.close()
    if not known:
        return 0
    socket = await open_socket(port, match)
    socket.close()
    return socket.version - 1
