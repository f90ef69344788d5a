"""Rate limits by address and seat, in one process or shared by several."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from redis import Redis as Client

from duelbook.web.http.rate_limits import Limiter, client_address
from duelbook.web.live import relay
from duelbook.web.live.channel import CHANNEL
from duelbook.web.problems import Problem
from duelbook.web.settings import read
from tests.simulation.event_loop import run_in_virtual_time
from tests.support.service.backends import Redis
from tests.support.service.harness import PATIENCE, Player, RunningServer
from tests.support.service.raw import Log, Wire, framed, request
from tests.web.conftest import Start, running

WISH = {"game": "charge", "opponent": "friend"}
SMALL = {
    "move_limit": 5,
    "create_limit": 4,
    "study_limit": 3,
    "picture_limit": 2,
    "socket_limit": 2,
    "address_limit": 40,
}


@pytest.fixture(scope="module")
def strict(serve: Start) -> Iterator[RunningServer]:
    """A server with small limits, behind a proxy; no fault may be in its log."""
    server = serve(**SMALL, trusted_proxies="127.0.0.1")
    log = Log(server)
    yield server
    log.check()


@pytest.fixture(scope="module")
def alone(serve: Start) -> RunningServer:
    """A server with small limits that trusts no proxy."""
    return serve(create_limit=4, trusted_proxies="192.0.2.1")


def caller(server: RunningServer, address: str) -> httpx.Client:
    return server.client(headers={"X-Forwarded-For": address})


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    """Count the statuses; a 429 must say when to try again."""
    for answer in answers:
        if answer.status_code == 429:
            assert answer.json()["code"] == "too-many"
            assert 1 <= int(answer.headers["retry-after"]) <= 60
    return Counter(answer.status_code for answer in answers)


def test_new_matches_and_studies_of_an_address_are_limited(strict: RunningServer) -> None:
    client = caller(strict, "198.51.100.1")
    assert statuses([client.post("/api/matches", json=WISH) for _ in range(8)]) == {201: 4, 429: 4}
    assert statuses([client.get("/api/solve/crystal-capture") for _ in range(5)]) == {200: 3, 429: 2}
    for path in ("/api/puzzles/crystal-capture", "/api/puzzles/daily"):
        assert client.get(path).status_code == 429
    assert client.post("/api/review", json={}).status_code == 429
    other = caller(strict, "198.51.100.2")
    match = other.post("/api/matches", json=WISH).json()["id"]
    answers = [other.post(f"/api/matches/{match}/join", json={}) for _ in range(5)]
    assert statuses(answers) == {200: 1, 409: 2, 429: 2}, "joining counts as creating"


def test_the_new_pictures_of_an_address_are_limited_and_known_ones_are_not(strict: RunningServer) -> None:
    client = caller(strict, "198.51.100.9")
    paths = [f"/pictures/positions/flag-chase.png?option=cells={cells}" for cells in (5, 7, 9)]
    assert statuses([client.get(path) for path in (*paths, paths[0], paths[1])]) == {200: 4, 429: 1}
    assert caller(strict, "198.51.100.10").get(paths[2]).status_code == 200


def test_a_flood_of_requests_is_slowed_down_to_the_limit(strict: RunningServer) -> None:
    flood = request("GET", "/healthz", headers=("X-Forwarded-For: 198.51.100.11",)) * 100
    with Wire(strict) as wire:
        begun = time.monotonic()
        wire.send(flood)
        counted = Counter(wire.reply().status for _ in range(100))
        seconds = time.monotonic() - begun
    assert seconds >= 1
    assert counted[429] <= 3  # each of them takes a second
    assert counted[429] or seconds >= 1.5, "40 at once and 40 a second are allowed"
    assert counted[200] + counted[429] == 100


def test_the_messages_of_an_address_are_limited_over_all_its_sockets() -> None:
    async def send() -> Problem:
        limiter = Limiter(read({"DUELBOOK_ADDRESS_LIMIT": "10"}))
        for _ in range(50):
            limiter.check("message", "192.0.2.1")
        with pytest.raises(Problem) as refused:
            limiter.check("message", "192.0.2.1")
        limiter.check("message", "192.0.2.2")
        return refused.value

    refusal = run_in_virtual_time(send())
    assert refusal.delay_seconds == 1


def seat(server: RunningServer, address: str) -> tuple[httpx.Client, Player]:
    client = caller(server, address)
    made = client.post("/api/matches", json=WISH).json()
    return client, Player(server, made["id"], made["seat"], made["token"])


def test_the_messages_of_a_seat_are_limited_whatever_the_address(strict: RunningServer) -> None:
    _, player = seat(strict, "198.51.100.6")
    route, begun = f"/api/matches/{player.match}/actions", time.monotonic()
    counted = statuses(
        [
            strict.http.post(
                route,
                json={"action": "resign"},
                headers=player.headers | {"X-Forwarded-For": f"198.51.100.{100 + number}"},
            )
            for number in range(30)
        ]
    )
    assert counted[409] >= 5  # not begun
    assert counted[429] >= 30 - 5 * (2 + time.monotonic() - begun)


@pytest.mark.parametrize("message", [b'{"type": "ping"}', b"garbage", b"[]"])
def test_all_messages_over_a_socket_are_limited_and_each_is_answered(strict: RunningServer, message: bytes) -> None:
    _, player = seat(strict, f"198.51.101.{len(message)}")
    with Wire(strict) as wire:
        assert wire.upgrade(player.match, f"Authorization: Bearer {player.token}").status == 101
        wire.message()
        begun = time.monotonic()
        wire.send(framed(message) * 30)
        answers = [wire.message() for _ in range(30)]
        seconds = time.monotonic() - begun
    refused = [answer for answer in answers if answer.get("code") == "too-many"]
    assert 30 - 5 * (2 + seconds) <= len(refused) <= 30 - 5


def test_the_open_sockets_of_an_address_are_limited(strict: RunningServer) -> None:
    _, player = seat(strict, "198.51.100.8")
    forwarded = "X-Forwarded-For: 198.51.100.8"
    with Wire(strict) as one, Wire(strict) as two, Wire(strict) as three, Wire(strict) as other:
        assert [wire.upgrade(player.match, forwarded).status for wire in (one, two)] == [101, 101]
        refusal = three.upgrade(player.match, forwarded)
        assert (refusal.problem["code"], refusal.headers["retry-after"]) == ("too-many", "10")
        assert other.upgrade(player.match, "X-Forwarded-For: 198.51.100.9").status == 101
        one.send(framed(b"\x03\xe8", 8))
        while not one.ended():
            pass
        with Wire(strict) as again:
            assert again.upgrade(player.match, forwarded).status == 101


def test_an_untrusted_proxy_is_counted_by_its_own_address(alone: RunningServer) -> None:
    answers = [
        caller(alone, f"203.0.113.{number}").post(
            "/api/matches", json=WISH, headers={"Forwarded": f"for=10.0.0.{number}"}
        )
        for number in range(10)
    ]
    assert statuses(answers) == {201: 4, 429: 6}


def test_a_trusted_proxy_is_trusted_only_for_the_last_hop(strict: RunningServer) -> None:
    answers = [
        caller(strict, f"203.0.113.{number}, 198.51.100.10").post("/api/matches", json=WISH) for number in range(6)
    ]
    assert statuses(answers) == {201: 4, 429: 2}


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unix", "unix"),
    ],
)
def test_a_client_with_a_network_of_addresses_counts_once(client: str, counted: str) -> None:
    assert client_address({"client": (client, 1)}) == counted


@pytest.fixture(scope="module")
def own_redis() -> Iterator[Redis]:
    yield from running(Redis)


@contextmanager
def shared_counts(redis: Redis, kind: str, address: str) -> Iterator[Callable[[int], None]]:
    """Provide a function that waits until processes have told each other of that many requests of the address."""
    total = 0
    with Client.from_url(redis.url) as client, client.pubsub() as messages:
        messages.subscribe(CHANNEL)

        def wait(requests: int) -> None:
            nonlocal total
            end = time.monotonic() + PATIENCE
            while total < requests:
                assert time.monotonic() < end, f"only {total} requests were shared"
                message = messages.get_message(ignore_subscribe_messages=True, timeout=1)
                for line in message["data"].decode().split("\n") if message else ():
                    if line.startswith(relay.COUNTS):
                        total += json.loads(line.removeprefix(relay.COUNTS))[1].get(kind, {}).get(address, 0)

        yield wait


def test_processes_share_their_counts_and_count_alone_while_redis_is_down(start: Start, own_redis: Redis) -> None:
    server = start(redis_url=own_redis.url, workers=2, create_limit=10, trusted_proxies="127.0.0.1")
    log = Log(server)

    def create(caller_address: str) -> httpx.Response:
        with caller(server, caller_address) as client:  # on its own connection
            return client.post("/api/matches", json=WISH)

    begun = time.monotonic()
    with ThreadPoolExecutor(8) as threads, shared_counts(own_redis, "create", "198.51.101.1") as wait_for_counts:
        answers = list(threads.map(create, ["198.51.101.1"] * 9))
        wait_for_counts(9)
        answers.append(create("198.51.101.1"))
        wait_for_counts(10)
        answers += threads.map(create, ["198.51.101.1"] * 80)
    regained = int((time.monotonic() - begun) / 6)
    assert 10 <= statuses(answers)[201] <= 11 + regained  # one may come before its process has read the count
    own_redis.stop()
    begun = time.monotonic()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(create, ["198.51.100.2"] * 100))
    regained = int((time.monotonic() - begun) / 6)
    counted = statuses(answers)
    assert 10 <= counted[201] <= 2 * (10 + regained)
    assert counted[201] + counted[429] == 100
    assert server.http.get("/readyz").status_code == 200
    log.check()
