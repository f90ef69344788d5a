"""Logs: nobody waits for whoever reads them, a flood adds few lines, and what nobody expected has its traceback."""

import fcntl
import json
import logging
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx

from duelbook.web.logs import FAULTS_PER_SECOND, MAX_QUEUED_RECORDS, JsonLines, ThreadHandler
from tests.support.service.asking import wait_until
from tests.support.service.harness import PATIENCE, RunningServer
from tests.support.service.raw import Log, Wire, framed, live
from tests.support.service.server import ReservedPort

FAILURES = """
import asyncio, threading
from duelbook.web.logs import set_up

async def fail():
    raise LookupError("in a task")

async def main():
    asyncio.create_task(fail())
    threading.Thread(target=lambda: {}["in a thread"]).start()
    asyncio.get_running_loop().call_soon(lambda: int("in a callback"))
    await asyncio.sleep(0.01)

set_up("warning")
asyncio.run(main())
"""


def test_a_server_whose_log_nobody_reads_goes_on_and_stops(tmp_path: Path) -> None:
    port = ReservedPort()
    settings = {"database-url": f"sqlite:///{tmp_path}/matches.sqlite", "trusted-proxies": "127.0.0.1"}
    flags = [word for name, value in settings.items() for word in (f"--{name}", value)]
    command = [sys.executable, "-m", "duelbook", "serve", "--port", str(port.number), *flags]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert server.stderr
    try:
        fcntl.fcntl(server.stderr, fcntl.F_SETPIPE_SZ, 4096)
        with httpx.Client(base_url=f"http://127.0.0.1:{port.number}", timeout=10) as client:
            wait_until(lambda: is_ready(client))
            for number in range(100):
                address = {"X-Forwarded-For": f"192.0.2.{number}"}
                assert client.get(f"/{'x' * 200}", headers=address).status_code == 404
        server.terminate()
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.stderr.close()


def is_ready(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/readyz").status_code == 200
    return False


def test_a_flood_of_messages_adds_few_lines_and_one_says_how_many_were_left_out(server: RunningServer) -> None:
    log, begun = Log(server), time.monotonic()
    with live(server.new_match(), "127.0.0.9") as wire:  # of which nothing is logged yet
        wire.send(framed(b'{"type": "ping"}') * 500)
        for _ in range(500):
            assert wire.message()["type"] == "accepted"
    logged = left_out = 0
    end = time.monotonic() + PATIENCE
    while logged + left_out < 500 and time.monotonic() < end:
        time.sleep(0.05)
        lines = [json.loads(line) for line in log.text().splitlines(keepends=True) if line.endswith("\n")]
        logged = sum(line["event"] == "message" for line in lines)
        left_out = sum(line["lines"] for line in lines if line["event"] == "log lines left out")
    assert 10 <= logged <= 10 * (time.monotonic() - begun + 2)
    assert logged + left_out >= 500


def test_what_is_not_http_adds_no_lines(server: RunningServer) -> None:
    log = Log(server)
    for _ in range(20):
        with Wire(server) as wire:
            assert wire.send(b"garbage\r\n\r\n").reply().status == 400
    assert server.http.get("/an-end").status_code == 404
    assert log.until("/an-end").count('"level": "warning"') == 0


def piped(name: str) -> tuple[logging.Logger, ThreadHandler, int, int]:
    """Return a log that is written to a pipe, its handler, and both ends of the pipe."""
    reader, writer = os.pipe()
    handler = ThreadHandler(writer)
    handler.setFormatter(JsonLines())
    log = logging.Logger(name)
    log.addHandler(handler)
    return log, handler, reader, writer


def test_lines_that_nobody_reads_are_counted_and_the_rest_is_written_once_somebody_does() -> None:
    log, handler, reader, writer = piped("test")
    with os.fdopen(reader) as lines:
        for number in range(2 * MAX_QUEUED_RECORDS):
            log.info("line", extra={"number": number})
        numbers: list[int] = []
        dropped = 0
        while len(numbers) + dropped < 2 * MAX_QUEUED_RECORDS:
            line = json.loads(lines.readline())
            dropped += line.get("lines", 0)
            numbers += [line["number"]] if "number" in line else []
    handler.close()
    os.close(writer)
    assert numbers == sorted({*numbers})
    assert len(numbers) >= MAX_QUEUED_RECORDS
    assert dropped > 0
    assert len(numbers) + dropped == 2 * MAX_QUEUED_RECORDS


def test_an_error_that_repeats_is_logged_a_few_times_a_second_and_then_counted() -> None:
    log, handler, reader, writer = piped("failing")
    begun = time.monotonic()
    with os.fdopen(reader) as read:
        for number in range(1000):
            try:
                int(f"x{number}")
            except ValueError:
                log.exception("fault")
        log.error("another")
        handler.close()
        os.close(writer)
        lines = [json.loads(line) for line in read]
    faults = [line for line in lines if line["event"] == "fault"]
    assert FAULTS_PER_SECOND <= len(faults) <= FAULTS_PER_SECOND * (time.monotonic() - begun + 1)
    assert all("ValueError" in line["traceback"] for line in faults)
    assert len(faults) + sum(line.get("lines", 0) for line in lines) == 1000
    assert any(line["event"] == "another" for line in lines)


def test_a_line_that_cannot_be_formatted_is_named_and_the_next_ones_are_written() -> None:
    log, handler, reader, writer = piped("careless")
    with os.fdopen(reader) as lines:
        log.warning("%d bytes", "many")
        log.warning("next")
        handler.close()
        os.close(writer)
        wrong, following = map(json.loads, lines)
    assert (wrong["logger"], wrong["why"], following["event"]) == ("careless", "TypeError", "next")


def test_an_exception_that_nobody_expected_is_logged_with_its_traceback() -> None:
    ended = subprocess.run([sys.executable, "-c", FAILURES], capture_output=True, text=True, timeout=60, check=True)
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [line["level"] for line in lines] == ["error"] * 3
    for place, error in (("in a task", "LookupError"), ("in a thread", "KeyError"), ("in a callback", "ValueError")):
        assert any(place in line["traceback"] and error in line["traceback"] for line in lines)
