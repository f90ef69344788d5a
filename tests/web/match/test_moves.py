"""Moves over HTTP, and the other actions of players: resign, take back, rematch."""

import json
from typing import Any

import pytest

from tests.support.service.asking import refused
from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import hear, next_view


def test_the_same_move_again_gets_the_first_answer(server: RunningServer) -> None:
    first, second = server.new_pair()
    answer = first.play(0, "9", key="a")
    second.play(1, "8")
    assert first.play(0, "9", key="a").json() == answer.json()
    assert first.play(0, " 9 ").json() == answer.json()
    assert first.play(7, "1", key="a").json() == answer.json()
    assert first.view()["ply"] == 2


def test_a_move_taken_back_still_gets_its_first_answer_and_is_not_played_again(server: RunningServer) -> None:
    player = server.new_match("charge", "random", seat="first")
    answer = player.play(0, "charge 5", key="once")
    player.until(2)
    taken_back = player.act("undo").json()
    assert taken_back["ply"] == 0
    again = player.play(0, "charge 5", key="once")
    assert again.json() == answer.json()
    assert player.view()["ply"] == 0


def test_another_move_for_a_played_ply_is_refused_with_the_current_ply(server: RunningServer) -> None:
    first, _ = server.new_pair()
    first.play(0, "9")
    assert refused(first.play(0, "8"), 409, "ply-played")["ply"] == 1
    assert refused(first.play(5, "8"), 409, "ply-ahead")["ply"] == 1


def test_an_illegal_move_is_refused_with_the_legal_ones(server: RunningServer) -> None:
    first, _ = server.new_pair("flag-chase")
    problem = refused(first.play(0, "7"), 422, "illegal-move")
    assert problem["legal"] == ["1"] or "1" in problem["legal"]
    assert first.view()["ply"] == 0


def test_a_player_who_resigns_loses(server: RunningServer) -> None:
    first, second = server.new_pair()
    view = second.act("resign").json()
    assert (view["outcome"], view["reason"], view["status"]) == ("first", "resignation", "over")
    assert view["result"] == "Player 2 resigns. Player 1 wins!"
    assert second.act("resign").json() == view  # a retry
    refused(first.act("resign"), 409, "over")
    refused(first.play(0, "1"), 409, "over")


def test_two_people_take_back_a_players_last_move_and_the_reply_if_both_agree(server: RunningServer) -> None:
    first, second = server.new_pair()
    refused(first.act("undo"), 409, "not-now")
    for ply, move in enumerate(["5", "9", "6", "3"]):
        (first, second)[ply % 2].play(ply, move)
    assert first.act("undo").json()["undo"] == "first"
    assert second.act("decline").json()["undo"] is None
    assert first.act("undo").json()["undo"] == "first"
    assert first.act("undo").json()["undo"] == "first"  # asking twice is not agreeing
    refused(first.act("agree"), 409, "not-now")
    assert "Agree or decline first." in refused(second.act("undo"), 409, "not-now")["detail"]
    view = second.act("agree").json()
    assert (view["moves"], view["mover"], view["undo"]) == (["5", "9"], "first", None)
    refused(second.act("agree"), 409, "not-now")  # nobody asks any more
    first.act("undo")
    assert first.act("decline").json()["undo"] is None  # withdrawn
    first.act("undo")
    assert first.play(2, "8").json()["undo"] is None  # a move ends it


def test_nothing_is_taken_back_in_a_match_with_a_time_limit(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=60)
    first.play(0, "9")
    refused(first.act("undo"), 409, "not-now")


