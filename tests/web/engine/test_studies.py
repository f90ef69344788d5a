"""Studies when there are too many, or when one takes too long: people are told to come back."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from duelbook.web.engine.pool import MAX_STUDIES, WORKER_MODULE
from tests.support.service.harness import RunningServer
from tests.web.conftest import Start

PATH = "/api/solve/flag-chase"
BUSY = "The service is too busy to study this now. Try again in a moment."


@contextmanager
def held(server: RunningServer) -> Iterator[None]:
    """Keep the processes that think from doing so; the study's is among them."""
    assert server.http.get(PATH).status_code == 200
    assert server.process
    running = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=2) for line in running.stdout.splitlines()]
    thinkers = [int(pid) for pid, parent, args in rows if int(parent) == server.process.pid and WORKER_MODULE in args]
    for thinker in thinkers:
        os.kill(thinker, signal.SIGSTOP)
    try:
        yield
    finally:
        for thinker in thinkers:
            with suppress(ProcessLookupError):
                os.kill(thinker, signal.SIGCONT)


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["detail"], answer.headers["retry-after"]


def test_so_many_studies_wait_and_others_are_told_to_come_back(start: Start) -> None:
    server = start()
    with ThreadPoolExecutor(MAX_STUDIES) as pool, held(server):
        waiting = [pool.submit(server.http.get, PATH) for _ in range(MAX_STUDIES)]
        time.sleep(0.5)  # for all of them to arrive
        assert refusal(server.http.get(PATH)) == (503, BUSY, "1")
    assert [study.result().status_code for study in waiting] == [200] * MAX_STUDIES
    assert server.http.get(PATH).status_code == 200


def test_a_study_has_its_time_and_the_next_one_is_not_spoilt(start: Start) -> None:
    server = start(study_seconds=5)
    with held(server):
        refused = "This took longer than the 5 seconds that the service allows."
        assert refusal(server.http.get(PATH)) == (503, refused, "1")
        assert server.http.get(PATH).status_code == 200


def test_the_time_in_which_rules_are_compiled_is_not_a_part_of_a_study(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):  # as on a new machine, where nothing is compiled or solved yet
        monkeypatch.setenv(folder, str(tmp_path / folder))
    server = start(study_seconds=6)
    assert server.http.get("/api/solve/charge?option=goal=6").status_code == 200
    assert any((tmp_path / "NUMBA_CACHE_DIR").rglob("compiled._explore.*"))
