"""Requests to the service, and the answers that are expected."""

import re
import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

from tests.support.service.harness import PATIENCE, RunningServer

T = TypeVar("T")


def wait_until(condition: Callable[[], T], otherwise: str = "it has not happened") -> T:
    """Return what the condition returns once it is true."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := condition()):
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.02)
    return answer


def get(server: RunningServer, path: str, **query: Any) -> Any:
    answer = server.http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def study(server: RunningServer, path: str) -> Any:
    """Return a study; while too many are waiting, try again after the time that the service says."""
    while (answer := server.http.get(path)).status_code == 503:
        time.sleep(int(answer.headers["retry-after"]))
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert re.fullmatch(r"[A-Z0-9'`].*[.!?]", problem["detail"], re.DOTALL), problem
    assert problem["status"] == status
    return problem


def new(server: RunningServer, **wish: Any) -> httpx.Response:
    return server.http.post("/api/matches", json=wish)
