"""A real server in a process of its own, and clients that play on it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from duelbook import make
from duelbook.solve import solve
from duelbook.web.settings import variable

PATIENCE = 60.0  # seconds for the server to be ready, and for an answer
GENEROUS = dict.fromkeys(("move_limit", "address_limit", "create_limit", "study_limit", "socket_limit"), 1_000_000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@cache
def compile_rules() -> None:
    """Have compiled what a service compiles when it first needs it, or other studies would wait for that in a test."""
    solve(make("charge", goal=6))


@dataclass
class RunningServer:
    """`duelbook serve` with settings, started, killed and started again at will."""

    folder: Path
    settings: dict[str, Any]
    program: tuple[str, ...] = ("duelbook", "serve")  # what `python -m` runs
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    @cached_property
    def http(self) -> httpx.Client:
        """A client that keeps no connection, so that it does not notice a restart, and no cookies."""
        nothing = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        return self.client(limits=httpx.Limits(max_keepalive_connections=0), cookies=nothing)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self) -> "RunningServer":
        """Start it and answer once it is ready."""
        compile_rules()
        given = {variable(name): str(value) for name, value in {**GENEROUS, **self.settings}.items()}
        with self.log.open("ab") as log:
            before = log.tell()
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.program, "--port", str(self.port)],
                env=os.environ | given,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait(before)
        return self

    def _wait(self, before: int) -> None:
        """Wait until every process serves; `before` is where the log ended when they were started."""
        workers = self.settings.get("workers", 1)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process
            assert self.process.poll() is None, self.last_words()
            try:
                if self.http.get("/readyz").status_code == 200 and self.started(before) >= workers:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"the server is not ready: {self.last_words()}")

    def started(self, before: int) -> int:
        """Answer how many processes have begun to serve since the log was that long."""
        return self.log.read_bytes()[before:].count(b"Application startup complete")

    def last_words(self) -> str:
        """Answer the end of its log."""
        return self.log.read_text()[-2000:]

    def kill(self) -> None:
        """End it without a warning, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; answer its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> int:
        if self.process is None:
            return 0
        if sign == signal.SIGKILL:
            os.killpg(self.process.pid, sign)
        else:
            self.process.send_signal(sign)
        code = self.process.wait(30)
        self.process = None
        return code

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE, verify=False, **options)

    def new_match(self, game: str = "crystal-capture", opponent: str = "friend", **wish: Any) -> "Player":
        """Make a match and answer the player who made it."""
        answer = self.http.post("/api/matches", json={"game": game, "opponent": opponent, **wish})
        assert answer.status_code == 201, answer.text
        return Player(self, answer.json()["id"], answer.json()["seat"], answer.json()["token"])

    def new_pair(self, game: str = "crystal-capture", **wish: Any) -> tuple["Player", "Player"]:
        """Make a match of two friends; answer the first and the second player."""
        choice = wish.pop("choice", None)
        one = self.new_match(game, **wish, **({"choice": choice} if choice else {}))
        two = one.friend(**({"choice": choice} if choice else {}))
        return (one, two) if one.seat == "first" else (two, one)


@dataclass(frozen=True)
class Player:
    """A seat in a match, with its token."""

    server: RunningServer
    match: str
    seat: str
    token: str

    def friend(self, **wish: Any) -> "Player":
        """Let a friend join, and answer them."""
        answer = self.server.http.post(f"/api/matches/{self.match}/join", json=wish)
        assert answer.status_code == 200, answer.text
        return Player(self.server, self.match, answer.json()["seat"], answer.json()["token"])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def post(self, action: str, **body: Any) -> httpx.Response:
        return self.server.http.post(f"/api/matches/{self.match}/{action}", json=body or None, headers=self.headers)

    def play(self, ply: int, move: str, **more: Any) -> httpx.Response:
        return self.post("moves", ply=ply, move=move, **more)

    def view(self) -> dict[str, Any]:
        answer = self.server.http.get(f"/api/matches/{self.match}")
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    def until(self, ply: int, seconds: float = 20) -> dict[str, Any]:
        """Answer the view once the match has come to that ply or is over, as after a computer's move."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            view = self.view()
            if view["ply"] >= ply or view["status"] == "over":
                return view
            time.sleep(0.01)
        raise AssertionError(f"the match did not come to ply {ply}: {view}")

    @contextmanager
    def live(self, *, watching: bool = False) -> Iterator[ClientConnection]:
        """Open the live socket, as a player or as somebody who watches."""
        url = f"ws://127.0.0.1:{self.server.port}/api/matches/{self.match}/live"
        with connect(url, additional_headers={} if watching else self.headers) as live:
            yield live
