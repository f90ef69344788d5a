"""Asking the service: for what it has, and for what it refuses."""

import re
import time
from typing import Any

import httpx

from tests.support.service.harness import RunningServer


def get(server: RunningServer, path: str, **query: Any) -> Any:
    answer = server.http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def study(server: RunningServer, path: str) -> Any:
    """Answer a study; where many wait for one, come back as one is told to."""
    while (answer := server.http.get(path)).status_code == 503:
        time.sleep(int(answer.headers["retry-after"]))
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Answer the problem document, which a refusal has to be."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert re.fullmatch(r"[A-Z0-9'`].*[.!?]", problem["detail"], re.DOTALL), problem
    assert problem["status"] == status
    return problem


def new(server: RunningServer, **wish: Any) -> httpx.Response:
    return server.http.post("/api/matches", json=wish)
