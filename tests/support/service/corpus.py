"""Malformed input that a service has to survive, as people, programs and attackers send it."""

import random
import re
import tomllib
from pathlib import Path

from tests.support.service.raw import BINARY, CLOSE, CONTINUATION, MASK, PING, framed, request

MATCHES = "/api/matches"
GOOD = b'{"game": "charge", "opponent": "friend"}'


def read_bytes(text: str) -> bytes:
    """Return the bytes of a text of the corpus: each character is a byte, and `<x×9>` is nine times x."""
    return re.sub("<(.{1,6}?)×(\\d+)>", lambda found: found[1] * int(found[2]), text, flags=re.DOTALL).encode("latin-1")


DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
BODIES: dict[str, tuple[int, bytes]] = {  # the expected status, and the body
    "UTF-16": (400, GOOD.decode().encode("utf-16")),
    "UTF-32": (400, GOOD.decode().encode("utf-32-le")),
    **{name: (status, read_bytes(body)) for name, (status, body) in DATA["bodies"].items()},
    **{name: (status, GOOD[:-1] + b", %s}" % read_bytes(more)) for name, (status, more) in DATA["fields"].items()},
}
REQUESTS: dict[str, tuple[int, bytes]] = {}
for name, (status, *texts) in DATA["posts"].items():
    REQUESTS[name] = status, request("POST", MATCHES, GOOD, tuple(map(read_bytes, texts)))
for name, (status, *texts) in DATA["chunks"].items():
    chunks, *headers = map(read_bytes, texts)
    REQUESTS[name] = status, request("POST", MATCHES, chunks, ("Transfer-Encoding: chunked", *headers))
for name, (status, text) in DATA["headers"].items():
    REQUESTS[name] = status, b"GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n" % read_bytes(text)
for name, (status, text) in DATA["requests"].items():
    REQUESTS[name] = status, read_bytes(text)
PATHS: dict[str, int] = {read_bytes(path).decode(): status for path, status in DATA["paths"].items()}
MESSAGES = {name: read_bytes(message) for name, message in DATA["messages"].items()}


FRAMES: dict[str, tuple[int, bytes]] = {  # violations of the protocol, and the code that closes the socket
    "a frame of 4,097 bytes": (1009, framed(b" " * 4097)),
    "a frame of eight megabytes": (1009, b"\x81\xff" + (8_000_000).to_bytes(8, "big") + b" " * 8_000_000),
    "a frame that says it is endless": (1009, b"\x81\xff" + b"\xff" * 8 + MASK),
    "fragments that are too large together": (
        1009,
        framed(b" " * 3000, final=False) + framed(b" " * 3000, CONTINUATION),
    ),
    "fragments without end": (1009, framed(b" ", final=False) + framed(b"", CONTINUATION, final=False) * 100),
    "a continuation of nothing": (1002, framed(b"x", CONTINUATION)),
    "a message inside another": (1002, framed(b" ", final=False) + framed(b"{}")),
    "text that is not UTF-8": (1007, framed(b"\xff\xfe")),
    "text that is not UTF-8 in fragments": (1007, framed(b"\xc3", final=False) + framed(b"(", CONTINUATION)),
    "a surrogate as UTF-8": (1007, framed(b'"\xed\xa0\x80"')),
    "a frame without a mask": (1002, framed(b'{"type": "ping"}', masked=False)),
    "a reserved bit": (1002, framed(b'{"type": "ping"}', reserved=4)),
    "a reserved opcode": (1002, framed(b"x", 3)),
    "a reserved control opcode": (1002, framed(b"x", 11)),
    "a ping that is too long": (1002, framed(b"x" * 126, PING)),
    "a ping in fragments": (1002, framed(b"x", PING, final=False)),
    "a close of one byte": (1002, framed(b"x", CLOSE)),
    "a close with a code that is none": (1002, framed(b"\x00\x00", CLOSE)),
    "a close that is not UTF-8": (1007, framed(b"\x03\xe8\xff", CLOSE)),
    "a close": (1000, framed(b"\x03\xe8", CLOSE)),
}

ANSWERED: dict[str, bytes] = {  # unusual, but valid
    "a ping as bytes": framed(b'{"type": "ping"}', BINARY),
    "a ping in fragments": framed(b'{"type": ', final=False) + framed(b'"ping"}', CONTINUATION),
    "a ping in 64 fragments": framed(b'{"type": "ping"}', final=False)
    + framed(b" ", CONTINUATION, final=False) * 62
    + framed(b"", CONTINUATION),
}


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few of them lost, doubled, changed or added."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([0, 1, 1, 2, 10]))
        fresh = rng.choice([b"", data[start:end] * 2, rng.randbytes(1), b'"', b"\r\n", b"\x00", b"9" * 20])
        data = data[:start] + fresh + data[end:]
    return data
