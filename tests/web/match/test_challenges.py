"""Open challenges: listed while their maker is present, taken by exactly one visitor, and withdrawn once abandoned."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from duelbook.web.match.challenges import EXPIRY_SECONDS
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES, Join, NewMatch
from duelbook.web.service import Service
from duelbook.web.settings import Settings
from tests.support.service.asking import get, wait_until
from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import next_view
from tests.support.service.virtual import VirtualProcess, in_virtual_time
from tests.web.conftest import Start, both_backends


def listed(server: RunningServer) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in get(server, "/api/challenges")["challenges"]}


def until_each(condition: Callable[[], bool]) -> None:
    """Wait until several answers in turn are such: each process of the service may give one."""
    for _ in range(20):
        wait_until(condition)


@contextmanager
def offered(server: RunningServer, **request: Any) -> Iterator[Player]:
    """Make a challenge, and stay until it is listed everywhere."""
    maker = server.new_match(**{"game": "charge", "open": True, **request})
    with maker.live() as live:
        next_view(live)
        until_each(lambda: maker.match in listed(server))
        yield maker


def take(server: RunningServer, match: str, **player: Any) -> Any:
    return server.http.post(f"/api/matches/{match}/join", json={"challenge": True, **player})


@both_backends
def test_a_challenge_is_listed_with_its_terms_while_its_maker_is_present(server: RunningServer) -> None:
    asked = {"name": "Ada", "options": {"goal": 21}, "time_limit": 30, "best_of": 4, "seat": "second"}
    with offered(server, **asked) as maker:
        assert maker.view()["open"] is True
        entry = listed(server)[maker.match]
        assert entry.pop("options")["goal"] == 21
        assert entry == {
            "id": maker.match,
            "game": "charge",
            "name": "Ada",
            "seat": "first",
            "time_limit": 30,
            "best_of": 4,
            "choose": False,
        }
    until_each(lambda: maker.match not in listed(server))
    answer = take(server, maker.match)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-offered")
    assert "no longer open" in answer.json()["detail"]
    assert maker.view()["status"] == "waiting"


@both_backends
def test_one_visitor_takes_a_challenge_and_the_others_are_told(server: RunningServer) -> None:
    with offered(server) as maker:
        with ThreadPoolExecutor(4) as visitors:
            answers = list(visitors.map(lambda _: take(server, maker.match), range(4)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        for answer in answers:
            if answer.status_code == 409:
                assert answer.json()["code"] == "seat-taken"
                assert "Somebody else has taken this challenge." in answer.json()["detail"]
        until_each(lambda: maker.match not in listed(server))
        view = maker.view()
        assert (view["status"], view["open"]) == ("playing", False)


def test_a_retry_of_the_same_visitor_gets_the_same_seat(server: RunningServer) -> None:
    with offered(server) as maker:
        first, retry = (take(server, maker.match, key="k" * 40).json() for _ in range(2))
        assert (first["token"], first["seat"]) == (retry["token"], retry["seat"])


def test_a_match_that_is_not_offered_cannot_be_taken_as_a_challenge(server: RunningServer) -> None:
    maker = server.new_match("charge")
    with maker.live() as live:
        next_view(live)
        assert maker.match not in listed(server)
        assert take(server, maker.match).json()["code"] == "not-offered"
        assert maker.post("challenge").json()["open"] is True
        wait_until(lambda: maker.match in listed(server))
        assert maker.post("challenge", open=False).json()["open"] is False
        until_each(lambda: maker.match not in listed(server))
        assert maker.friend().seat == "second"  # the link works all the same
        answer = maker.post("challenge")
        assert (answer.status_code, answer.json()["code"]) == (409, "seat-taken")


def test_who_takes_a_challenge_makes_the_choice_of_the_game(server: RunningServer) -> None:
    with offered(server, game="alpha-chase", choice="PLANT") as maker:
        assert listed(server)[maker.match]["choose"] is True
        assert "words" not in listed(server)[maker.match]["options"]
        assert take(server, maker.match).json()["code"] == "invalid-choice"
        assert take(server, maker.match, choice="GHOST").status_code == 200


def test_a_match_against_a_computer_cannot_be_offered(server: RunningServer) -> None:
    answer = server.http.post("/api/matches", json={"game": "charge", "opponent": "random", "open": True})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    alone = server.new_match("charge", "random")
    assert alone.post("challenge").json()["code"] == "seat-taken"


def test_an_address_can_offer_only_so_many_challenges_a_minute(start: Start) -> None:
    server = start(challenge_limit=3)
    maker = server.new_match("charge", open=True)
    new = {"game": "charge", "opponent": "friend", "open": True}
    assert server.http.post("/api/matches", json=new).status_code == 201
    assert maker.post("challenge").status_code == 200
    assert server.http.post("/api/matches", json=new).status_code == 429
    assert maker.post("challenge").status_code == 429
    assert maker.post("challenge", open=False).status_code == 200
    assert server.http.post("/api/matches", json=new | {"open": False}).status_code == 201


def test_a_challenge_is_withdrawn_some_time_after_its_maker_has_left() -> None:
    async def work(process: VirtualProcess) -> None:
        made = [await process.new_match("charge", open=True) for _ in range(2)]

        async def is_open() -> list[bool]:
            return [(await process.do(process.service.registry.read(one.id))).row.open for one in made]

        with process.service.presence.joined(made[0].id, 0):
            await asyncio.sleep(EXPIRY_SECONDS / 2)
            assert await is_open() == [True, True]
            await asyncio.sleep(EXPIRY_SECONDS)
            assert await is_open() == [True, False]
        joined = await process.do(process.service.lobby.join(made[1].id, Join()))  # by its link
        assert joined.seat == "second"

    in_virtual_time(work)


def test_the_number_of_listed_challenges_is_limited(sqlite_url: str) -> None:
    async def run() -> None:
        service = Service(Settings(database_url=sqlite_url))
        await service.start()
        new = NewMatch(game="charge", opponent="friend", open=True)
        made = [await service.lobby.create(new) for _ in range(MAX_LISTED_MATCHES + 3)]
        with_makers = {one.id: 1 for one in made}
        service.listings._present = lambda: with_makers
        assert len(await service.listings.challenges()) == MAX_LISTED_MATCHES
        with_makers[made[0].id] = 2  # not the maker's seat
        listed = await service.listings.challenges()
        assert made[0].id not in [one.id for one in listed]
        await service.stop()

    asyncio.run(run())
