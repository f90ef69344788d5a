"""What requests may ask for, and from where: hosts, origins, proxies, names, files, and slow agents."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbook.web.http.middleware import HEADERS
from tests.support.service.harness import RunningServer
from tests.support.service.raw import Log, Wire, request
from tests.web.conftest import Start

OWN = "https://friends.example"


@pytest.fixture(scope="module")
def guarded(serve: Start) -> Iterator[RunningServer]:
    """A server on all addresses, with a name and a site, behind a proxy, with little time for agents."""
    serving = serve(
        host="0.0.0.0",
        allowed_hosts="Games.Example, [2001:db8::7]",
        allowed_origins=OWN,
        trusted_proxies="127.0.0.1",
        think_seconds=0.5,
        rollout_limit=1_000_000,
    )
    log = Log(serving)
    yield serving
    log.check()


def status_for(server: RunningServer, host: str) -> int:
    return server.http.get("/healthz", headers={"Host": host}).status_code


def test_a_server_on_all_addresses_serves_addresses_and_allowed_hosts(guarded: RunningServer) -> None:
    for host in ("games.example", "GAMES.example:80", "192.0.2.7", "192.0.2.7:8000", "[2001:db8::1]", "localhost"):
        assert status_for(guarded, host) == 200, host
    for host in ("example", "www.games.example", "games.example.evil.example", "evil.example"):
        assert status_for(guarded, host) == 421, host


def test_pages_of_allowed_sites_may_read_answers_and_others_may_not(guarded: RunningServer) -> None:
    asking = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    for origin, status in ((OWN, 200), ("https://evil.example", 400)):
        allowed = guarded.http.options("/api/matches", headers={"Origin": origin, **asking})
        assert (allowed.status_code, "access-control-allow-origin" in allowed.headers) == (status, status == 200)
        shown = guarded.http.get("/api/games", headers={"Origin": origin})
        assert shown.headers.get("access-control-allow-origin") == (OWN if origin == OWN else None)
    made = guarded.http.post("/api/matches", headers={"Origin": OWN}, json={"game": "charge", "opponent": "friend"})
    assert (made.status_code, made.headers["access-control-allow-origin"]) == (201, OWN)
    for refused in (
        guarded.http.post("/api/matches", headers={"Origin": OWN}, json={"game": "charge"}),
        guarded.http.post("/api/matches", headers={"Origin": OWN}, content=b" " * 9000),
        guarded.http.get(f"/api/matches/{'0' * 24}", headers={"Origin": OWN}),
        guarded.http.post(f"/api/matches/{made.json()['id']}/actions", headers={"Origin": OWN}, json={}),
        guarded.http.get("/api/solve/charge?after=zz", headers={"Origin": OWN}),
        guarded.http.get("/api/games", headers={"Origin": OWN, "Host": "evil.example"}),
    ):
        assert (refused.status_code >= 400, refused.headers.get_list("access-control-allow-origin")) == (True, [OWN])
        assert refused.json()["detail"]


def posts(server: RunningServer) -> list[str]:
    paths = server.http.get("/api/openapi.json").json()["paths"]
    return [path.replace("{match}", "0" * 24) for path, operations in paths.items() if "post" in operations]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://localhost:1", "file://", OWN + ".evil"])
def test_no_page_of_another_site_can_post_or_open_a_socket(guarded: RunningServer, origin: str) -> None:
    assert len(posts(guarded)) == 9
    for path in posts(guarded):
        answer = guarded.http.post(path, json={}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin"), path
    player = guarded.new_match()
    with Wire(guarded) as wire:
        refusal = wire.upgrade(player.match, f"Authorization: Bearer {player.token}", f"Origin: {origin}")
        assert refusal.problem["code"] == "foreign-origin"


def test_a_page_of_this_site_or_an_allowed_one_can_post_and_open_a_socket(guarded: RunningServer) -> None:
    match = guarded.new_match().match
    for origin in (f"http://127.0.0.1:{guarded.port}", OWN):
        for path in posts(guarded):
            assert guarded.http.post(path, json={}, headers={"Origin": origin}).status_code != 403, path
        with Wire(guarded) as wire:
            assert wire.upgrade(match, f"Host: 127.0.0.1:{guarded.port}", f"Origin: {origin}").status == 101


def test_the_own_origin_has_the_scheme_of_the_trusted_proxy(guarded: RunningServer) -> None:
    headers = {"Host": "games.example", "Origin": "https://games.example"}
    wish = {"game": "charge", "opponent": "friend"}
    assert guarded.http.post("/api/matches", json=wish, headers=headers).status_code == 403
    headers["X-Forwarded-Proto"] = "https"
    assert guarded.http.post("/api/matches", json=wish, headers=headers).status_code == 201


def cookie(server: RunningServer, **headers: str) -> str:
    wish = {"game": "charge", "opponent": "friend"}
    answer = server.http.post("/api/matches", json=wish, headers=headers)
    return answer.headers["set-cookie"]


def test_cookies_are_secure_behind_a_trusted_proxy_with_https(guarded: RunningServer, server: RunningServer) -> None:
    assert "secure" in cookie(guarded, **{"X-Forwarded-Proto": "https"}).lower()
    assert "secure" not in cookie(guarded).lower()
    assert "secure" not in cookie(server, **{"X-Forwarded-Proto": "https"}).lower()  # which trusts no proxy


def test_every_answer_has_all_security_headers(server: RunningServer) -> None:
    asked = {
        200: request("GET", "/api/games"),
        201: request("POST", "/api/matches", b'{"game": "charge", "opponent": "friend"}'),
        400: request("POST", "/api/matches", b"{"),
        401: request("POST", f"/api/matches/{server.new_match().match}/rematch"),
        403: request("POST", "/api/matches", b"{}", ("Origin: null",)),
        404: request("GET", "/nowhere"),
        405: request("POST", "/healthz"),
        413: request("POST", "/api/matches", b" " * 9000),
        421: request("GET", "/", headers=("Host: evil.example",)),
        422: request("POST", "/api/matches", b"{}"),
        431: request("GET", "/" + "x" * 20_000),
    }
    for status, data in asked.items():
        with Wire(server) as wire:
            reply = wire.send(data).reply()
        assert reply.status == status
        for name, value in HEADERS.items():
            assert reply.headers[name.lower()] == value, (status, name)
        assert "server" not in reply.headers


FILES = ("/etc/passwd", "../../../../etc/passwd", "file:///etc/passwd", "http://127.0.0.1/", "~/.profile", "/dev/zero")


@pytest.mark.parametrize(("game", "option"), [("word-clash", "dictionary"), ("alpha-chase", "word_list")])
def test_no_request_can_name_a_file_or_url(server: RunningServer, tmp_path: Path, game: str, option: str) -> None:
    words = tmp_path / "words.txt"
    words.write_text("BRAVE\nGHOST\n")
    for file in (*FILES, str(words), f"{words}.missing"):  # an existing file gets the same answer
        made = server.http.post("/api/matches", json={"game": game, "opponent": "friend", "options": {option: file}})
        solved = server.http.get(f"/api/solve/{game}", params={"option": f"{option}={file}"})
        for answer in (made, solved):
            assert answer.status_code == 422
            assert re.fullmatch(rf"{option} cannot be '.*'; valid: \w+, \w+\.", answer.json()["detail"], re.IGNORECASE)


def test_an_agent_that_thinks_too_long_loses_and_others_of_its_kind_still_play(guarded: RunningServer) -> None:
    view = guarded.new_match("charge", "mcts:1000000", seat="second").until_over()
    assert (view["status"], view["reason"], view["outcome"]) == ("over", "time", "second")
    player = guarded.new_match("crystal-capture", "mcts:5", seat="second")
    assert player.until(1)["moves"]


def test_a_misspelt_parameter_is_not_ignored(server: RunningServer) -> None:
    for query in ("options=target=9", "option=target=9&afer=take 1"):
        answer = server.http.get(f"/api/solve/crystal-capture?{query}")
        assert answer.status_code == 422
        assert answer.json()["detail"].endswith("Parameters: after, option.")
    assert server.http.get("/api/games?of=today").status_code == 200, "where nothing can be asked for, nothing is asked"


def test_head_is_answered_as_get_without_the_body(server: RunningServer) -> None:
    for path in ("/", "/healthz", "/api/games", f"/api/matches/{server.new_match().match}", "/nowhere"):
        get, head = server.http.get(path), server.http.head(path)
        assert (head.status_code, head.headers["content-length"]) == (get.status_code, get.headers["content-length"])
        assert head.content == b""


def test_the_log_names_the_match_of_every_request_and_message(start: Start) -> None:
    server = start()  # which has logged nothing yet: only so many lines a second are about one client
    log = Log(server)
    first, _ = server.new_pair()
    with first.live() as live:
        live.recv()
        live.send('{"type": "action", "action": "play", "ply": 0, "move": "9"}')
        live.send('{"type": "action", "action": "play", "ply": 0, "move": "8"}')
        while '"error"' not in str(live.recv()):
            pass
    log.until('"path": "/api/matches"')  # another process may write it later
    lines = [json.loads(line) for line in log.until("ply-played").splitlines()]
    told = [(line["event"], line.get("path"), line.get("answer")) for line in lines if line.get("match") == first.match]
    assert ("request", "/api/matches", None) in told
    assert [line[2] for line in told if line[0] == "message"] == ["accepted", "ply-played"]
