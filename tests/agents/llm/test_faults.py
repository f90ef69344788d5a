"""Endpoints that fail: transient faults are retried, faults of a model forfeit, and everything else stops the run."""

import gzip
import os
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import Any

import pytest

from duelbook import make
from duelbook.agents import StoppedError
from duelbook.agents.llm.endpoint import Endpoint
from duelbook.agents.llm.settings import LlmSettings
from duelbook.arena import play_match
from tests.support.endpoint import KEY, Reply, always, fail, in_turn, say
from tests.support.models import ServeModel, start, time_out_after


@pytest.mark.parametrize(
    "fault",
    [
        *(fail(429), fail(500), fail(503), fail(408), Reply(drop=True)),
        Reply(b"<!DOCTYPE html><html><body>Please log in</body></html>"),
        Reply(b'{"error": {"message": "overloaded"}}'),
        Reply(b'{"choices": [{"message": {"content": "MOVE: block"}, "finish_reason": "error"}]}'),
    ],
    ids=["429", "500", "503", "408", "dropped", "page", "error", "failed"],
)
def test_a_transient_fault_is_retried(fault: Reply, serve_model: ServeModel) -> None:
    served = serve_model(in_turn(fault, fault))
    served.agent.choose(start())
    assert len(served.endpoint.bodies) == 3
    assert [(entry["result"], entry["try"], entry["attempt"]) for entry in served.log()] == [
        ("failed", 1, 1),
        ("failed", 2, 1),
        ("accepted", 3, 1),
    ]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (fail(429, "slow down"), "answered 429: slow down"),
        (fail(500), "answered 500: try later"),
        (Reply(b"<h1>Bad Gateway</h1>" * 99, 502), "answered 502: <h1>Bad Gateway</h1>"),
        (Reply(drop=True), "did not answer: "),
    ],
    ids=["429", "500", "502", "dropped"],
)
def test_a_lasting_fault_stops_the_run_and_forfeits_no_match(fault: Reply, said: str, serve_model: ServeModel) -> None:
    served = serve_model(always(fault))
    with pytest.raises(StoppedError) as stopped:
        play_match(make("charge"), ("llm:small-model", "random"), make=lambda name, seed: served.agent)
    assert said in str(stopped.value)
    assert served.endpoint.url in str(stopped.value)
    assert len(served.endpoint.bodies) == len(served.log()) == 3


@pytest.mark.parametrize(
    ("headers", "least"),
    [({}, [0.1, 0.2, 0.4, 0.8]), ({"Retry_After": "1"}, [1, 1, 1, 1]), ({"Retry_After": "soon"}, [0.1, 0.2, 0.4, 0.8])],
    ids=["not asked", "asked", "asked in vain"],
)
def test_pauses_grow_and_the_endpoint_may_ask_for_a_longer_one(
    headers: dict[str, str], least: list[float], serve_model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve_model(in_turn(*[fail(429, **headers)] * 4), backoff=0.1, retries=4)
    pauses: list[float] = []
    monkeypatch.setattr(served.client, "_closing", SimpleNamespace(wait=pauses.append, set=lambda: None))
    served.agent.choose(start())
    assert all(low <= pause <= 1.5 * low for low, pause in zip(least, pauses, strict=True)), pauses


@pytest.mark.parametrize("by_date", [False, True])
def test_an_endpoint_that_asks_to_wait_too_long_stops_the_run(by_date: bool, serve_model: ServeModel) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=9999), usegmt=True)
    served = serve_model(in_turn(fail(429, Retry_After=then if by_date else "9999")))
    with pytest.raises(StoppedError, match=r"The endpoint asks to wait 9,\d\d\d seconds"):
        served.agent.choose(start())
    assert len(served.endpoint.bodies) == 1


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 418, 422])
def test_a_first_request_that_is_rejected_stops_the_run_at_once(status: int, serve_model: ServeModel) -> None:
    served = serve_model(in_turn(fail(status, f"no: {KEY}")))
    with pytest.raises(StoppedError, match=rf"answered {status}: no: \[key\]"):
        served.agent.choose(start())
    assert len(served.endpoint.bodies) == 1
    assert KEY not in served.file.read_text()


