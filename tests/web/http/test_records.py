"""Reviews of records that clients send, on both back ends."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from duelbook import make
from duelbook.match import Match
from duelbook.records.document import to_json
from duelbook.records.record import Person
from tests.support.keyboard import run
from tests.support.service.asking import get, refused
from tests.support.service.harness import RunningServer

RECORD = to_json(Match(make("flag-chase")).record((Person("Red"), Person("Blue")), 0))


def sent(server: RunningServer, record: Any) -> httpx.Response:
    return server.http.post("/api/review", json=record)


@pytest.fixture
def record(server: RunningServer) -> dict[str, Any]:
    """The record of a match that an agent has won; its creator has the second seat."""
    player = server.new_match("flag-chase", "perfect", seat="second", name="Red")
    player.until(1)
    found: dict[str, Any] = get(server, f"/api/matches/{player.match}/record")
    found["match"] = player.match
    return found


def test_the_review_of_a_record_is_that_of_its_match(server: RunningServer, record: dict[str, Any]) -> None:
    match = record.pop("match")
    answer = sent(server, record)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "game": "flag-chase",
        "options": {"cells": 5, "stride": 2},
        "time_limit": None,
        "names": {"first": "perfect", "second": "Red"},
        "seats": {"first": "perfect", "second": "human"},
        "moves": ["2"],
        "outcome": "first",
        "reason": "rules",
        "result": "perfect captures the flag and wins!",
        "review": get(server, f"/api/matches/{match}/review"),
    }


def test_a_record_that_the_terminal_wrote_can_be_sent(server: RunningServer, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run(["play", "charge", "--p1", "greedy", "--p2", "greedy", "--seed", "3", "--record", str(file)])
    answer = server.http.post("/api/review", content=file.read_bytes(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["moves"] == json.loads(file.read_text())["moves"]
    assert answer.json()["result"].endswith("has exactly 15 points and wins the game!")


def test_a_match_that_is_not_over_has_no_result(server: RunningServer) -> None:
    reviewed = sent(server, RECORD).json()
    assert (reviewed["outcome"], reviewed["reason"], reviewed["result"]) == ("none", "unfinished", None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"moves": ["7"]}, "Move 1: '7' is not legal here. Legal moves: 1, 2."),
        (
            {"game": "word-clash", "options": {"dictionary": "/etc/passwd"}},
            "Dictionary cannot be '/etc/passwd'; valid: ",
        ),
    ],
)
def test_an_invalid_record_is_refused_with_the_sentence_of_the_record_reader(
    server: RunningServer, record: dict[str, Any], changes: dict[str, Any], said: str
) -> None:
    del record["match"]
    assert refused(sent(server, {**record, **changes}), 422, "invalid")["detail"].startswith(said)


def test_a_long_record_can_be_sent_but_not_a_huge_one(server: RunningServer, record: dict[str, Any]) -> None:
    del record["match"]
    long = {**record, "game": "charge", "seconds": [0.5] * 2000}  # too large for any other route
    assert refused(sent(server, long), 422, "invalid")["detail"].startswith("Unknown option 'cells'.")
    refused(sent(server, {**record, "seconds": [0.5] * 20_000}), 413, "too-large")


def test_a_record_that_is_nested_too_deeply_is_refused(server: RunningServer) -> None:
    for depth in (*range(900, 1000, 7), 20_000):
        nested = f'{{"format": {"[" * depth}{"]" * depth}}}'
        answer = server.http.post("/api/review", content=nested, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), (depth, answer.text)


def test_the_record_of_a_running_match_does_not_reveal_what_an_agent_will_play(server: RunningServer) -> None:
    player = server.new_match("charge", "random")
    record = f"/api/matches/{player.match}/record"
    assert server.http.get(record).json()["seed"] is None
    player.act("resign")
    assert isinstance(server.http.get(record).json()["seed"], int)
