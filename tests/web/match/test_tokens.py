"""Tokens are secrets: a player is shown theirs once, and nobody else ever is."""

import json
from hashlib import sha256
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import MetaData, create_engine, select

from tests.support.service.harness import Player, RunningServer
from tests.support.service.raw import Log
from tests.support.service.sockets import ask, next_view
from tests.web.conftest import Start, both_backends, new_settings

JOINING = "a-secret-of-the-friend-who-joins-0"


@pytest.fixture(scope="module")
def server(
    backend: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, serve: Start
) -> RunningServer:
    """A server that has logged nothing yet: after many lines about a client, it would leave some out."""
    return serve(**new_settings(backend, tmp_path_factory.mktemp("tokens"), request))


@pytest.fixture(scope="module")
def people(server: RunningServer) -> list[Player]:
    """Players who got their seats in every possible way, and have used them in every way."""
    one = server.new_match(name="Red")
    two = one.friend(name="Blue", key=JOINING)
    with one.live() as live:
        assert ask(live, "action", action="play", ply=0, move="9")["type"] == "accepted"
    two.play(1, "8")
    two.act("resign")
    rematch = [player.post("rematch").json() for player in (one, two)]
    stranger = Player(server, one.match, "first", "a-guess-that-is-not-right-but-could-be-nearly-so")
    assert stranger.play(2, "7").status_code == 403
    with server.client() as browser:
        made = browser.post("/api/matches", json={"game": "charge", "opponent": "random"}).json()
        browser.post(f"/api/matches/{made['id']}/actions", json={"action": "play", "ply": 0, "move": "block"})
    return [one, two, stranger, *(Player(server, new["id"], new["seat"], new["token"]) for new in (*rematch, made))]


def secrets_of(people: list[Player]) -> list[str]:
    return [JOINING, *(player.token for player in people)]


def stored(server: RunningServer) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table."""
    engine = create_engine(server.settings["database_url"])
    tables = MetaData()
    with engine.connect() as connection:
        tables.reflect(connection)
        found = {
            table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in tables.sorted_tables
        }
    engine.dispose()
    return found


def shared(server: RunningServer) -> str:
    """Return what Redis holds, if there is one."""
    if "redis_url" not in server.settings:
        return ""
    with Redis.from_url(server.settings["redis_url"]) as redis:
        return str(redis.keys("*"))


@both_backends
def test_no_token_is_in_the_database_or_in_redis(server: RunningServer, people: list[Player]) -> None:
    assert people[0].post("rematch").status_code == 200
    everything = shared(server) + json.dumps(stored(server), default=str)
    assert people[0].match in everything
    assert [secret for secret in secrets_of(people) if secret in everything] == []


def test_the_stored_hash_of_a_token_is_its_sha_256(server: RunningServer, people: list[Player]) -> None:
    kept = {(seat["match"], seat["seat"]): seat["token"] for seat in stored(server)["seats"]}
    seated = [player for player in people if "guess" not in player.token]
    assert len(seated) == 5
    for player in seated:
        assert kept[player.match, ["first", "second"].index(player.seat)] == sha256(player.token.encode()).hexdigest()


def test_no_token_is_in_a_public_answer_a_socket_message_a_metric_or_the_log(
    server: RunningServer, people: list[Player]
) -> None:
    secrets = secrets_of(people)
    hashes = [sha256(secret.encode()).hexdigest() for secret in secrets]
    match = f"/api/matches/{people[0].match}"
    for path in (match, f"{match}/moves", f"{match}/record", f"{match}/review", "/metrics"):
        answer = server.http.get(path)
        assert answer.status_code == 200
        assert [secret for secret in (*secrets, *hashes) if secret in answer.text + str(answer.headers)] == []
    with people[0].live() as live:
        said = json.dumps([next_view(live), ask(live, "view"), ask(live, "ping")])
    logged = Log(server, from_start=True).until(people[0].match)
    assert [secret for secret in secrets if secret in said + logged] == []


def test_only_the_request_that_takes_a_seat_shows_its_token(server: RunningServer) -> None:
    first, second = server.new_pair()
    for answer in (first.play(0, "9"), first.act("undo"), second.act("resign")):
        assert answer.status_code == 200
        assert "token" not in answer.text
        assert "set-cookie" not in answer.headers


def test_a_browser_sends_a_cookie_only_to_its_own_match(server: RunningServer) -> None:
    with server.client() as browser:
        one, two = (
            browser.post("/api/matches", json={"game": "charge", "opponent": "friend"}).json() for _ in range(2)
        )
        sent = browser.get(f"/api/matches/{two['id']}").request.headers["cookie"]
        assert sent == f"duelbook-{two['id']}={two['token']}"
        assert "cookie" not in browser.get("/api/games").request.headers
        assert one["token"] != two["token"]


def test_every_seat_has_a_token_of_its_own(people: list[Player]) -> None:
    tokens = secrets_of(people)
    assert len(set(tokens)) == len(tokens)
    assert all(len(token) >= 43 for token in tokens[1:])  # 256 bits


def test_a_malformed_token_is_refused_before_the_body_is_read(server: RunningServer, people: list[Player]) -> None:
    address = f"/api/matches/{people[0].match}/actions"
    answer = server.http.post(address, content=b"{", headers={"Authorization": "Basic x"})
    assert (answer.status_code, answer.json()["code"]) == (401, "no-token")
