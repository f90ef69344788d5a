"""Problems: why the service does not do what a client asked for."""

from typing import Any

STATUS = {
    "bad-request": 400,
    "no-token": 401,
    "wrong-token": 403,
    "not-your-turn": 403,
    "foreign-origin": 403,
    "not-found": 404,
    "wrong-method": 405,
    "too-slow": 408,
    "ply-played": 409,
    "ply-ahead": 409,
    "seat-taken": 409,
    "not-begun": 409,
    "over": 409,
    "not-over": 409,
    "not-now": 409,
    "no-help": 409,
    "not-offered": 409,
    "other-words": 409,
    "no-game": 409,
    "too-large": 413,
    "unknown-host": 421,
    "invalid": 422,
    "illegal-move": 422,
    "invalid-choice": 422,
    "wrong-version": 426,
    "too-many": 429,
    "headers-too-large": 431,
    "fault": 500,
    "unknown-coding": 501,
    "unavailable": 503,
}


class Problem(Exception):  # noqa: N818 - the word of RFC 9457
    """A code with its HTTP status, a sentence for a person, and further fields for programs."""

    def __init__(self, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.status = STATUS[code]
        self.headers = headers or {}
        self.delay_seconds = 0.0  # before the client gets the answer
        self.more = more


def unavailable(detail: str) -> Problem:
    """Return the problem of a temporary failure; the client may try again after a second."""
    return Problem("unavailable", detail, headers={"Retry-After": "1"})


def no_token(detail: str, **more: Any) -> Problem:
    """Return the problem of a request without a usable token."""
    return Problem("no-token", detail, headers={"WWW-Authenticate": 'Bearer realm="seat"'}, **more)
