"""One address that asks for as much as it can: others get their moves and studies as if it were not there."""

import select
from contextlib import ExitStack

import httpx
import pytest
from websockets.sync.client import connect

from duelbook.web.engine.agent_turns import MAX_WAITING_TURNS
from tests.support.service.harness import PATIENCE, RunningServer
from tests.support.service.raw import Wire, request
from tests.web.conftest import Start

ENDLESS = "mcts:1000000"
THINK_SECONDS = 4


@pytest.fixture(scope="module")
def crowded(serve: Start) -> RunningServer:
    """A server behind a proxy, so that a client can have any address."""
    return serve(trusted_proxies="127.0.0.1", think_seconds=THINK_SECONDS, rollout_limit=1_000_000)


def client_at(server: RunningServer, address: str) -> httpx.Client:
    return server.client(headers={"X-Forwarded-For": address}, limits=httpx.Limits(max_keepalive_connections=0))


def test_an_address_with_many_turns_of_slow_agents_delays_nobody_else(crowded: RunningServer) -> None:
    crowded.new_match("crystal-capture", "mcts:5", seat="second").until(1)  # a worker has started
    new = {"game": "charge", "opponent": ENDLESS, "seat": "second"}
    with client_at(crowded, "192.0.2.1") as attacker:
        matches = [attacker.post("/api/matches", json=new) for _ in range(8)]
        for number in range(3):
            player = crowded.new_match("crystal-capture", f"mcts:{5 + number}", seat="second")
            assert player.until(1)["ply"] == 1
        states = [attacker.get(f"/api/matches/{match.json()['id']}").json()["status"] for match in matches]
    assert states.count("playing") >= 4  # else others would have waited for half of the queue


def test_an_address_whose_turns_wait_can_begin_no_more_matches_against_agents(crowded: RunningServer) -> None:
    new = {"game": "charge", "opponent": ENDLESS, "seat": "second"}
    with client_at(crowded, "192.0.2.2") as attacker:
        answers = [attacker.post("/api/matches", json=new) for _ in range(MAX_WAITING_TURNS + 3)]
        assert attacker.post("/api/matches", json={"game": "charge", "opponent": "friend"}).status_code == 201
    assert [answer.status_code for answer in answers[:MAX_WAITING_TURNS]] == [201] * MAX_WAITING_TURNS
    refused = answers[-1]
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "too-many", "5")
    assert crowded.new_match("crystal-capture", "mcts:5", seat="second").until(1)["ply"] == 1


def test_moves_over_sockets_are_charged_to_the_address(crowded: RunningServer) -> None:
    address = {"X-Forwarded-For": "192.0.2.4"}
    new = {"game": "charge", "opponent": ENDLESS, "seat": "first"}
    with client_at(crowded, "192.0.2.4") as attacker:
        for made in range(4 * MAX_WAITING_TURNS):  # some of the turns end meanwhile
            answer = attacker.post("/api/matches", json=new)
            if answer.status_code == 429:
                assert made >= MAX_WAITING_TURNS
                break
            seated = answer.json()
            url = f"ws://127.0.0.1:{crowded.port}/api/matches/{seated['id']}/live"
            headers = address | {"Authorization": f"Bearer {seated['token']}"}
            with connect(url, additional_headers=headers, open_timeout=PATIENCE) as live:
                live.recv()
                live.send('{"type": "action", "action": "play", "ply": 0, "move": "charge 1"}')
                live.recv()
    assert answer.status_code == 429


def test_an_address_with_many_studies_refuses_nobody_elses(crowded: RunningServer) -> None:
    assert crowded.http.get("/api/solve/flag-chase").status_code == 200
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(crowded)) for _ in range(24)]
        for number, wire in enumerate(wires):
            path = f"/api/solve/charge?option=goal%3D{60 - number}&option=charge_cards%3D9"
            wire.send(request("GET", path, headers=("X-Forwarded-For: 192.0.2.3",)))
        sockets = {wire.socket: wire for wire in wires}
        first = select.select(sockets, [], [], PATIENCE)[0][0]
        assert sockets[first].reply().status == 503  # the queue of that address is full
        answers = [crowded.http.get("/api/solve/flag-chase").status_code for _ in range(20)]
        replies = [sockets[answered].reply().status for answered in select.select(sockets, [], [], 0)[0]]
    assert replies.count(503) <= 20  # studies of that address still wait
    assert answers == [200] * 20


@pytest.mark.parametrize(("agent", "most"), [("mcts:5001", 5000), ("search:9", 8)])
def test_an_agent_that_would_cost_too_much_is_refused(server: RunningServer, agent: str, most: int) -> None:
    answer = server.http.post("/api/matches", json={"game": "charge", "opponent": agent})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert f"from 1 to {most}." in answer.json()["detail"]
    agents = {entry["name"]: entry for entry in server.http.get("/api/games").json()["agents"]}
    assert agents[agent.partition(":")[0]]["parameter"]["most"] == most
