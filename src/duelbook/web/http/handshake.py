"""The usual handshake of a WebSocket, checked on the headers that the HTTP parser has read already.

The WebSocket library would parse them a second time. It still answers every handshake that is not the usual one.
"""

import binascii
from collections.abc import Sequence

from websockets.utils import accept_key

MAX_BYTES = 4096  # of the headers; the library decides about more
KEY_BYTES = 16
WEBSOCKET_VERSION = b"13"
LEFT_TO_LIBRARY = {b"content-length", b"transfer-encoding", b"sec-websocket-protocol"}

Headers = Sequence[tuple[bytes, bytes]]


def usual_accept(method: str, version: str, headers: Headers) -> str | None:
    """Return the `Sec-WebSocket-Accept` of the response, or None if the library has to look at the handshake.

    The caller has checked that the client asks for a WebSocket.
    """
    found = dict(headers)
    if method != "GET" or version != "1.1" or len(found) != len(headers) or LEFT_TO_LIBRARY & found.keys():
        return None
    joined = b"".join(found.values())
    if found.get(b"sec-websocket-version") != WEBSOCKET_VERSION or not joined.isascii() or len(joined) > MAX_BYTES:
        return None
    key = found.get(b"sec-websocket-key", b"")
    try:
        random_bytes = binascii.a2b_base64(key, strict_mode=True)
    except binascii.Error:
        return None
    return accept_key(key.decode()) if len(random_bytes) == KEY_BYTES else None


def accepting_response(accept: str, headers: Headers) -> bytes:
    """Return the response that opens the socket."""
    lines = b"".join(b"%s: %s\r\n" % header for header in headers)
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: %s\r\n%s\r\n" % (accept.encode(), lines)
    )
