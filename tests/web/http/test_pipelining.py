"""Clients that send without waiting for answers: they get all answers in order, and cost the service little memory."""

import re
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.support.service.harness import RunningServer
from tests.support.service.raw import CLOSE, PING, PONG, Wire, framed, live, request
from tests.web.conftest import Start

ATTACK_SECONDS = 1.5
MAX_GROWTH_MEGABYTES = 20
NEW = b'{"game": "charge", "opponent": "friend"}'


@pytest.fixture(scope="module")
def victim(serve: Start) -> RunningServer:
    """A server of which only the memory is of interest."""
    return serve()


def megabytes(server: RunningServer) -> float:
    assert server.process
    status = Path(f"/proc/{server.process.pid}/status")
    if not status.exists():
        pytest.skip("needs /proc")
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    assert found
    return int(found[1]) / 1024


def growth_under(server: RunningServer, attack: bytes, wires: list[Wire], bytes_a_read: int = 1000) -> float:
    """Send the bytes without end on each connection, and read little. Return by how many megabytes the server grew.

    Other clients are answered meanwhile.
    """
    before = most = megabytes(server)
    end = time.monotonic() + ATTACK_SECONDS

    def flood(wire: Wire) -> None:
        wire.socket.setblocking(False)
        with suppress(ConnectionError):
            while time.monotonic() < end:
                with suppress(BlockingIOError):
                    wire.socket.send(attack)
                with suppress(BlockingIOError):
                    wire.socket.recv(bytes_a_read)
                time.sleep(0.005)

    threads = [threading.Thread(target=flood, args=(wire,)) for wire in wires]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        assert server.http.get("/healthz").status_code == 200
        most = max(most, megabytes(server))
    for thread in threads:
        thread.join()
    return most - before


@pytest.mark.parametrize(
    "attack",
    [
        request("GET", "/"),
        request("GET", "/healthz"),
        request("POST", "/api/matches", NEW),
        request("POST", "/api/matches", b" " * 9000),
        request("POST", "/api/matches", b"5\r\n{}   \r\n0\r\n\r\n", ("Transfer-Encoding: chunked",)),
        b"\r\n\r\n",
    ],
    ids=["page", "tiny", "body", "large body", "chunks", "empty lines"],
)
def test_requests_without_end_cost_little_memory(victim: RunningServer, attack: bytes) -> None:
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(victim)) for _ in range(4)]
        assert growth_under(victim, attack * (100_000 // len(attack) + 1), wires) < MAX_GROWTH_MEGABYTES


@pytest.mark.parametrize(
    "attack",
    [framed(b""), framed(b'{"type": "view"}'), framed(b"", PING), framed(b"x" * 100, final=False)],
    ids=["empty", "views", "pings", "fragments"],
)
def test_messages_without_end_cost_little_memory(victim: RunningServer, attack: bytes) -> None:
    player = victim.new_match()
    with ExitStack() as stack:
        wires = [stack.enter_context(live(player)) for _ in range(4)]
        assert growth_under(victim, attack * (100_000 // len(attack) + 1), wires) < MAX_GROWTH_MEGABYTES


def test_pipelined_requests_are_all_answered_in_order(victim: RunningServer) -> None:
    asked = [
        request("GET", "/healthz"),
        request("GET", "/api/nothing"),
        request("POST", "/api/matches", NEW),
        request("POST", "/api/matches", b"5\r\n{    \r\n2\r\n}\n\r\n0\r\n\r\n", ("Transfer-Encoding: chunked",)),
        request("HEAD", "/"),
    ]
    with Wire(victim) as wire:
        threading.Thread(target=wire.send, args=(b"".join(asked) * 60,)).start()
        for _ in range(60):
            replies = [wire.reply(to_head=number == len(asked) - 1).status for number in range(len(asked))]
            assert replies == [200, 404, 201, 422, 200]


@pytest.mark.parametrize("size", [1, 7, 64])
def test_requests_that_are_cut_anywhere_are_answered_in_order(victim: RunningServer, size: int) -> None:
    data = (request("POST", "/api/matches", NEW) + request("GET", "/api/nothing") + request("GET", "/healthz")) * 2
    with Wire(victim) as wire:
        for start in range(0, len(data), size):
            wire.send(data[start : start + size])
        assert [wire.reply().status for _ in range(6)] == [201, 404, 200] * 2


def test_a_request_before_bytes_that_are_no_request_is_answered(victim: RunningServer) -> None:
    with Wire(victim) as wire:
        wire.send(request("GET", "/healthz") * 2 + b"no request\r\n\r\n")
        assert [wire.reply().status for _ in range(3)] == [200, 200, 400]
        assert wire.ended()


def test_a_flood_of_pings_closes_the_socket_with_a_reason(victim: RunningServer) -> None:
    with live(victim.new_match()) as wire:
        wire.send(framed(b"", PING) * 1000)
        while (frame := wire.frame()).opcode != CLOSE:
            assert frame.opcode == PONG
        assert (frame.code, frame.payload[2:]) == (1008, b"Send at most 50 pings and pongs a second.")
