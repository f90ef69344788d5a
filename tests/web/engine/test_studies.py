"""Studies and demonstrations when there are too many or one takes too long: the service says when to try again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from duelbook.web.engine import worker
from duelbook.web.engine.pool import MAX_WAITING_STUDIES_EACH
from duelbook.web.engine.supervisor import WORKER_MODULE
from tests.support.service.asking import wait_until
from tests.support.service.harness import PATIENCE, RunningServer
from tests.support.service.raw import Wire
from tests.web.conftest import Start

MAX_STUDIES = 1 + MAX_WAITING_STUDIES_EACH  # one of them runs
SOLVE = "/api/solve/flag-chase"
SLOW_GAME = "tests.support.games.slow_stones:SlowStones"
SLOW_PUZZLES = "tests.support.games.slow_stones:SlowPuzzles"
SLOW_NAMES = "tests.support.games.slow_stones:SlowNames"
DEMONSTRATION = "/api/games/flag-chase/demonstration"


def worker_processes(server: RunningServer) -> list[int]:
    assert server.process
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=2) for line in listing.stdout.splitlines()]
    return [int(pid) for pid, parent, args in rows if int(parent) == server.process.pid and WORKER_MODULE in args]


def signal_worker(process: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(process, number)


@contextmanager
def paused_workers(server: RunningServer) -> Iterator[None]:
    """Pause all worker processes that are running now."""
    workers = worker_processes(server)
    for process in workers:
        signal_worker(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in workers:
            signal_worker(process, signal.SIGCONT)


def check_unavailable(answer: httpx.Response) -> str:
    """Check that the answer says when to try again; return what it says."""
    assert (answer.status_code, answer.headers.get("retry-after")) == (503, "1"), answer.text
    assert answer.json()["code"] == "unavailable"
    return str(answer.json()["detail"])


def test_a_limited_number_of_studies_waits_and_more_are_refused(server: RunningServer) -> None:
    assert server.http.get(SOLVE).status_code == 200  # the worker has started
    paths = [
        f"{SOLVE}?option=cells%3D{5 + 2 * number}" for number in range(MAX_STUDIES + 1)
    ]  # of which each is a study
    with ThreadPoolExecutor(MAX_STUDIES + 1) as pool, paused_workers(server):
        studies = [pool.submit(server.http.get, path) for path in paths]
        wait_until(lambda: any(study.done() for study in studies), "no study was refused")
        (refused,) = [study.result() for study in studies if study.done()]
        assert "too busy" in check_unavailable(refused)
    assert sorted(study.result().status_code for study in studies) == [200] * MAX_STUDIES + [503]
    assert server.http.get(SOLVE).status_code == 200


def test_a_study_or_a_demonstration_that_takes_too_long_is_refused_and_the_next_one_is_not_affected(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUELBOOK_GAMES", f"{SLOW_PUZZLES},{SLOW_NAMES}")
    server = start(study_seconds=0.5)
    assert "0.5 seconds" in check_unavailable(server.http.get("/api/puzzles/slow-puzzles?level=1"))
    until_answered(server, SOLVE)
    check_unavailable(server.http.get("/api/games/slow-names/demonstration"))
    until_answered(server, DEMONSTRATION)
    request = {"game": "charge", "opponent": "perfect", "options": {"goal": 20}}
    check_unavailable(server.http.post("/api/matches", json=request))


LEAVING: dict[str, Callable[[Wire], object]] = {"closes": Wire.close, "resets": Wire.reset}
SLOW_SOLVES = [f"/api/solve/slow-stones?option=pause%3D{pause}" for pause in (100_000, 100_001)]
SLOW_MATCH = {"game": "slow-stones", "opponent": "perfect", "options": {"pause": 100_002}}


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_a_study_is_cancelled_when_its_client_leaves(
    start: Start, leave: Callable[[Wire], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUELBOOK_GAMES", SLOW_GAME)
    server = start(study_seconds=PATIENCE)
    wait_until(lambda: len(worker_processes(server)) == 2)  # in the second the game is solved with its own options
    until_studies(server, 0)
    head = "Host: localhost\r\nContent-Type: application/json"
    body = json.dumps(SLOW_MATCH)
    new = f"POST /api/matches HTTP/1.1\r\n{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    asked = [Wire(server).send(f"GET {path} HTTP/1.1\r\n{head}\r\n\r\n".encode()) for path in SLOW_SOLVES]
    asked.append(Wire(server, address="127.0.0.2").send(new.encode()))
    until_studies(server, 3)
    quick, *studying = worker_processes(server)
    for wire in asked:
        leave(wire)
    until_studies(server, 0)
    assert worker_processes(server) == [quick], "a worker that was not killed has finished its study"
    assert studying
    assert server.http.get(SOLVE).status_code == 200


def until_studies(server: RunningServer, count: int) -> None:
    line = f'duelbook_tasks{{kind="study"}} {count}.0'
    wait_until(lambda: line in server.http.get("/metrics").text, f"there are not {count} studies")


def until_answered(server: RunningServer, path: str) -> None:
    """Ask until the answer comes in time: a machine that is busy may need more than one try."""
    wait_until(lambda: server.http.get(path).status_code == 200)


def test_tasks_whose_workers_are_stopped_are_done_by_others(server: RunningServer) -> None:
    for path in (SOLVE, "/api/games/charge/demonstration"):  # a worker of each kind has started
        assert server.http.get(path).status_code == 200
    request = {"game": "charge", "opponent": "perfect", "options": {"goal": 9}, "seat": "second"}
    with ThreadPoolExecutor(3) as pool, paused_workers(server):
        answers = [pool.submit(server.http.get, path) for path in (SOLVE, DEMONSTRATION)]
        created = pool.submit(server.http.post, "/api/matches", json=request)
        assert [answer.result().status_code for answer in answers] == [200, 200]
        player = server.http.get(f"/api/matches/{created.result().json()['id']}")
    assert player.json()["status"] == "playing"


@pytest.mark.parametrize("last", ["compiled", pytest.param("{", marks=pytest.mark.long)], ids=["one", "all"])
def test_a_worker_says_when_it_compiles_rules(tmp_path: Path, last: str) -> None:
    folders = {name: str(tmp_path / name) for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}  # as on a new machine
    task = {"task": "solution", "game": "charge", "options": {"goal": 6}, "after": []}
    process = subprocess.Popen(
        [sys.executable, "-m", WORKER_MODULE],
        env=os.environ | folders,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin
        assert process.stdout
        print(json.dumps(task), file=process.stdin, flush=True)
        lines: list[str] = []
        for line in process.stdout:
            lines += [] if line.startswith(("alive", "progress ")) else [line.strip()]
            if line.startswith(last):
                break
        process.kill()
    said = [line for line in lines if not line.startswith("{")]
    assert said[0] == "ready"
    assert said[1:] == ["compiling", "compiled"] * (len(said) // 2)
    assert len(said) > 1
    if last == "{":
        assert any((tmp_path / "NUMBA_CACHE_DIR").rglob("successors.visit*"))


def test_a_worker_searches_for_a_puzzle_once_however_many_attempts_follow() -> None:
    worker._known_puzzle.cache_clear()
    answers = [worker.puzzle("crystal-capture", "5", None, attempt) for attempt in (None, "1", "2")]
    assert answers[0].moves == answers[1].moves == answers[2].moves
    assert worker._known_puzzle.cache_info().misses == 1


def test_a_worker_loads_neither_the_web_framework_nor_the_database() -> None:
    code = f"import sys, {WORKER_MODULE}; print(*sys.modules, sep='\\n')"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"sqlalchemy", "starlette", "fastapi", "uvicorn", "prometheus_client"} & {*modules}
