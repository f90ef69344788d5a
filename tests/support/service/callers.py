"""All kinds of callers of a match, with the headers that they send."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.support.service.harness import Player, RunningServer

KINDS = ("no token", "malformed", "wrong token", "mover", "opponent")
STATES = ("waiting", "running", "ended")

Headers = dict[str, str]


@dataclass(frozen=True)
class Stage:
    """A match with its players, and a player of another match."""

    http: httpx.Client  # without cookies of its own
    server: RunningServer
    mover: Player
    opponent: Player | None
    elsewhere: Player
    version: int

    @property
    def match(self) -> str:
        return self.mover.match

    def is_untouched(self) -> bool:
        """Return True if nothing has changed in the match."""
        return bool(self.http.get(f"/api/matches/{self.match}").json()["version"] == self.version)

    def callers(self, kind: str) -> dict[str, Headers]:
        """Return the callers of that kind by name, with the headers that they send: the second ones send a cookie."""
        own, other = self.mover.token, self.elsewhere.token
        ways: dict[str, dict[str, Headers]] = {
            "no token": {
                "a spectator": {},
                "the cookie of another match, with this match's token": cookie(self.elsewhere.match, own),
                "the cookie of another match": cookie(self.elsewhere.match, other),
                "an empty authorization": {"Authorization": ""},
                "an empty cookie": cookie(self.match, ""),
            },
            "malformed": {
                "another scheme": {"Authorization": f"Basic {own}"},
                "no token after Bearer, but the cookie": {"Authorization": "Bearer", **cookie(self.match, own)},
                "no token after Bearer": {"Authorization": "Bearer"},
                "no scheme": {"Authorization": own},
            },
            "wrong token": {
                "the token of another match": bearer(other),
                "this match's cookie with the token of another": cookie(self.match, other),
                "a guess": bearer("x" * len(own)),
                "a token with more after it": bearer(own + "x"),
                "two tokens": bearer(f"{own} {own}"),
                "what is stored of the token": bearer(sha256(own.encode()).hexdigest()),
                "a guess, but the cookie": {**bearer("guess"), **cookie(self.match, own)},
            },
            "mover": {
                "the token": bearer(own),
                "the cookie": cookie(self.match, own),
                "the token after a small bearer": {"Authorization": f"bearer {own}"},
                "the cookie and an empty authorization": {"Authorization": "", **cookie(self.match, own)},
            },
            "opponent": {"the token": bearer(self.opponent.token)} if self.opponent else {},
        }
        return ways[kind]

    @contextmanager
    def live(self, headers: Headers) -> Iterator[ClientConnection]:
        """Open the live socket with these headers."""
        with connect(
            f"ws://127.0.0.1:{self.server.port}/api/matches/{self.match}/live", additional_headers=headers
        ) as live:
            yield live


def bearer(token: str) -> Headers:
    return {"Authorization": f"Bearer {token}"}


def cookie(match: str, token: str) -> Headers:
    return {"Cookie": f"duelbook-{match}={token}"}


def stage(http: httpx.Client, server: RunningServer, state: str, elsewhere: Player) -> Stage:
    """Return a new match: it waits for a friend, or one move has been played, or the opponent has also resigned."""
    if state == "waiting":
        return Stage(http, server, server.new_match(), None, elsewhere, 1)
    first, second = server.new_pair()
    assert first.play(0, "9").status_code == 200
    if state == "ended":
        assert first.post("resign").status_code == 200
    return Stage(http, server, second, first, elsewhere, 4 if state == "ended" else 3)