def test_a_rematch_swaps_the_seats_and_keeps_the_players(server: RunningServer) -> None:
    one = server.new_match("alpha-chase", name="Red", choice="BRAVE")
    two = one.friend(name="Blue", choice="GHOST")
    refused(one.post("rematch"), 409, "not-over")
    two.act("resign")
    asked = one.post("rematch").json()
    assert asked["seat"] == "second"
    assert asked["match"]["status"] == "waiting"
    assert one.view()["rematch"] == asked["id"]
    assert asked["match"]["seats"] == {"first": "reserved", "second": "human"}
    refused(two.post("rematch", choice="PLANT"), 422, "invalid")  # an unknown field
    stranger = server.http.post(f"/api/matches/{asked['id']}/join", json={"choice": "PLANT"})
    refused(stranger, 409, "seat-taken")
    agreed = two.post("rematch").json()
    assert (agreed["id"], agreed["seat"]) == (asked["id"], "first")
    assert agreed["match"]["status"] == "playing"
    assert agreed["match"]["names"] == {"first": "Blue", "second": "Red"}
    assert agreed["match"]["options"]["words"] == "GHOST,BRAVE"
    assert one.post("rematch").json()["token"] == asked["token"]
    assert agreed["token"] not in (asked["token"], one.token, two.token)
    answer = Player(server, agreed["id"], "first", agreed["token"]).play(0, "G")
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("action", "fields", "said"),
    [
        ("dance", {}, "cannot be 'dance'; valid: play, undo, agree, decline, give, resign, claim."),
        ("play", {"ply": 0}, "lacks the field 'move', which the action 'play' needs."),
        ("play", {"move": "9"}, "lacks the field 'ply', which the action 'play' needs."),
        ("play", {"ply": 0, "move": "9", "agree": True}, "'agree' is not a known field."),
        ("resign", {"because": "late"}, "'because' is not a known field."),
        *(
            (action, {field: "9"}, f"has the field '{field}', which the action '{action}' does not take.")
            for action in ("undo", "agree", "decline", "give", "resign", "claim")
            for field in ("move", "key")
        ),
    ],
)
def test_a_field_that_is_missing_or_too_much_is_named(
    server: RunningServer, action: str, fields: dict[str, Any], said: str
) -> None:
    first, _ = server.new_pair()
    assert said in refused(first.act(action, **fields), 422, "invalid")["detail"]
    assert first.view()["version"] == 2


def test_a_request_to_take_back_at_a_ply_works_once_however_often_it_is_sent(server: RunningServer) -> None:
    player = server.new_match("charge", "random")
    for ply in (0, 2):
        player.play(ply, "charge 1")
        player.until(ply + 2)
    assert player.act("decline").json()["ply"] == 4  # which takes nothing back
    assert player.act("undo", ply=4).json()["ply"] == 2
    again = player.act("undo", ply=4)
    assert (again.status_code, again.json()["code"], again.json()["ply"]) == (409, "ply-ahead", 2)
    with player.live() as live:
        next_view(live)
        live.send(json.dumps({"type": "action", "action": "undo", "ply": 4}))
        assert hear(live)["code"] == "ply-ahead"
    assert player.act("undo").json()["ply"] == 0


def test_every_refused_request_about_a_match_includes_its_ply(server: RunningServer) -> None:
    first, _ = server.new_pair()
    first.play(0, "9")
    path = f"/api/matches/{first.match}"
    kinds: dict[str, Any] = {"headers": first.headers}
    refusals = [
        server.http.post(f"{path}/actions", json={"action": "play", "ply": "x", "move": "1"}, **kinds),
        server.http.post(f"{path}/actions", json=[], **kinds),
        server.http.post(f"{path}/actions", content=b"{", **kinds),
        server.http.post(f"{path}/actions", content=b"ply=1", **kinds),
        server.http.post(f"{path}/actions", json={}, headers={"Authorization": "Basic x"}),
        server.http.post(f"{path}/actions", json={"action": "undo", "agree": 1}, **kinds),
        server.http.post(f"{path}/rematch", **kinds),
        server.http.post(f"{path}/join"),
    ]
    for answer in refusals:
        assert answer.status_code in (400, 401, 409, 422), answer.text
        assert answer.json()["ply"] == 1
