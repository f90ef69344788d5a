"""Malformed input that a service has to survive, as people, programs and attackers send it."""

import random

from tests.support.service.raw import BINARY, CLOSE, CONTINUATION, MASK, PING, framed, request

MATCHES = "/api/matches"
GOOD = b'{"game": "charge", "opponent": "friend"}'
HOST = b"Host: localhost\r\n\r\n"


def body_with(field: bytes) -> bytes:
    """Return a body that is valid except for one field."""
    return GOOD.replace(b"}", b", %s}" % field)


BODIES: dict[str, tuple[int, bytes]] = {  # the expected status, and the body
    "a lone surrogate": (400, body_with(rb'"name": "\ud800"')),
    "surrogates in the wrong order": (400, body_with(rb'"name": "\udc00\ud800"')),
    "a lone surrogate in a key": (400, body_with(rb'"\ud800": 1')),
    "NaN": (400, body_with(b'"time_limit": NaN')),
    "Infinity": (400, body_with(b'"time_limit": Infinity')),
    "minus Infinity": (400, body_with(b'"time_limit": -Infinity')),
    "1e999": (422, body_with(b'"time_limit": 1e999')),
    "1e999 as an option": (422, body_with(b'"options": {"goal": 1e999}')),
    "2 to the 70th": (422, body_with(b'"options": {"goal": %d}' % 2**70)),
    "a number of 4,000 digits": (422, body_with(b'"options": {"goal": 1%s}' % (b"0" * 4000))),
    "a number of 5,000 digits": (400, body_with(b'"options": {"goal": 1%s}' % (b"0" * 5000))),
    "minus zero": (422, body_with(b'"time_limit": -0.0')),
    "a number with a leading zero": (400, body_with(b'"time_limit": 01')),
    "true for a number": (422, body_with(b'"time_limit": true')),
    "text for a number": (422, body_with(b'"time_limit": "60"')),
    "NUL in a game": (422, body_with(b"").replace(b", }", b"}").replace(b"charge", rb"charge\u0000")),
    "NUL in an option": (422, body_with(rb'"options": {"\u0000": "\u0000"}')),
    "a raw NUL": (400, body_with(b'"name": "\x00"')),
    "a raw line end in text": (400, body_with(b'"name": "\n"')),
    "the same key twice": (400, body_with(b'"game": "charge"')),
    "the same key twice inside": (400, body_with(b'"options": {"goal": 9, "goal": 10}')),
    "an unknown key": (422, body_with(b'"__proto__": {}')),
    "8,000 open brackets": (400, b"[" * 8000),
    "4,000 brackets open and closed": (400, b"[" * 4000 + b"]" * 4000),
    "900 brackets open and closed": (422, b"[" * 900 + b"]" * 900),
    "900 objects": (422, b'{"a":' * 900 + b"1" + b"}" * 900),
    "deep options with a surrogate": (
        400,
        body_with(rb'"options": {"a": "\ud800", "b": %s}' % (b"[" * 900 + b"]" * 900)),
    ),
    "bytes that are not UTF-8": (400, body_with(b'"name": "\xff"')),
    "an overlong slash": (400, body_with(b'"name": "\xc0\xaf"')),
    "a surrogate as UTF-8": (400, body_with(b'"name": "\xed\xa0\x80"')),
    "a byte order mark": (400, b"\xef\xbb\xbf" + GOOD),
    "UTF-16": (400, GOOD.decode().encode("utf-16")),
    "UTF-32": (400, GOOD.decode().encode("utf-32-le")),
    "text of 8,000 characters": (422, body_with(b'"name": "%s"' % (b"x" * 8000))),
    "a body of white space": (400, b" \n" * 100),
    "an array": (422, b"[]"),
    "a number": (422, b"1"),
    "null": (422, b"null"),
    "text": (422, b'"charge"'),
    "half an object": (400, GOOD[:-1]),
    "two objects": (400, GOOD + GOOD),
    "a comment": (400, GOOD + b"// hi"),
    "a trailing comma": (400, body_with(b"")),
    "XML": (400, b"<game>charge</game>"),
    "100,000 brackets": (413, b"[" * 100_000),
    "one byte too many": (413, b" " * 8193),
    "a megabyte": (413, b" " * 1_000_000),
    "five megabytes": (413, b" " * 5_000_000),
}


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

