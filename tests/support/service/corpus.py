"""Malformed input that a service has to survive, as people, programs and attackers send it."""

import random
import re
import tomllib
from pathlib import Path

from tests.support.service.raw import BINARY, CLOSE, CONTINUATION, MASK, PING, framed, request

MATCHES = "/api/matches"
GOOD = b'{"game": "charge", "opponent": "friend"}'
HOST = b"Host: localhost\r\n\r\n"


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
PATHS: dict[str, int] = {read_bytes(path).decode(): status for path, status in DATA["paths"].items()}
MESSAGES = {name: read_bytes(message) for name, message in DATA["messages"].items()}


def chunked(chunks: bytes, *headers: str) -> bytes:
    return request("POST", MATCHES, chunks, ("Transfer-Encoding: chunked", *headers))


def with_length(*lengths: str) -> bytes:
    return request("POST", MATCHES, GOOD, tuple(f"Content-Length: {length}" for length in lengths))


def with_type(kind: bytes) -> bytes:
    return request("POST", MATCHES, GOOD, (b"Content-Type: " + kind,))


REQUESTS: dict[str, tuple[int, bytes]] = {
    "no body": (422, b"POST /api/matches HTTP/1.1\r\n" + HOST),
    "an empty body": (422, with_length("0").removesuffix(GOOD)),
    "plain text": (422, with_type(b"text/plain")),
    "a form": (422, with_type(b"application/x-www-form-urlencoded")),
    "a form of parts": (422, with_type(b"multipart/form-data; boundary=x")),
    "a type that is none": (422, with_type(b"\xff\xfe;;=")),
    "no type": (422, b"POST /api/matches HTTP/1.1\r\nContent-Length: 2\r\n" + HOST + b"{}"),
    "a chunk that is too short": (400, chunked(b"5\r\n%s\r\n0\r\n\r\n" % GOOD)),
    "a chunk that is too long": (400, chunked(b"fff\r\n%s\r\n0\r\n\r\n%s" % (GOOD, b"x" * 5000))),
    "a chunk without a size": (400, chunked(b"zz\r\n%s\r\n0\r\n\r\n" % GOOD)),
    "a chunk of a huge size": (400, chunked(b"f" * 20 + b"\r\n%s\r\n0\r\n\r\n" % GOOD)),
    "a chunk of a negative size": (400, chunked(b"-1\r\n%s\r\n0\r\n\r\n" % GOOD)),
    "chunks that are too large together": (413, chunked(b"1000\r\n%s\r\n" % (b" " * 4096) * 3 + b"0\r\n\r\n")),
    "a chunk of a megabyte": (413, chunked(b"f4240\r\n%s\r\n0\r\n\r\n" % (b" " * 1_000_000))),
    "a length and chunks": (400, chunked(b"0\r\n\r\n", "Content-Length: 5")),
    "chunked twice": (400, chunked(b"0\r\n\r\n", "Transfer-Encoding: chunked, identity")),
    "eight megabytes from who hangs up": (413, request("POST", MATCHES, b" " * 8_000_000, ("Connection: close",))),
    "a negative length": (400, with_length("-1")),
    "a length with a plus": (400, with_length("+40")),
    "a huge length": (400, with_length("9" * 30)),
    "a length of 5,000 digits": (400, with_length("9" * 5000)),
    "a length of 5,000 zeros": (422, with_length("0" * 5000 + "2").replace(GOOD, b"{}")),
    "a length of 5,001 digits": (413, with_length("0" * 4996 + "10000")),
    "a body in a coding that is not spoken": (501, chunked(b"0\r\n\r\n").replace(b": chunked", b": gzip, chunked")),
    "a length in hex": (400, with_length("0x28")),
    "a length in Arabic digits": (400, with_length("\u0664\u0660")),
    "an empty length": (400, with_length("")),
    "two lengths": (400, with_length("40", "40")),
    "two lengths that differ": (400, with_length("40", "4")),
    "a length beyond the limit": (413, with_length("9000")),
    "a header of 20,000 bytes": (431, request("GET", "/", headers=(b"X: " + b"x" * 20_000,))),
    "a header of five megabytes": (431, request("GET", "/", headers=(b"X: " + b"x" * 5_000_000,))),
    "5,000 headers": (431, request("GET", "/", headers=(b"X: 1",) * 5000)),
    "a path of 20,000 bytes": (431, request("GET", b"/" + b"x" * 20_000)),
    "a question of 20,000 bytes": (431, request("GET", b"/?" + b"x" * 20_000)),
    "garbage": (400, b"garbage\r\n\r\n"),
    "a TLS greeting": (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    "zeros": (400, b"\x00" * 100),
    "a method alone": (400, b"GET\r\n\r\n"),
    "HTTP of another world": (400, b"GET / HTTP/9.9\r\n" + HOST),
    "HTTP/2": (400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "an unknown method": (400, b"FROB / HTTP/1.1\r\n" + HOST),
    "a method in small letters": (400, b"get / HTTP/1.1\r\n" + HOST),
    "CONNECT": (400, b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST),
    "TRACE": (405, b"TRACE / HTTP/1.1\r\n" + HOST),
    "a star for a path": (404, b"OPTIONS * HTTP/1.1\r\n" + HOST),
    "no path": (400, b"GET ?x HTTP/1.1\r\n" + HOST),
    "a space in a path": (400, request("GET", b"/a b")),
    "raw bytes in a path": (400, request("GET", b"/\xff")),
    "raw UTF-8 in a question": (400, request("GET", b"/?\xc3\xa9")),
    "a control character in a header": (400, request("GET", "/", headers=(b"X: a\x00b",))),
    "a lone carriage return in a header": (400, request("GET", "/", headers=(b"X: a\rSet-Cookie: b",))),
    "a space in a header's name": (400, request("GET", "/", headers=(b"X Y: a",))),
    "a space after a header's name": (400, request("GET", "/", headers=(b"X : a",))),
    "a folded header": (400, request("GET", "/", headers=(b"X: a\r\n b",))),
    "a header without a colon": (400, request("GET", "/", headers=(b"XY",))),
    "a header without a name": (400, request("GET", "/", headers=(b": a",))),
    "no host": (421, b"GET / HTTP/1.1\r\n\r\n"),
    "two hosts": (421, request("GET", "/", headers=("Host: localhost", "Host: localhost"))),
    "another protocol with a body": (400, request("POST", MATCHES, GOOD, ("Connection: Upgrade", "Upgrade: h2c"))),
}

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
