"""The live socket: every watcher gets every change, and every message gets one answer."""

import json
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import answer_to, answers, ask, hear_until, is_quiet, next_view, views_until
from tests.web.conftest import both_backends


@pytest.mark.parametrize("watching", [True, False])
def test_the_full_view_comes_at_once_on_connecting(server: RunningServer, watching: bool) -> None:
    first, second = server.new_pair()
    with first.live(watching=watching) as live:
        assert next_view(live)["match"] == first.view()
    first.play(0, "9")
    second.act("resign")
    with first.live(watching=watching) as live:
        assert next_view(live)["match"] == first.view()
        assert is_quiet(live)


def test_the_view_on_connecting_has_the_time_that_is_left_now(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=60)
    left = [60.0]
    while len(left) < 3:  # the clock of the service may stand still for a moment
        with first.live() as live:
            now = next_view(live)["match"]["clocks"]["left"]
        assert now <= left[-1]
        left += [now] if now < left[-1] else []


@both_backends
def test_players_and_spectators_are_sent_one_view_after_every_change(server: RunningServer) -> None:
    one = server.new_match(name="Red")
    with ExitStack() as stack:
        sockets = [stack.enter_context(one.live(watching=watching)) for watching in (False, True)]
        assert {next_view(live)["version"] for live in sockets} == {1}
        two = one.friend(name="Blue")
        check_all(sockets, 2, ply=0, status="playing", names={"first": "Red", "second": "Blue"})
        sockets.append(stack.enter_context(two.live()))
        assert next_view(sockets[-1])["version"] == 2
        steps: list[tuple[Player, str, dict[str, Any], dict[str, Any]]] = [
            (one, "play", {"ply": 0, "move": "9"}, {"ply": 1, "mover": "second"}),
            (one, "undo", {}, {"ply": 1, "undo": "first"}),
            (two, "decline", {}, {"ply": 1, "undo": None}),
            (one, "undo", {}, {"ply": 1, "undo": "first"}),
            (two, "agree", {}, {"ply": 0, "undo": None, "moves": []}),
            (one, "play", {"ply": 0, "move": "8"}, {"ply": 1, "moves": ["8"]}),
            (two, "play", {"ply": 1, "move": "7"}, {"ply": 2, "moves": ["8", "7"]}),
            (one, "resign", {}, {"ply": 2, "status": "over", "outcome": "second"}),
        ]
        for version, (who, action, body, expected) in enumerate(steps, start=3):
            assert who.act(action, **body).status_code == 200
            check_all(sockets, version, **expected)
        follows = one.post("rematch").json()["id"]
        check_all(sockets, 11, rematch=follows)
        assert two.post("rematch").status_code == 200  # which changes nothing here
        assert all(is_quiet(live) for live in sockets)


def check_all(sockets: list[ClientConnection], version: int, **expected: Any) -> None:
    for live in sockets:
        message = next_view(live)
        assert message["version"] == version
        assert {name: message["match"][name] for name in expected} == expected


def test_an_agents_replies_come_without_a_request(server: RunningServer) -> None:
    player = server.new_match("charge", "greedy", seat="first")
    with player.live() as live, player.live(watching=True) as watching:
        view = next_view(live)["match"]
        while view["status"] != "over":
            live.send(json.dumps({"type": "action", "action": "play", "ply": view["ply"], "move": view["legal"][0]}))
            heard = hear_until(live, lambda heard: is_answered_and_replied_to(heard, player.seat))
            views = [message for message in heard if message["type"] == "view"]
            assert len(heard) == len(views) + 1
            view = views[-1]["match"]
        views_until(watching, view["version"])


def is_answered_and_replied_to(heard: list[dict[str, Any]], seat: str) -> bool:
    views = [message["match"] for message in heard if message["type"] == "view"]
    return len(views) < len(heard) and bool(views) and (views[-1]["mover"] == seat or views[-1]["status"] == "over")


def test_an_answer_has_the_id_of_its_message_even_if_the_message_fails(server: RunningServer) -> None:
    first, _ = server.new_pair()
    with first.live() as live:
        next_view(live)
        for kind in ("ping", "move", "dance"):
            assert answer_to(live, json.dumps({"type": kind, "id": kind}))["id"] == kind
        for strange in ("x" * 65, 7, None):
            assert "id" not in answer_to(live, json.dumps({"type": "ping", "id": strange}))


def test_twenty_messages_at_once_get_twenty_answers_in_order(server: RunningServer) -> None:
    first, _ = server.new_pair()
    kinds: list[dict[str, Any]] = [
        {"type": "ping"},
        {"type": "view"},
        {"type": "action", "action": "play", "ply": 0, "move": "9"},
        {"type": "dance"},
    ]
    with first.live() as live:
        next_view(live)
        for number in range(20):
            live.send(json.dumps({**kinds[number % 4], "id": str(number)}))
        got = list(answers(live, 20))
        assert [answer["id"] for answer in got] == [str(number) for number in range(20)]
        assert [answer["type"] for answer in got] == ["accepted", "accepted", "accepted", "error"] * 5
        assert {answer["ply"] for answer in got[2:]} == {1}  # the move is played once, and a repetition is accepted
        assert first.view()["ply"] == 1


@both_backends
def test_a_ping_is_answered_with_the_newest_ply_whichever_process_played_it(server: RunningServer) -> None:
    first, second = server.new_pair()
    with ExitStack() as stack:
        sockets = [stack.enter_context(first.live()) for _ in range(4)]
        for ply, player in enumerate((first, second) * 2):
            played = player.play(ply, str(ply + 1)).json()
            for live in sockets:
                answer = ask(live, "ping")
                assert (answer["ply"], answer["version"]) == (played["ply"], played["version"])
