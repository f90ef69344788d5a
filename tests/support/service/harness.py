"""The service as a real process, and clients that play on it."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
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
from tests.support.fork_server import ForkedProcess, fork_server
from tests.support.service.server import ReservedPort

PATIENCE = 60.0  # seconds for the server to start, and for an answer
STOP_PATIENCE = 60.0  # seconds for the server to stop
MAX_SHOWN_LOG = 20_000  # characters of a server's log in the report of a failed test
LIMITS = (
    *("move_limit", "address_limit", "create_limit", "challenge_limit", "study_limit", "picture_limit"),
    "socket_limit",
)
NO_LIMITS = dict.fromkeys(LIMITS, 1_000_000)
OPEN = {"metrics": "on", "reference": "on"}  # what only operators need

logs: list[Path] = []  # of every server that this process has started


def log_sizes() -> dict[Path, int]:
    return {log: log.stat().st_size for log in logs if log.exists()}


def log_sections(before: Mapping[Path, int]) -> Iterator[tuple[str, str]]:
    """Yield a title and the new lines for every server that has logged something since then."""
    for log, size in log_sizes().items():
        if size > before.get(log, 0):
            text = log.read_bytes()[before.get(log, 0) :].decode(errors="replace")
            yield f"log of the server in {log.parent}", text[-MAX_SHOWN_LOG:]


@cache
def compile_rules() -> None:
    """Compile what a service compiles when it first needs it. Otherwise a test would wait for that."""
    solve(make("charge", goal=6))


class PatientClient(httpx.Client):
    """A client that asks again for a study that is not ready, as the page does."""

    def request(self, method: str, url: Any, **options: Any) -> httpx.Response:
        answer = super().request(method, url, **options)
        while answer.status_code == 202:
            time.sleep(int(answer.headers["retry-after"]))
            answer = super().request(method, answer.json()["url"], **options | {"params": None})
        return answer


@dataclass
class RunningServer:
    """`duelbook serve` with settings, which a test can start, kill and start again."""

    folder: Path
    settings: dict[str, Any]
    program: tuple[str, ...] = ("duelbook", "serve")  # what `python -m` runs
    python: str = sys.executable
    environment: dict[str, str] = field(default_factory=dict)  # besides the settings
    reserved: ReservedPort = field(default_factory=ReservedPort)
    process: ForkedProcess | None = None

    @property
    def port(self) -> int:
        return self.reserved.number

    @cached_property
    def http(self) -> httpx.Client:
        """A client that keeps no cookies and no connection, so that it does not notice a restart."""
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        return self.client(limits=httpx.Limits(max_keepalive_connections=0), cookies=no_cookies)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self) -> "RunningServer":
        compile_rules()
        variables = {variable(name): str(value) for name, value in {**NO_LIMITS, **OPEN, **self.settings}.items()}
        if self.log not in logs:
            logs.append(self.log)
        with self.log.open("ab") as log:
            before = log.tell()
            self.process = fork_server().run(
                *self.program,
                *("--port", str(self.port)),
                python=self.python,
                environment=os.environ | self.environment | variables,
                output=log,
            )
        self._wait(before)
        return self

    def _wait(self, before: int) -> None:
        """Wait until every process serves; `before` is the size of the log when they were started."""
        workers = self.settings.get("workers", 1)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process
            assert self.process.poll() is None, f"the server ended: {self.log_tail()}"
            if self._started(before) >= workers:  # asked first: a request costs far more than that
                try:
                    if self.http.get("/readyz").status_code == 200:
                        return
                except httpx.HTTPError:
                    pass
            time.sleep(0.02)
        raise AssertionError(f"the server is not ready: {self.log_tail()}")

    def _started(self, before: int) -> int:
        """Return how many processes have begun to serve since the log had that size."""
        return self.log.read_bytes()[before:].count(b"Application startup complete")

    def log_tail(self) -> str:
        return self.log.read_text()[-2000:]

    def kill(self) -> None:
        """End the server without warning, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        if number == signal.SIGKILL:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        code = self.process.wait(STOP_PATIENCE)
        self.process = None
        return code

    def client(self, **options: Any) -> httpx.Client:
        kept = httpx.Limits(keepalive_expiry=2)  # the server closes idle connections after 5 s
        return PatientClient(base_url=self.url, timeout=PATIENCE, verify=False, **{"limits": kept, **options})

    def new_match(self, game: str = "crystal-capture", opponent: str = "friend", **request: Any) -> "Player":
        answer = self.http.post("/api/matches", json={"game": game, "opponent": opponent, **request})
        assert answer.status_code == 201, answer.text
        return Player(self, answer.json()["id"], answer.json()["seat"], answer.json()["token"])

    def new_pair(self, game: str = "crystal-capture", **request: Any) -> tuple["Player", "Player"]:
        choice = {"choice": request.pop("choice")} if "choice" in request else {}
        one = self.new_match(game, **request, **choice)
        two = one.friend(**choice)
        return (one, two) if one.seat == "first" else (two, one)


@dataclass(frozen=True)
class Player:
    """A seat in a match, with its token."""

    server: RunningServer
    match: str
    seat: str
    token: str

    def friend(self, **request: Any) -> "Player":
        answer = self.server.http.post(f"/api/matches/{self.match}/join", json=request)
        assert answer.status_code == 200, answer.text
        return Player(self.server, self.match, answer.json()["seat"], answer.json()["token"])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def post(self, route: str, **body: Any) -> httpx.Response:
        return self.server.http.post(f"/api/matches/{self.match}/{route}", json=body or None, headers=self.headers)

    def act(self, action: str, **fields: Any) -> httpx.Response:
        return self.post("actions", action=action, **fields)

    def play(self, ply: int, move: str, **more: Any) -> httpx.Response:
        return self.act("play", ply=ply, move=move, **more)

    def view(self) -> dict[str, Any]:
        answer = self.server.http.get(f"/api/matches/{self.match}")
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()
        return view

    def until(self, ply: int) -> dict[str, Any]:
        """Return the view once the match has reached that ply or is over, as after an agent's move."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            view = self.view()
            if view["ply"] >= ply or view["status"] == "over":
                return view
            time.sleep(0.01)
        raise AssertionError(f"the match did not reach ply {ply}: {view}")

    def until_over(self) -> dict[str, Any]:
        """Return the view once the match is over, as when a player's time runs out."""
        return self.until(sys.maxsize)

    @contextmanager
    def live(self, *, watching: bool = False) -> Iterator[ClientConnection]:
        url = f"ws://127.0.0.1:{self.server.port}/api/matches/{self.match}/live"
        with connect(url, additional_headers={} if watching else self.headers, open_timeout=PATIENCE) as live:
            yield live
