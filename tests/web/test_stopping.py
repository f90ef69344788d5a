"""A graceful stop: requests under way are finished, watchers are told to reconnect, nothing acknowledged is lost."""

import asyncio
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvloop
from websockets.exceptions import ConnectionClosed

from duelbook.web.db import schema
from duelbook.web.live.channel import RedisChannel
from duelbook.web.live.relay import Relay
from tests.support.service.backends import Redis
from tests.support.service.harness import PATIENCE, Player, RunningServer
from tests.support.service.raw import Log
from tests.support.service.sockets import hear_until, next_view, slow_reader
from tests.web.conftest import both_backends

PAIRS = 3  # that play at the same time
MAX_STOP_SECONDS = 18.0  # less than the service allows for answers under way


@dataclass
class Pair:
    """Two players who move and take back until there is no answer."""

    first: Player
    second: Player
    acknowledged: list[str] = field(default_factory=list)  # keys of moves
    unanswered: str | None = None  # the key of the last move, after which no answer came

    def play(self) -> None:
        for number in itertools.count():
            self.unanswered = f"key-{number}"
            try:
                answer = self.first.play(0, "9", key=self.unanswered)
                assert answer.status_code == 200, answer.text
                self.acknowledged.append(self.unanswered)
                assert [self.first.act("undo").status_code, self.second.act("agree").status_code] == [200, 200]
            except httpx.TransportError:
                return

    def is_repeated(self, key: str) -> bool:
        """Return True if a retry of the move is answered and, if the move was acknowledged, changes nothing."""
        before = self.first.view()["version"]
        answer = self.first.play(0, "9", key=key)
        return answer.status_code == 200 and (self.first.view()["version"] == before or key == self.unanswered)


@both_backends
def test_a_stop_in_the_middle_of_play_ends_soon_tells_watchers_and_loses_nothing(own_server: RunningServer) -> None:
    """A server is stopped while pairs play, people watch and one does not read."""
    log = Log(own_server)
    pairs = [Pair(*own_server.new_pair()) for _ in range(PAIRS)]
    threads = [threading.Thread(target=pair.play) for pair in pairs]
    with ExitStack() as stack:
        stack.enter_context(slow_reader(own_server.new_pair("word-clash")[0]))
        sockets = [stack.enter_context(own_server.new_match().live(watching=True)) for _ in range(3)]
        sockets += [stack.enter_context(pair.first.live()) for pair in pairs]
        for live in sockets:
            next_view(live)
        for thread in threads:
            thread.start()
        began = time.monotonic()
        while not all(len(pair.acknowledged) > 3 for pair in pairs):
            assert time.monotonic() < began + PATIENCE, "the pairs do not play"
            time.sleep(0.01)
        began = time.monotonic()
        assert own_server.stop() == 0
        assert time.monotonic() - began < MAX_STOP_SECONDS
        for thread in threads:
            thread.join()
        for live in sockets:
            with pytest.raises(ConnectionClosed) as closed:
                hear_until(live, lambda _: False)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1012, "the code for a restart"
    text = log.text()
    assert "shutdown complete" in text
    assert "raceback" not in text
    assert own_server.settings["log_level"] == "debug"
    assert pairs[0].first.match in text
    assert [pair for pair in pairs if pair.first.token in text or pair.second.token in text] == []
    own_server.start()
    for pair in pairs:
        for key in filter(None, (*pair.acknowledged[-3:], pair.unanswered)):
            assert pair.is_repeated(key)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_has_just_printed_its_address_stops(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "duelbook", "serve", "--port", "0"]
    where = ["--database-url", f"sqlite:///{tmp_path}/matches.sqlite"]
    assert "Traceback" not in log_of_a_stop([*command, *where], number, 0.0)


@pytest.mark.parametrize(
    ("number", "pause"),
    [
        (signal.SIGINT, 0.0),
        (signal.SIGTERM, 0.3),
        *(pytest.param(number, pause, marks=pytest.mark.long) for number in (2, 15) for pause in (0.0, 0.5, 1.0)),
    ],
)
def test_workers_that_are_just_starting_stop(
    tmp_path: Path, redis_server: Redis, number: signal.Signals, pause: float
) -> None:
    assert "Traceback" not in log_of_a_stop(two_workers(tmp_path, redis_server), number, pause)


@pytest.mark.parametrize("pause", [0.1, pytest.param(0.5, marks=pytest.mark.long)])
def test_a_process_that_ends_is_replaced_and_the_new_one_leaves_ctrl_c_to_its_parent(
    tmp_path: Path, redis_server: Redis, pause: float
) -> None:
    pipes: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(two_workers(tmp_path, redis_server), **pipes) as running:
        assert running.stderr
        os.kill(pid_of(next(line for line in running.stderr if "Started server" in line)), signal.SIGKILL)
        log = list(itertools.takewhile(lambda line: "died" not in line, running.stderr))
        time.sleep(pause)
        os.killpg(running.pid, signal.SIGINT)
        try:
            log += running.communicate(timeout=40)[1].splitlines()
        finally:
            running.kill()
    assert any("Stopping parent process" in line for line in log)
    assert [line for line in log if "Traceback" in line] == []


def two_workers(folder: Path, redis_server: Redis) -> list[str]:
    where = ["--database-url", f"sqlite:///{folder}/matches.sqlite", "--redis-url", redis_server.url]
    return [sys.executable, "-m", "duelbook", "serve", "--port", "0", "--workers", "2", *where]


def pid_of(line: str) -> int:
    return int(line.split("[")[1].split("]")[0])


@pytest.mark.parametrize("loop", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_relay_stops_at_any_moment_of_a_message_to_redis(redis_server: Redis, loop: Callable[..., Any]) -> None:
    loop(stop_at_every_moment(redis_server.url))


async def stop_at_every_moment(url: str) -> None:
    """Stop relays that have just begun to send something, each one step of the event loop later than the last."""

    async def nothing(*_: Any) -> None:
        pass

    for steps in range(60):
        relay = Relay(RedisChannel(url), nothing, nothing, lambda _: None, lambda *_: None)
        relay.start()
        relay.send_uptime(1.0)
        for _ in range(steps):
            await asyncio.sleep(0)
        async with asyncio.timeout(20):
            await relay.close()


def log_of_a_stop(command: list[str], number: signal.Signals, pause: float) -> str:
    """Start a server, stop it a moment after it has printed its address, as a terminal does, and return its log."""
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **pipes) as running:
        assert running.stdout
        assert running.stdout.readline().startswith("Duelbook is running at http://127.0.0.1:")
        time.sleep(pause)
        os.killpg(running.pid, number)
        try:
            log: str = running.communicate(timeout=40)[1]  # Uvicorn replaces an unresponsive process after 60
        finally:
            running.kill()
    return log


@pytest.mark.parametrize("part", ["sqlite_autoindex_matches_1", "uptime"])
def test_a_start_on_a_damaged_store_says_why_without_a_traceback(tmp_path: Path, part: str) -> None:
    file = tmp_path / "matches.sqlite"
    schema.upgrade(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [part]).fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as store:
        store.seek(4096 * (page - 1))
        store.write(b"\xa5" * 4096)
    command = [sys.executable, "-m", "duelbook", "serve", "--port", "0", "--database-url", f"sqlite:///{file}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "The database cannot be used: database disk image is malformed." in done.stderr
    assert "Traceback" not in done.stderr
