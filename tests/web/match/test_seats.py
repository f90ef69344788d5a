"""The permission matrix: every route and socket message, for every kind of caller, in every state of a match."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from duelbook.play.actions import ActionName
from duelbook.web.app import ROUTES, SOCKETS
from duelbook.web.problems import STATUS
from duelbook.web.schemas.messages import ClientMessage
from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import answer_to, ask, next_view
from tests.web.http.test_records import RECORD

# The answer to each kind of caller. `any`: every state of a match. A socket that was not opened takes no messages (-).
# Each ACTION is sent over HTTP and over the socket.
TABLE = """
request                           | match   | no token    | malformed  | wrong token | mover       | opponent
GET /api/games                    | any     | 200         | 200        | 200         | 200         | 200
GET /api/games/{game}/demonstration | any   | 200         | 200        | 200         | 200         | 200
GET /api/demonstrations           | any     | 200         | 200        | 200         | 200         | 200
GET /api/games/{game}/variant     | any     | 200         | 200        | 200         | 200         | 200
GET /api/games/{game}/rules | any   | 200         | 200        | 200         | 200         | 200
GET /api/games/{game}/lesson | any   | 200         | 200        | 200         | 200         | 200
GET /api/games/{game}/lesson/answer | any   | invalid     | invalid    | invalid     | invalid     | invalid
GET /api/docs                     | any     | 200         | 200        | 200         | 200         | 200
GET /api/openapi.json             | any     | 200         | 200        | 200         | 200         | 200
GET /api/solve/{game}             | any     | 200         | 200        | 200         | 200         | 200
GET /api/hint/{game}              | any     | 200         | 200        | 200         | 200         | 200
GET /api/positions/{game}         | any     | 200         | 200        | 200         | 200         | 200
GET /api/previews/{game}          | any     | 200         | 200        | 200         | 200         | 200
GET /api/typed-moves/{game}       | any     | invalid     | invalid    | invalid     | invalid     | invalid
GET /api/puzzles/daily            | any     | 200         | 200        | 200         | 200         | 200
GET /api/puzzles/{game}           | any     | 200         | 200        | 200         | 200         | 200
GET /api/puzzles/{game}/levels    | any     | 200         | 200        | 200         | 200         | 200
GET /api/matches                  | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/home.png            | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/games/{game}.png    | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/positions/{game}.png| any     | 200         | 200        | 200         | 200         | 200
GET /pictures/puzzles/daily.png   | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/puzzles/{game}.png  | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/matches/{match}.png | any     | 200         | 200        | 200         | 200         | 200
GET /pictures/matches/{match}.svg | any     | 200         | 200        | 200         | 200         | 200
POST /api/review                  | any     | 200         | 200        | 200         | 200         | 200
POST /api/matches                 | any     | 201         | 201        | 201         | 201         | 201
GET /api/matches/{match}          | any     | 200         | 200        | 200         | 200         | 200
GET /api/matches/{match}/moves    | any     | 200         | 200        | 200         | 200         | 200
GET /api/matches/{match}/record   | waiting | not-begun   | not-begun  | not-begun   | not-begun   | -
GET /api/matches/{match}/record   | running | 200         | 200        | 200         | 200         | 200
GET /api/matches/{match}/record   | ended   | 200         | 200        | 200         | 200         | 200
GET /api/matches/{match}/review   | waiting | not-over    | not-over   | not-over    | not-over    | -
GET /api/matches/{match}/review   | running | not-over    | not-over   | not-over    | not-over    | not-over
GET /api/matches/{match}/review   | ended   | 200         | 200        | 200         | 200         | 200
POST /api/matches/{match}/hint    | any     | no-token    | no-token   | wrong-token | no-help     | no-help
POST /api/matches/{match}/solution | any    | no-token    | no-token   | wrong-token | no-help     | no-help
POST /api/matches/{match}/join    | waiting | 200         | 200        | 200         | 200         | -
POST /api/matches/{match}/join    | running | seat-taken  | seat-taken | seat-taken  | seat-taken  | seat-taken
POST /api/matches/{match}/join    | ended   | seat-taken  | seat-taken | seat-taken  | seat-taken  | seat-taken
ACTION play undo agree decline give resign claim | waiting | no-token | no-token | wrong-token | not-begun | -
ACTION play                       | running | no-token    | no-token   | wrong-token | 200         | not-your-turn
ACTION undo                       | running | no-token    | no-token   | wrong-token | not-now     | 200
ACTION agree give                 | running | no-token    | no-token   | wrong-token | not-now     | not-now
ACTION decline resign             | running | no-token    | no-token   | wrong-token | 200         | 200
ACTION claim                      | running | no-token    | no-token   | wrong-token | not-now    | 200
ACTION play undo agree decline give claim | ended | no-token   | no-token   | wrong-token | over        | over
ACTION resign                     | ended   | no-token    | no-token   | wrong-token | over        | 200
GET /api/challenges               | any     | 200         | 200        | 200         | 200         | 200
GET /api/matches/{match}/qr       | any     | 200         | 200        | 200         | 200         | 200
POST /api/matches/{match}/challenge | waiting | no-token  | no-token   | wrong-token | 200         | -
POST /api/matches/{match}/challenge | running | no-token  | no-token   | wrong-token | seat-taken  | seat-taken
POST /api/matches/{match}/challenge | ended | no-token    | no-token   | wrong-token | seat-taken  | seat-taken
GET /api/matches/{match}/seat     | waiting | no-token    | no-token   | wrong-token | 200         | -
GET /api/matches/{match}/seat     | running | no-token    | no-token   | wrong-token | 200         | 200
GET /api/matches/{match}/seat     | ended   | no-token    | no-token   | wrong-token | 200         | 200
POST /api/matches/{match}/seat    | waiting | no-token    | no-token   | wrong-token | 200         | -
POST /api/matches/{match}/seat    | running | no-token    | no-token   | wrong-token | 200         | 200
POST /api/matches/{match}/seat    | ended   | no-token    | no-token   | wrong-token | 200         | 200
POST /api/matches/{match}/rematch | waiting | no-token    | no-token   | wrong-token | not-over    | -
POST /api/matches/{match}/rematch | running | no-token    | no-token   | wrong-token | not-over    | not-over
POST /api/matches/{match}/rematch | ended   | no-token    | no-token   | wrong-token | 200         | 200
WS /api/matches/{match}/live      | any     | 101         | no-token   | wrong-token | 101         | 101
MESSAGE view                      | any     | accepted    | -          | -           | accepted    | accepted
MESSAGE ping                      | any     | accepted    | -          | -           | accepted    | accepted
MESSAGE rematch                   | any     | invalid     | -          | -           | invalid     | invalid
MESSAGE unreadable                | any     | bad-request | -          | -           | bad-request | bad-request
"""
KINDS = ("no token", "malformed", "wrong token", "mover", "opponent")
STATES = ("waiting", "running", "ended")
NO_MESSAGES = ("rematch", "unreadable")  # not accepted by sockets
BODIES: dict[str, Any] = {
    "POST /api/review": RECORD,
    "POST /api/matches": {"game": "charge", "opponent": "friend"},
    "POST /api/matches/{match}/hint": {"ply": 0},
    "POST /api/matches/{match}/solution": {"ply": 0},
}
ACTIONS = get_args(ActionName)
FIELDS = {"play": {"ply": 1, "move": "8"}}  # of actions
HTTP_ACTION = "POST /api/matches/{match}/actions"

Row = tuple[str, str, dict[str, str]]
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
        assert first.act("resign").status_code == 200
    return Stage(http, server, second, first, elsewhere, 4 if state == "ended" else 3)


def rows() -> Iterator[Row]:
    """Yield the rows of the table, one for each state: request, state, and the answer to each kind of caller."""
    head, *lines = ([cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines())
    assert head == ["request", "match", *KINDS]
    for request, state, *cells in lines:
        what, *names = request.split()
        for action in names if what == "ACTION" else []:
            no_token, _, _, *seated = ("accepted" if cell == "200" else cell for cell in cells)
            yield f"{HTTP_ACTION} {action}", state, dict(zip(KINDS, cells, strict=True))
            yield f"MESSAGE {action}", state, dict(zip(KINDS, (no_token, "-", "-", *seated), strict=True))
        if what == "ACTION":
            continue
        for one in STATES if state == "any" and ("{match}" in request or "MESSAGE" in request) else [state]:
            yield request, one, dict(zip(KINDS, cells, strict=True))


def requests() -> Iterator[str]:
    """Yield every request that the application knows under /api and /pictures, and every message of its socket."""
    of_routes = [f"{route.method} {route.path}" for route in ROUTES if route.path.startswith(("/api", "/pictures"))]
    yield from (request for request in of_routes if request != HTTP_ACTION)
    yield from (f"{way} {action}" for way in (HTTP_ACTION, "MESSAGE") for action in ACTIONS)
    yield from (f"WS {path}" for path in SOCKETS)
    tags = [message.__struct_config__.tag for message in get_args(ClientMessage)]
    yield from (f"MESSAGE {tag}" for tag in tags if tag != "action")


def test_every_route_and_every_message_has_its_rows() -> None:
    of_a_match = [request for request in requests() if "{match}" in request or "MESSAGE" in request]
    wanted = [(request, state) for request in of_a_match for state in STATES]
    wanted += [(request, "any") for request in requests() if request not in of_a_match]
    wanted += [(f"MESSAGE {kind}", state) for kind in NO_MESSAGES for state in STATES]
    assert sorted(wanted) == sorted((request, state) for request, state, _ in rows())


@pytest.mark.parametrize("state", ["any", *STATES])
def test_every_caller_gets_the_answer_in_the_table(server: RunningServer, state: str) -> None:
    wrong = []
    with server.client(cookies=server.http.cookies) as http:
        elsewhere = server.new_match()
        at = stage(http, server, state, elsewhere)
        for request, _, cells in (row for row in rows() if row[1] == state):
            for kind, cell in cells.items():
                if request.endswith(" claim"):
                    at = stage(http, server, state, elsewhere)  # where nobody has had a socket open
                for who in list(at.callers(kind))[: ways(request, cells)] if cell != "-" else []:
                    got = ask_for(at, request, at.callers(kind)[who])
                    if got != cell:
                        wrong.append(f"{request}, {kind}, {who}: {got}, not {cell}")
                    if is_change(request) and got in ("200", "accepted"):
                        at = stage(http, server, state, elsewhere)
            if not at.is_untouched():
                wrong.append(f"{request} has changed something")
                at = stage(http, server, state, elsewhere)
    assert not wrong


def test_a_cookie_alone_gives_its_token_only_to_a_link_that_is_followed(server: RunningServer) -> None:
    player = server.new_match()
    path, own = f"/api/matches/{player.match}/seat", cookie(player.match, player.token)
    with server.client() as http:
        for answer in (
            http.post(path, json={}, headers=own),
            http.get(path, headers=own),
            *(http.get(path, headers={**own, "Sec-Fetch-Mode": mode}) for mode in ("cors", "same-origin", "no-cors")),
        ):
            assert (answer.status_code, answer.json()["code"]) == (401, "no-token")
            assert player.token not in answer.text
        file = http.get(path, headers={**own, "Sec-Fetch-Mode": "navigate"})
        assert file.json()["seats"] == [{"id": player.match, "token": player.token}]
        assert file.headers["content-disposition"].startswith("attachment")
        assert http.post(path, json={}, headers=bearer(player.token)).json()["token"] == player.token
        first, _ = server.new_pair()
        first.act("resign")
        for headers, shown in ((cookie(first.match, first.token), False), (bearer(first.token), True)):
            again = http.post(f"/api/matches/{first.match}/rematch", json={}, headers=headers)
            assert (bool(again.json()["token"]), "HttpOnly" in again.headers["set-cookie"]) == (shown, True)


def ways(request: str, cells: dict[str, str]) -> int:
    """Return how many callers of each kind send the request: all, one by its token and one by a cookie, or one."""
    if request in (f"{HTTP_ACTION} play", "WS /api/matches/{match}/live", "MESSAGE play"):
        return 99
    if request.endswith("/seat"):
        return 1  # a test of its own has the cookies
    return 1 if len(set(cells.values())) == 1 or request.startswith("MESSAGE") else 2


def is_change(request: str) -> bool:
    return request.startswith("POST") or request.removeprefix("MESSAGE ") in ACTIONS


def ask_for(at: Stage, request: str, headers: Headers) -> str:
    """Return the status, `accepted` for a message, or the code of the problem."""
    method, path, *actions = request.split(" ")
    if method == "MESSAGE":
        return send(at, path, headers)
    if method == "WS":
        return opened(at, headers)
    path = path.format(match=at.match, game="charge")
    answer = at.http.request(
        method, path, headers=headers, json=action_body(*actions) if actions else BODIES.get(request)
    )
    return str(answer.status_code) if answer.is_success else code(answer.status_code, answer.headers, answer.text)


def action_body(action: str) -> dict[str, Any]:
    return {"action": action, **FIELDS.get(action, {})}


def opened(at: Stage, headers: Headers) -> str:
    """Return the result of the handshake; a refused one is an HTTP answer like any other."""
    try:
        with at.live(headers) as live:
            assert next_view(live)["match"]["id"] == at.match
            return "101"
    except InvalidStatus as refusal:
        response = refusal.response
        return code(response.status_code, response.headers, (response.body or b"").decode())


def send(at: Stage, kind: str, headers: Headers) -> str:
    """Return the answer to a message; every answer includes the current ply."""
    with at.live(headers) as live:
        ply = next_view(live)["ply"]
        if kind in ACTIONS:
            answer = ask(live, "action", **action_body(kind))
        else:
            answer = ask(live, kind) if kind != "unreadable" else answer_to(live, "{")
        if answer["type"] == "accepted":
            assert answer["ply"] == at.mover.view()["ply"]
            return "accepted"
        assert answer["ply"] == ply
        assert answer["status"] == STATUS[answer["code"]]
        return str(answer["code"])


def code(status: int, headers: Mapping[str, str], text: str) -> str:
    """Return the code of a problem, and check that it has its documented status."""
    problem = json.loads(text)
    assert headers["content-type"] == "application/problem+json"
    assert status == problem["status"] == STATUS[problem["code"]]
    assert ("www-authenticate" in headers) == (status == 401)
    return str(problem["code"])


def test_the_codes_have_the_statuses_that_are_documented() -> None:
    expected = {"no-token": 401, "wrong-token": 403, "not-your-turn": 403, "invalid": 422, "bad-request": 400}
    expected |= dict.fromkeys(("over", "not-over", "not-begun", "seat-taken"), 409)
    assert {name: STATUS[name] for name in expected} == expected
