"""Public matches: listed for everybody while present players play them, if their creator wants that."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from duelbook.web.db.batcher import QUERY_LIMIT
from duelbook.web.db.store import Store
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES
from tests.support.service.asking import get, wait_until
from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import next_view
from tests.support.service.stores import LONG_AGO, new, with_stores
from tests.web.conftest import both_backends

KNOWN_SECONDS = 0.3  # until another process knows who is present


def listed(server: RunningServer) -> dict[str, dict[str, Any]]:
    return {match["id"]: match for match in get(server, "/api/matches")["matches"]}


def until_listed(server: RunningServer, match: str) -> dict[str, Any]:
    """Return the entry of the match once it is listed: another process may know a little later who is present."""
    return wait_until(lambda: listed(server).get(match, {}))


@contextmanager
def present(*players: Player) -> Iterator[None]:
    """Let the players be present; every process of the service knows it."""
    with ExitStack() as stack:
        for player in players:
            next_view(stack.enter_context(player.live()))
        time.sleep(KNOWN_SECONDS if "workers" in players[0].server.settings else 0.0)
        yield


@both_backends
def test_a_public_match_is_listed_while_its_players_are_present(server: RunningServer) -> None:
    one = server.new_match("charge", name="Red", public=True, best_of=2)
    with present(one):
        assert one.view()["public"] is True
        assert one.match not in listed(server)  # it waits for a friend
        two = one.friend()
        one.play(0, "block")
        assert one.match not in listed(server)  # the friend is not there
        with present(two):
            assert until_listed(server, one.match) == {
                "id": one.match,
                "game": "charge",
                "ply": 1,
                "names": {"first": "Red", "second": "Player 2"},
                "seats": {"first": "human", "second": "human"},
                "mover": "second",
                "options": one.view()["options"],
                "time_limit": None,
                "series": {"best_of": 2, "game": 1, "points": {"first": 0, "second": 0}, "decided": False},
            }
            two.act("resign")
            assert one.match not in listed(server)


@both_backends
def test_a_match_that_a_player_has_left_is_not_listed(server: RunningServer) -> None:
    first, second = server.new_pair("charge", public=True)
    with present(first):
        with present(second):
            until_listed(server, first.match)
        wait_until(lambda: first.match not in listed(server))


def test_a_match_against_an_agent_and_its_rematch_are_listed_only_if_their_creator_wants_that(
    server: RunningServer,
) -> None:
    for public, asked in ((True, {"public": True}), (False, {})):
        player = server.new_match("charge", "greedy", **asked)
        assert player.match not in listed(server)
        player.act("resign")
        again = player.post("rematch").json()
        assert again["match"]["public"] is public
        with present(Player(server, again["id"], again["seat"], again["token"])):
            if public:
                assert until_listed(server, again["id"])["seats"] == {"first": "greedy", "second": "human"}
            else:
                assert again["id"] not in listed(server)


def test_the_most_recently_active_matches_are_listed_first(url: str) -> None:
    made = [
        new(1, public=True, turn_started=9.0),
        new(2, public=True, active_at=LONG_AGO + 60),
        new(3, public=True, turn_started=10.0),
        new(4, active_at=LONG_AGO + 60),
        new(5, public=True, started=None),
        new(6, public=True, reason="rules", active_at=LONG_AGO + 60),
    ]

    async def ask(store: Store) -> list[int]:
        await store.apply(*made)
        present = {change.match.id: 3 for change in made}
        return [int(match) for match in await store.being_played(present, MAX_LISTED_MATCHES)]

    assert with_stores(url, 1, ask) == [2, 3, 1]


def test_abandoned_matches_hide_no_match_with_players(url: str) -> None:
    """More present matches than one query asks about, and more abandoned ones than are listed."""
    abandoned = [new(number, public=True, active_at=LONG_AGO + 60) for number in range(40)]
    private = [new(100 + number) for number in range(QUERY_LIMIT)]
    played = [new(1000 + number, public=True, turn_started=float(number)) for number in range(3)]

    async def ask(store: Store) -> list[int]:
        await store.apply(*abandoned, *private, *played)
        one_left = dict.fromkeys((change.match.id for change in abandoned), 1)
        both = dict.fromkeys((change.match.id for change in (*played[:1], *private, *played[1:])), 3)
        return [int(match) for match in await store.being_played(one_left | both, 2)]

    assert with_stores(url, 1, ask) == [1002, 1001]
