"""Endpoints that fail: what may pass is tried again, what a model is to blame for loses, and all else stops a run."""

import gzip
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace

import pytest

from duelbook import make
from duelbook.agents import StoppedError
from duelbook.arena.playing import play_match
from tests.support.endpoint import KEY, Reply, always, fail, in_turn, last_legal, say
from tests.support.models import Seat, start


@pytest.mark.parametrize(
    "fault",
    [fail(429), fail(500), fail(503), fail(408), Reply(drop=True)],
    ids=["429", "500", "503", "408", "dropped"],
)
def test_what_may_pass_is_tried_again(fault: Reply, seat: Seat) -> None:
    seated = seat(in_turn(fault, fault))
    seated.agent.choose(start())
    assert len(seated.endpoint.bodies) == 3
    assert [(entry["result"], entry["try"], entry["attempt"]) for entry in seated.log()] == [
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
def test_what_does_not_pass_stops_the_run_and_loses_no_match(fault: Reply, said: str, seat: Seat) -> None:
    seated = seat(always(fault))
    with pytest.raises(StoppedError) as stopped:
        play_match(make("charge"), ("llm:small-model", "random"), make=lambda name, seed: seated.agent)
    assert said in str(stopped.value)
    assert seated.endpoint.url in str(stopped.value)
    assert len(seated.endpoint.bodies) == len(seated.log()) == 3


@pytest.mark.parametrize(
    ("headers", "least"),
    [({}, [0.1, 0.2, 0.4, 0.8]), ({"Retry_After": "1"}, [1, 1, 1, 1]), ({"Retry_After": "soon"}, [0.1, 0.2, 0.4, 0.8])],
    ids=["not asked", "asked", "asked in vain"],
)
def test_pauses_grow_and_the_endpoint_may_ask_for_longer_ones(
    headers: dict[str, str], least: list[float], seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = seat(in_turn(*[fail(429, **headers)] * 4), backoff=0.1, retries=4)
    pauses: list[float] = []
    monkeypatch.setattr(seated.desk, "_closing", SimpleNamespace(wait=pauses.append, set=lambda: None))
    seated.agent.choose(start())
    assert all(low <= pause <= 1.5 * low for low, pause in zip(least, pauses, strict=True)), pauses


def test_a_pause_is_one(seat: Seat) -> None:
    seated = seat(in_turn(fail(503)), backoff=0.5)
    started = time.monotonic()
    seated.agent.choose(start())
    assert time.monotonic() - started > 0.5


def test_a_pause_may_be_asked_for_by_a_date(seat: Seat) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=99), usegmt=True)
    with pytest.raises(StoppedError, match=r"the endpoint asks to wait 9\d seconds"):
        seat(in_turn(fail(429, Retry_After=then))).agent.choose(start())


def test_an_endpoint_that_asks_to_wait_too_long_stops_the_run(seat: Seat) -> None:
    seated = seat(in_turn(fail(429, Retry_After="3600")))
    with pytest.raises(StoppedError, match="the endpoint asks to wait 3,600 seconds"):
        seated.agent.choose(start())
    assert len(seated.endpoint.bodies) == 1


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 418, 422])
def test_a_request_that_is_refused_from_the_start_stops_the_run_at_once(status: int, seat: Seat) -> None:
    seated = seat(in_turn(fail(status, f"no: {KEY}")))
    with pytest.raises(StoppedError, match=rf"answered {status}: no: \[key\]"):
        seated.agent.choose(start())
    assert len(seated.endpoint.bodies) == 1
    assert KEY not in seated.file.read_text()


def test_one_request_alone_that_is_refused_is_a_forfeit(seat: Seat) -> None:
    seated = seat(in_turn(say("MOVE: charge 1"), fail(400, "the prompt is too long")))
    seated.agent.choose(start())
    kind, said = seated.forfeits(start())
    assert kind == "error"
    assert said.endswith("answered 400: the prompt is too long")


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
def test_what_is_no_completion_is_asked_for_again_and_then_a_forfeit(raw: bytes, seat: Seat) -> None:
    seated = seat(always(Reply(raw)))
    kind, said = seated.forfeits(start())
    assert kind == "error"
    assert said.startswith("the model's last of 3 answers was refused: ")
    assert seated.results() == ["garbage"] * 3
    assert len(seated.endpoint.bodies[2]["messages"]) == 2  # there was nothing to be told about


def test_a_reply_of_no_text_is_a_refused_answer(seat: Seat) -> None:
    seated = seat(in_turn(say(None)))
    seated.agent.choose(start())
    assert seated.results() == ["refused", "accepted"]
    assert seated.log()[0]["why"] == "the reply was empty"


def test_a_reply_beyond_all_measure_is_not_read_to_its_end(seat: Seat) -> None:
    seated = seat(in_turn(Reply(b"x" * 30_000_000)))
    seated.agent.choose(start())
    assert seated.log()[0]["why"] == "more than 2,000,000 bytes"
    assert seated.file.stat().st_size < 100_000


def test_a_compressed_bomb_does_not_go_off(seat: Seat) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    seated = seat(in_turn(Reply(bomb, headers={"Content-Encoding": "gzip"})))
    seated.agent.choose(start())
    assert seated.results() == ["garbage", "accepted"]
    assert seated.log()[0]["why"].endswith("not UTF-8 text")  # it was never unpacked


@pytest.mark.parametrize(
    "slow",
    [say("MOVE: block", delay=30), say("MOVE: block", drip=0.2), Reply(b"x" * 200, drip=0.2)],
    ids=["silent", "dripping", "dripping garbage"],
)
def test_a_reply_that_comes_too_late_is_a_timeout_however_it_drips(slow: Reply, seat: Seat) -> None:
    seated = seat(always(slow), timeout=0.4, attempts=2)
    started = time.monotonic()
    assert seated.forfeits(start()) == (
        "timeout",
        "the model's last of 2 answers was refused: no reply within 0.4 seconds",
    )
    assert time.monotonic() - started < 15
    assert seated.results() == ["timeout"] * 2


def test_no_more_requests_are_under_way_than_the_limit(seat: Seat) -> None:
    seated = seat(lambda body, number: replace(last_legal(body, number), delay=0.05), concurrency=2)
    threads = [threading.Thread(target=seated.agent.choose, args=(start(),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seated.endpoint.bodies) == 6
    assert seated.endpoint.most_at_once == 2


def test_a_run_that_is_stopped_breaks_off_what_is_being_asked(seat: Seat) -> None:
    seated = seat(always(say("MOVE: block", delay=30)))
    threading.Timer(0.5, seated.desk.close).start()
    started = time.monotonic()
    with pytest.raises(StoppedError, match="the run is being stopped"):
        seated.agent.choose(start())
    assert time.monotonic() - started < 15
