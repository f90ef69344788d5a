"""Open connections: one address cannot take all places, silent clients lose theirs, and some are kept for players."""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.service.harness import Player, RunningServer
from tests.support.service.raw import Log, Wire, request
from tests.web.conftest import Start

PLACES, RESERVED, PER_ADDRESS = 20, 2, 12
ATTACKER, OTHER = "127.0.0.2", "127.0.0.3"
HEALTH = request("GET", "/healthz")
FULL = "Too many clients are connected to the service now. Try again in a moment."


@pytest.fixture(scope="module")
def small(serve: Start) -> Iterator[RunningServer]:
    server = serve(connection_limit=PLACES, address_connection_limit=PER_ADDRESS)
    log = Log(server)
    yield server
    log.check()


@pytest.fixture
def player(small: RunningServer) -> Player:
    """A player; there is room when the test begins."""
    end = time.monotonic() + 20
    while (answer := small.http.post("/api/matches", json={"game": "charge", "opponent": "friend"})).status_code != 201:
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)
    return Player(small, answer.json()["id"], answer.json()["seat"], answer.json()["token"])


def watch(stack: ExitStack, player: Player, address: str, count: int) -> None:
    for _ in range(count):
        assert stack.enter_context(Wire(player.server, address=address)).upgrade(player.match).status == 101


def test_an_address_with_too_many_connections_is_refused_and_others_are_not(player: Player) -> None:
    with ExitStack() as stack:
        watch(stack, player, ATTACKER, PER_ADDRESS)
        for _ in range(30):
            refused = stack.enter_context(Wire(player.server, address=ATTACKER)).send(HEALTH).reply()
            assert (refused.problem["code"], refused.headers["retry-after"]) == ("too-many", "10")
        for _ in range(4):
            assert stack.enter_context(Wire(player.server, address=OTHER)).send(HEALTH).reply().status == 200
        with Wire(player.server) as again:
            assert again.send(HEALTH).reply().status == 200


def test_connections_that_send_nothing_lose_their_places_to_clients_that_do(player: Player) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(Wire(player.server, address=ATTACKER)) for _ in range(PER_ADDRESS)]
        silent += [stack.enter_context(Wire(player.server, address=OTHER)) for _ in range(PLACES - PER_ADDRESS)]
        time.sleep(1.2)
        for _ in range(PER_ADDRESS):
            assert stack.enter_context(Wire(player.server)).send(HEALTH).reply().status == 200
        assert silent[0].ended()


def test_the_last_places_are_for_clients_that_show_the_token_of_a_seat(player: Player) -> None:
    token = f"Authorization: Bearer {player.token}"
    cookie = f"Cookie: duelbook-{player.match}={player.token}"
    view = f"/api/matches/{player.match}"
    script = re.findall(r'"(/static/[^"]+\.js)"', player.server.http.get("/").text)[0]
    with ExitStack() as stack:
        watch(stack, player, ATTACKER, PER_ADDRESS)
        watch(stack, player, OTHER, PLACES - PER_ADDRESS - RESERVED)
        for path in ("/healthz", "/readyz", "/", script):
            with Wire(player.server) as stranger:
                assert stranger.send(request("GET", path)).reply().status == 200
                assert stranger.ended()
        for wrong in (
            request("GET", "/api/games"),
            request("GET", view),
            request("GET", "/api/games", headers=(token,)),
            request("GET", view, headers=("Authorization: Bearer guess",)),
            request("GET", f"/api/matches/{'0' * 24}", headers=(token,)),
        ):
            with Wire(player.server) as stranger:
                refused = stranger.send(wrong).reply()
                assert (refused.status, refused.problem["detail"]) == (503, FULL)
                assert stranger.ended()
        with Wire(player.server) as stranger:
            assert stranger.upgrade(player.match).problem["detail"] == FULL
        with Wire(player.server) as known, Wire(player.server) as live:
            assert known.send(request("GET", view, headers=(token,))).reply().status == 200
            assert known.send(request("GET", view, headers=(cookie,))).reply().status == 200
            assert live.upgrade(player.match, token).status == 101
            with Wire(player.server) as beyond:
                assert beyond.send(request("GET", view, headers=(token,))).reply().problem["detail"] == FULL


def test_a_system_that_allows_few_open_files_limits_connections_and_nothing_else(tmp_path: Path) -> None:
    program = ("tests.support.service.few_files", "serve")
    server = RunningServer(tmp_path, {"database_url": f"sqlite:///{tmp_path}/matches.sqlite"}, program)
    with ExitStack() as stack:
        stack.callback(server.kill)
        server.start()
        games = request("GET", "/api/games")  # the last places are not for this
        statuses = [stack.enter_context(Wire(server)).send(games).reply().status for _ in range(200)]
        assert statuses[:20] == [200] * 20
        assert statuses[30:] == [503] * 170
        assert "fewer open files" in server.log.read_text()