PATHS = {
    "/%00": 404,
    "/%": 404,
    "/%zz": 404,
    "//": 404,
    "/..": 404,
    "/static/..%2f..%2fetc%2fpasswd": 404,
    "/api/matches/%00": 404,
    "/api/matches/%2e%2e%2f": 404,
    "/api/matches/..%2f..%2fetc%2fpasswd": 404,
    "/api/matches/%F0%9F%92%A9": 404,
    "/api/matches/%ff%fe": 404,
    "/api/matches/%0d%0aSet-Cookie:%20a=b": 404,
    f"/api/matches/{'0' * 24}%0a": 404,
    f"/api/matches/{'0' * 24}/qr": 404,
    f"/api/matches/{'0' * 24}/moves?since=-1": 422,
    f"/api/matches/{'0' * 24}/moves?since={'9' * 5000}": 422,
    f"/api/matches/{'0' * 24}/moves?since=%D9%A5x": 422,
    "/api/solve/%2fetc%2fpasswd": 404,
    "/api/solve/..%2fcharge": 404,
    "/api/solve/charge%00": 404,
    "/api/solve/charge?option=%00": 422,
    "/api/solve/charge?option=goal%3D%00": 422,
    "/api/solve/charge?option=goal%3D1e9": 422,
    "/api/solve/charge?option=%ff%fe&after=%ed%a0%80": 422,
    "/api/solve/charge?after=%1b%5B31m%E2%80%AE": 422,
    f"/api/solve/charge?after={'x' * 4001}": 422,
    f"/api/solve/charge?{'option=goal%3D9&' * 17}": 422,
    "/api/puzzles/crystal-capture?seed=5%0a": 422,
    "/api/puzzles/crystal-capture?seed=%D9%A5": 422,
    "/api/puzzles/crystal-capture?level=99999999999999999999": 422,
    "/api/puzzles/crystal-capture?level=NaN": 422,
    "/api/puzzles/crystal-capture?seed=1&try=%00": 422,
}

MESSAGES: dict[str, bytes] = {  # answered with an error; the socket stays open
    "nothing": b"",
    "an array": b"[]",
    "a number": b"1",
    "null": b"null",
    "text": b'"action"',
    "an empty object": b"{}",
    "a type that is a number": b'{"type": 1}',
    "a type that is null": b'{"type": null}',
    "a type that is an array": b'{"type": ["ping"]}',
    "an unknown type": b'{"type": "rematch"}',
    "an unknown field": b'{"type": "ping", "x": 1}',
    "an id that is a number": b'{"type": "ping", "id": 1}',
    "an id that is too long": b'{"type": "ping", "id": "%s"}' % (b"x" * 65),
    "a move without a ply": b'{"type": "action", "action": "play", "move": "1"}',
    "a ply of 1e999": b'{"type": "action", "action": "play", "ply": 1e999, "move": "1"}',
    "a ply of 2 to the 70th": b'{"type": "action", "action": "play", "ply": %d, "move": "1"}' % 2**70,
    "a ply of minus zero": b'{"type": "action", "action": "play", "ply": -0.0, "move": "1"}',
    "a ply of NaN": b'{"type": "action", "action": "play", "ply": NaN, "move": "1"}',
    "a ply that is true": b'{"type": "action", "action": "play", "ply": true, "move": "1"}',
    "a ply that is text": b'{"type": "action", "action": "play", "ply": "0", "move": "1"}',
    "a move that is a number": b'{"type": "action", "action": "play", "ply": 0, "move": 1}',
    "a lone surrogate": rb'{"type": "action", "action": "play", "ply": 0, "move": "\ud800"}',
    "NUL as a move": rb'{"type": "action", "action": "play", "ply": 0, "move": "\u0000"}',
    "marks that steer a terminal": rb'{"type": "action", "action": "play", "ply": 0, "move": "\u001b[31m\u202e\u009b"}',
    "a key that is too long": b'{"type": "action", "action": "play", "ply": 0, "move": "1", "key": "%s"}' % (b"k" * 65),
    "a key with a line end": rb'{"type": "action", "action": "play", "ply": 0, "move": "1", "key": "k\n"}',
    "an action that is a number": b'{"type": "action", "action": 1}',
    "an unknown action": b'{"type": "action", "action": "dance"}',
    "a key that the action does not take": b'{"type": "action", "action": "undo", "key": "k"}',
    "the same key twice": b'{"type": "ping", "type": "ping"}',
    "4,000 brackets": b"[" * 4000,
    "600 objects": b'{"a":' * 600 + b"1" + b"}" * 600,
    "4,000 digits": b"9" * 4000,
    "a byte order mark": b'\xef\xbb\xbf{"type": "ping"}',
    "a raw NUL": b"\x00",
    "half an object": b'{"type": "ping"',
    "white space to the limit": b" " * 4096,
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
