"""Raw frames on the live socket: a message gets one answer, and anything else closes the socket with a code."""

import random
import struct
from socket import SO_LINGER, SOL_SOCKET

import pytest

from tests.support.service.corpus import ANSWERED, FRAMES, MESSAGES, mutated
from tests.support.service.harness import RunningServer
from tests.support.service.raw import BINARY, PING, PONG, Wire, answer, framed, is_usable, live, request

pytestmark = pytest.mark.usefixtures("calm")

REFUSED_SOCKETS: dict[str, tuple[int, tuple[str, ...]]] = {
    "a header of 9,000 bytes": (431, ("X: " + "x" * 9000,)),
    "200 headers": (431, ("X: 1",) * 200),
    "a body": (400, ("Content-Length: 2",)),
    "an older version": (426, ("Sec-WebSocket-Version: 8",)),
    "two keys": (400, ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",)),
    "a host that is not ours": (421, ("Host: evil.example",)),
    "an authorization that is none": (401, ("Authorization: Basic eDp5",)),
    "a token of odd bytes": (403, ("Authorization: Bearer \u00ff\u00fe",)),
}


@pytest.mark.parametrize("name", REFUSED_SOCKETS)
def test_a_malformed_handshake_is_answered(server: RunningServer, name: str) -> None:
    status, headers = REFUSED_SOCKETS[name]
    player = server.new_pair()[0]
    with Wire(server) as wire:
        assert wire.upgrade(player.match, *headers).status == status


def test_a_handshake_of_another_version_is_told_which_one_is_spoken(server: RunningServer) -> None:
    with Wire(server) as wire:
        reply = wire.upgrade("0" * 24, "Sec-WebSocket-Version: 14")
        assert (reply.problem["code"], reply.headers["sec-websocket-version"]) == ("wrong-version", "13")
        assert reply.headers["upgrade"] == "websocket"
        assert wire.ended()


def test_http_1_0_opens_no_socket(server: RunningServer) -> None:
    match, wish = server.new_match().match, ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    shake = request("GET", f"/api/matches/{match}/live", headers=(*wish, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="))
    with Wire(server) as wire:
        assert wire.send(shake.replace(b" HTTP/1.1", b" HTTP/1.0")).reply().problem["code"] == "bad-request"
        assert wire.ended()


@pytest.mark.parametrize("match", ["0" * 24, "%00%ff", "..%2f", "x/y"])
def test_a_socket_of_no_match_is_a_problem(server: RunningServer, match: str) -> None:
    with Wire(server) as wire:
        assert wire.upgrade(match).problem["code"] == "not-found"


def test_every_malformed_message_gets_one_error_and_the_socket_stays_usable(server: RunningServer) -> None:
    player = server.new_pair()[0]
    with live(player) as wire:
        for name, payload in MESSAGES.items():
            message = answer(wire.send(framed(payload)))
            assert (message["type"], message["ply"]) == ("error", 0), name
            assert str(message["detail"]).isprintable(), name
            assert is_usable(wire), name
    assert player.view()["ply"] == 0


def test_a_violation_of_the_protocol_closes_the_socket_with_a_code(server: RunningServer) -> None:
    player = server.new_pair()[0]
    for name, (code, data) in FRAMES.items():
        with live(player) as wire:
            assert wire.send(data).frame().code == code, name
            assert wire.ended(), name


def test_unusual_but_valid_frames_are_answered(server: RunningServer) -> None:
    with live(server.new_pair()[0]) as wire:
        for name, data in ANSWERED.items():
            assert answer(wire.send(data))["type"] == "accepted", name
            assert is_usable(wire), name


def test_control_frames_are_answered_even_within_a_message(server: RunningServer) -> None:
    with live(server.new_pair()[0]) as wire:
        wire.send(framed(b"unasked", PONG) + framed(b"hello", PING))
        assert wire.frame() == (PONG, b"hello")
        wire.send(framed(b'{"type": ', final=False) + framed(b"", PING) + framed(b'"ping"}', 0))
        assert wire.frame() == (PONG, b"")
        assert answer(wire)["type"] == "accepted"


def test_watchers_may_disconnect_at_any_time(server: RunningServer) -> None:
    first, second = server.new_pair()
    with live(second) as faithful:
        for _ in range(20):
            with Wire(server) as wire:
                assert wire.upgrade(first.match).status == 101
                wire.socket.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        assert first.play(0, "5").status_code == 200
        assert faithful.message()["ply"] == 1


def test_messages_with_random_mistakes_get_one_answer_each(server: RunningServer) -> None:
    rng = random.Random(4)
    good = [
        rb'{"type": "action", "action": "play", "ply": 0, "move": "5", "key": "k"}',
        rb'{"type": "action", "action": "undo", "id": "\u0041"}',
    ]
    with live(server.new_pair()[0]) as wire:
        for _ in range(300):
            answer(wire.send(framed(mutated(rng.choice(good), rng), BINARY)))
        assert is_usable(wire)


def test_frames_with_random_mistakes_are_survived(server: RunningServer) -> None:
    rng = random.Random(4)
    player = server.new_pair()[0]
    for _ in range(100):
        with live(player) as wire:
            wire.send(mutated(framed(b'{"type": "ping"}') * 2, rng)).finish()
            while not wire.ended():
                pass