def test_a_later_request_that_is_rejected_is_a_forfeit(serve_model: ServeModel) -> None:
    served = serve_model(in_turn(say("MOVE: charge 1"), fail(400, "the prompt is too long")))
    served.agent.choose(start())
    kind, said = served.forfeits(start())
    assert kind == "error"
    assert said.endswith("answered 400: the prompt is too long.")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"hello",
        b"{}",
        b"[]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [null]}',
        b"<html><h1>Welcome</h1></html>",
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": {"x": 1}}}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": {"content": "\\ud800 MOVE: block"}}]}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"choices": ' * 5000,
        b"1" * 5000,
    ],
    ids=lambda raw: repr(raw[:40]),
)
def test_a_response_that_is_not_a_completion_is_the_endpoints_fault(raw: bytes, serve_model: ServeModel) -> None:
    served = serve_model(always(Reply(raw)))
    with pytest.raises(StoppedError) as stopped:
        served.agent.choose(start())
    assert str(stopped.value).startswith(f"The endpoint {served.endpoint.url} answered 200. The response is ")
    assert "not a chat completion" in str(stopped.value)
    assert served.results() == ["failed"] * 3
    assert len(served.endpoint.bodies[2]["messages"]) == 2  # there was no answer to comment on


def test_an_empty_reply_is_a_refused_answer(serve_model: ServeModel) -> None:
    served = serve_model(in_turn(say(None)))
    served.agent.choose(start())
    assert served.results() == ["format", "accepted"]
    assert served.log()[0]["why"] == "The reply was empty."


def test_a_huge_reply_is_not_read_to_its_end(serve_model: ServeModel) -> None:
    served = serve_model(in_turn(Reply(b"x" * 30_000_000)))
    served.agent.choose(start())
    assert served.log()[0]["why"] == "The reply is larger than 2,000,000 bytes."
    assert served.file.stat().st_size < 100_000


def test_a_compressed_reply_is_never_unpacked(serve_model: ServeModel) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    served = serve_model(in_turn(Reply(bomb, headers={"Content-Encoding": "gzip"})))
    served.agent.choose(start())
    assert served.results() == ["failed", "accepted"]
    assert served.log()[0]["why"].endswith("is not UTF-8 text.")


@pytest.mark.parametrize(
    ("slow", "limit", "attempts", "said"),
    [
        (say("MOVE: block", delay=600), 0.4, 2, "The last of the model's 2 answers was not accepted. No reply came"),
        (say("MOVE: block", drip=0.02), 120, 1, "No complete reply came"),
    ],
    ids=["silent", "dripping"],
)
def test_a_slow_reply_is_a_timeout_even_if_it_comes_byte_by_byte(
    slow: Reply, limit: float, attempts: int, said: str, serve_model: ServeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = serve_model(always(slow), timeout=limit, attempts=attempts)
    time_out_after(b'{"id"', served, monkeypatch)
    kind, why = served.forfeits(start())
    assert kind == "timeout"
    assert why.endswith(f"{said} within {limit} seconds.")
    assert served.results() == ["timeout"] * attempts


def test_closing_the_client_cancels_requests_under_way(serve_model: ServeModel) -> None:
    def close(body: dict[str, Any], number: int) -> Reply:
        threading.Thread(target=served.client.close).start()
        return say("MOVE: block", delay=600)

    served = serve_model(close, timeout=600)
    with pytest.raises(StoppedError, match="The run is being stopped"):
        served.agent.choose(start())


def test_an_endpoint_that_is_closed_leaves_no_file_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        Endpoint(LlmSettings(base_url="http://127.0.0.1:9")).close()
    assert len(os.listdir("/proc/self/fd")) <= before
