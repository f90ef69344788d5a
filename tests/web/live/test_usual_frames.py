"""What is read without the WebSocket library is read exactly as the library and the strict reader would read it."""

import random

import msgspec
import pytest

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.web.http.frames import is_whole_frame, text_frame, usual_text
from duelbook.web.http.handshake import usual_accept
from duelbook.web.http.requests import read_plain_action
from duelbook.web.schemas.matches import Action
from duelbook.web.schemas.messages import ActionMessage
from tests.support.service.corpus import ANSWERED, FRAMES, mutated
from tests.support.service.harness import RunningServer
from tests.support.service.raw import BINARY, PING, answer, framed, is_usable, live

SENT = b'{"type": "ping"}'
HANDSHAKE = [
    (b"host", b"localhost"),
    (b"connection", b"keep-alive, Upgrade"),
    (b"upgrade", b"websocket"),
    (b"sec-websocket-version", b"13"),
    (b"sec-websocket-key", b"dGhlIHNhbXBsZSBub25jZQ=="),
]


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 4096])
def test_a_usual_frame_is_read(length: int) -> None:
    frame = framed(b"x" * length)
    assert is_whole_frame(frame)
    assert usual_text(frame, 4096) == b"x" * length


def test_no_other_frame_is_taken_for_a_usual_one() -> None:
    others = [framed(SENT, BINARY), framed(SENT, PING), framed(SENT, final=False), framed("é".encode())]
    assert all(is_whole_frame(frame) and usual_text(frame, 4096) is None for frame in others)
    assert usual_text(framed(b"x" * 4097), 4096) is None
    assert not any(is_whole_frame(frame) for frame in (b"", framed(SENT)[:-1], framed(SENT) * 2, text_frame(SENT)))
    assert all(not is_whole_frame(data) or usual_text(data, 4096) is None for _, data in FRAMES.values())


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_a_frame_for_clients_declares_its_length(length: int) -> None:
    frame = text_frame(b"x" * length)
    head = {0: 2, 125: 2, 126: 4, 65_535: 4, 65_536: 10}[length]
    assert (frame[0], frame[1] & 0x80, len(frame)) == (0x81, 0, head + length)
    assert head == 2 or int.from_bytes(frame[2:head], "big") == length


@pytest.mark.parametrize("kind", [ActionMessage, Action])
def test_an_action_in_plain_json_is_read_as_the_strict_reader_reads_it(kind: type[Action]) -> None:
    rng = random.Random(14)
    tag = b'"type": "action", ' if kind is ActionMessage else b""
    good = [
        b'{%s"action": "play", "ply": 12, "move": "5", "key": "k"}' % tag,
        b'{"ply": 0, "action": "play", %s"move": "pass"}' % tag,
        b'{%s"action": "undo", "ply": 3}' % tag,
    ]
    decoder = msgspec.json.Decoder(kind)
    taken = 0
    for _ in range(20_000):
        raw = mutated(rng.choice(good), rng)
        if action := read_plain_action(raw, decoder):
            taken += 1
            assert action == read(raw, kind), raw
    assert taken > 500
    for raw in good:
        assert read_plain_action(raw, decoder) == read(raw, kind)
        for twice in (raw.replace(b"{", b'{"ply": 1, '), raw.replace(b"}", b', "action": "resign"}')):
            assert read_plain_action(twice, decoder) is None
            with pytest.raises(RefusedError, match="twice"):
                read(twice, kind)


def test_only_the_usual_handshake_is_accepted_without_the_library() -> None:
    assert usual_accept("GET", "1.1", HANDSHAKE) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # the example of RFC 6455
    for change in (
        (b"sec-websocket-key", b"dGhlIHNhbXBsZSBub25jZQ=="),
        (b"origin", b"\xff"),
        (b"content-length", b"2"),
        (b"sec-websocket-protocol", b"chat"),
        (b"x", b"x" * 4096),
    ):
        assert usual_accept("GET", "1.1", [*HANDSHAKE, change]) is None
    for name, value in (
        (b"sec-websocket-version", b"8"),
        (b"sec-websocket-key", b"dGhl"),
        (b"sec-websocket-key", b"?"),
    ):
        assert usual_accept("GET", "1.1", [(one, value if one == name else old) for one, old in HANDSHAKE]) is None
    assert usual_accept("POST", "1.1", HANDSHAKE) is None
    assert usual_accept("GET", "1.0", HANDSHAKE) is None


@pytest.mark.usefixtures("calm")
def test_usual_and_unusual_frames_can_follow_each_other(server: RunningServer) -> None:
    rng = random.Random(14)
    with live(server.new_pair()[0]) as wire:
        for _ in range(100):
            frames = [rng.choice([framed(SENT), framed(SENT + b" " * 200), *ANSWERED.values()]) for _ in range(3)]
            data = b"".join(frames)
            cut = rng.choice([0, rng.randrange(len(data)), len(frames[0])])
            wire.send(data[:cut]).send(data[cut:])
            for _ in frames:
                assert answer(wire)["type"] == "accepted"
        assert is_usable(wire)
