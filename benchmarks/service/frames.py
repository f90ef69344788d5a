"""WebSocket frames, as far as our server sends them and wants them."""

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL = MASKED = 0x80
SHORT = 125  # bytes that the second byte of a frame can count
NO_MASK = bytes(4)  # a mask that changes nothing is one, too, and costs nothing


class FrameError(Exception):
    """Something that our server does not send."""


def framed(kind: int, payload: bytes = b"") -> bytes:
    """Answer the frame that a client sends."""
    size = len(payload)
    if size <= SHORT:
        return bytes((FINAL | kind, MASKED | size)) + NO_MASK + payload
    return bytes((FINAL | kind, MASKED | 126)) + size.to_bytes(2) + NO_MASK + payload


def unframed(received: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """Answer the whole frames that a server has sent, each with its kind, and the rest."""
    found, at = [], 0
    while len(received) - at >= 2:
        if not received[at] & FINAL:
            raise FrameError("a message in several frames")
        size, start = received[at + 1], at + 2
        if size > SHORT:
            start += 2 if size == 126 else 8
            size = int.from_bytes(received[at + 2 : start]) if len(received) >= start else len(received)
        if len(received) < start + size:
            break
        found.append((received[at] & 0x0F, received[start : start + size]))
        at = start + size
    return found, received[at:]
