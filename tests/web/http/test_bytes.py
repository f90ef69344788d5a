"""Raw bytes over plain sockets: the service answers whatever arrives, and keeps serving."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from socket import SO_RCVBUF, SOL_SOCKET
from time import monotonic, sleep

import pytest

from tests.support.service.corpus import BODIES, GOOD, MATCHES, PATHS, REQUESTS, mutated
from tests.support.service.harness import Player, RunningServer
from tests.support.service.impatient import impatient
from tests.support.service.raw import Wire, framed, request
from tests.web.conftest import Start

pytestmark = pytest.mark.usefixtures("calm")

HEALTH = request("GET", "/healthz")
HELD_SECONDS = 1  # after which a connection that stalls is closed
IMPATIENT = impatient(
    f"http.http_connection.HEADER_SECONDS={HELD_SECONDS}",
    f"http.middleware.BODY_SECONDS={HELD_SECONDS}",
    f"http.connection.UNREAD_SECONDS={HELD_SECONDS}",
)


@pytest.mark.parametrize("name", BODIES)
def test_a_malformed_body_is_a_problem(server: RunningServer, name: str) -> None:
    status, body = BODIES[name]
    with Wire(server) as wire:
        reply = wire.send(request("POST", MATCHES, body)).reply()
        assert reply.status == status, reply
        assert reply.problem["detail"]
        assert wire.send(HEALTH).reply().status == 200  # on the same connection


@pytest.mark.parametrize("name", REQUESTS)
def test_a_malformed_request_is_a_problem(server: RunningServer, name: str) -> None:
    status, data = REQUESTS[name]
    with Wire(server) as wire:
        reply = wire.send(data).reply()
        assert reply.status == status, reply
        assert reply.problem["detail"]
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "set-cookie" not in reply.headers


@pytest.mark.parametrize("path", PATHS)
def test_an_odd_path_or_query_is_a_problem(server: RunningServer, path: str) -> None:
    with Wire(server) as wire:
        while (reply := wire.send(request("GET", path)).reply()).status == 202:  # a study on a busy machine
            sleep(0.1)
        assert (reply.status, bool(reply.problem["detail"])) == (PATHS[path], True)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8000"])
def test_a_host_of_this_machine_is_served(server: RunningServer, host: str) -> None:
    with Wire(server) as wire:
        assert wire.send(request("GET", "/healthz", headers=(f"Host: {host}",))).reply().status == 200


ODD_HOSTS = (
    *("", "localhost:", "localhost:x", "localhost:123456", "a@localhost", "localhost/x", "localhost?x", "localhost#x"),
    *("localhost.", "localhost, localhost", "localhost x", "[::1", "::1", "[::1%25lo]", "127.0.0.1.", "127.1"),
    *("2130706433", "0x7f.1", "[v1.x]", "\u00e9", "\u202elocalhost", "\x9b31m", "evil.example", "x" * 5000),
)


@pytest.mark.parametrize("host", ODD_HOSTS)
def test_an_odd_host_is_refused_and_quoted_harmlessly(server: RunningServer, host: str) -> None:
    with Wire(server) as wire:
        reply = wire.send(request("GET", "/healthz", headers=(f"Host: {host}",))).reply()
        assert (reply.status, reply.problem["code"]) == (421, "unknown-host")
        assert len(reply.problem["detail"]) < 300


def test_a_client_that_stops_sending_after_a_whole_request_gets_the_answer(server: RunningServer) -> None:
    with Wire(server) as wire:
        assert wire.send(request("POST", MATCHES, GOOD)).finish().reply().status == 201
        assert wire.ended()


@pytest.mark.parametrize("data", [request("POST", MATCHES, GOOD)[:-1], HEALTH[:-2], b"GET"])
def test_a_client_that_stops_in_the_middle_of_a_request_gets_an_answer(server: RunningServer, data: bytes) -> None:
    with Wire(server) as wire:
        assert wire.send(data).finish().reply().problem["status"] == 400


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(server: RunningServer) -> None:
    with Wire(server) as wire:
        wire.send(request("POST", MATCHES, b" " * 9000, ("Expect: 100-continue",))[:-9000])
        assert wire.reply().status == 413


def test_an_offer_of_another_protocol_is_ignored(server: RunningServer) -> None:
    with Wire(server) as wire:
        assert wire.send(request("GET", "/healthz", headers=("Connection: Upgrade", "Upgrade: h2c"))).reply()[0] == 200
        assert wire.ended()


def seconds_until_the_end(wire: Wire) -> float:
    start = monotonic()
    while not wire.ended():
        pass
    return monotonic() - start


def half_headers(server: RunningServer) -> float:
    with Wire(server, 30) as wire:
        wire.send(HEALTH[:-2])
        start = monotonic()
        assert wire.reply().problem["code"] == "too-slow"
        return monotonic() - start


def half_headers_of_a_second_request(server: RunningServer) -> float:
    with Wire(server, 30) as wire:
        assert wire.send(HEALTH).reply().status == 200
        return seconds_until_the_end(wire.send(HEALTH[:-2]))


def half_a_body(server: RunningServer) -> float:
    with Wire(server, 30) as wire:
        wire.send(request("POST", MATCHES, GOOD)[:-1])
        start = monotonic()
        assert wire.reply().problem["code"] == "too-slow"
        return monotonic() - start


def headers_byte_by_byte(server: RunningServer) -> float:
    with Wire(server, 0.05) as wire:
        start = monotonic()
        for byte in request("GET", "/", headers=("X: " + "x" * 1000,)):
            try:
                wire.send(bytes([byte]))
                wire.socket.recv(1)
                break
            except TimeoutError:
                continue
        return monotonic() - start


def nothing_is_read(player: Player) -> float:
    with Wire(player.server, 30) as wire:
        wire.socket.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        assert wire.upgrade(player.match).status == 101
        start = monotonic()
        with suppress(ConnectionError):
            while monotonic() < start + 30:
                wire.send(framed(b'{"type": "view"}') * 500)
        return monotonic() - start


def test_connections_that_stall_are_closed_after_a_while(start: Start) -> None:
    server = start(program=IMPATIENT)
    player = server.new_pair()[0]
    with ThreadPoolExecutor() as threads:
        ways = (half_headers, half_headers_of_a_second_request, half_a_body, headers_byte_by_byte)
        waits = {way.__name__: threads.submit(way, server) for way in ways}
        waits["nothing is read"] = threads.submit(nothing_is_read, player)
    for way, seconds in waits.items():
        assert seconds.result() > 0.9 * HELD_SECONDS, way


def test_requests_with_random_mistakes_are_answered(server: RunningServer) -> None:
    rng = random.Random(4)
    player = server.new_pair()[0]
    move = request(
        "POST",
        f"{MATCHES}/{player.match}/actions",
        b'{"action": "play", "ply": 0, "move": "5", "key": "k"}',
        (f"Authorization: Bearer {player.token}",),
    )
    good = [request("POST", MATCHES, GOOD), move, request("GET", f"{MATCHES}/{player.match}/moves?since=0"), HEALTH]
    for _ in range(300):
        data = mutated(rng.choice(good), rng)
        with Wire(server) as wire:
            assert wire.send(data).finish().reply().status < 500, data
