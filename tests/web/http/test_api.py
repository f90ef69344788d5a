"""Every route of the service, on SQLite and on PostgreSQL with Redis and two processes."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from duelbook import GAMES
from duelbook.agents import built_in_agents
from duelbook.records.document import from_json
from tests.support.game_folders import short_variants
from tests.support.service.asking import get, new, refused, wait_until
from tests.support.service.harness import RunningServer


def test_the_catalogue_has_every_game_with_its_options_and_every_agent(server: RunningServer) -> None:
    catalogue = get(server, "/api/games")
    assert [game["name"] for game in catalogue["games"]] == list(GAMES)
    assert [agent["name"] for agent in catalogue["agents"]] == list(built_in_agents())
    charge = next(game for game in catalogue["games"] if game["name"] == "charge")
    assert charge["aim"]
    assert charge["lesson"]
    goal = charge["options"][0]
    assert (goal["name"], goal["type"], goal["default"]) == ("goal", "whole number", 15)
    assert goal["minimum"] < 15 < goal["maximum"]
    alpha = next(game for game in catalogue["games"] if game["name"] == "alpha-chase")
    assert alpha["choice"]["valid"] == ["BRAVE", "CHARM", "GHOST", "PLANT", "QUICK"]
    lists = next(option for option in alpha["options"] if option["name"] == "word_list")
    assert lists["values"] == ["book", "all"]  # but no file


def test_a_match_may_be_made_with_a_preset_of_the_catalogue(server: RunningServer) -> None:
    game = next(game for game in get(server, "/api/games")["games"] if game["name"] == "charge")
    fair = next(preset for preset in game["presets"] if preset["name"] == "fair")
    made = new(server, game="charge", opponent="friend", options={"preset": "fair"}).json()["match"]["options"]
    assert {name: made[name] for name in fair["options"]} == fair["options"]
    assert "preset" not in made
    problem = refused(new(server, game="charge", opponent="friend", options={"preset": "foul"}), 422, "invalid")
    assert problem["detail"].startswith("Unknown preset 'foul'; valid: book, ")


@pytest.mark.parametrize("who", ["process:touch {file}", "process", "llm:small-model", "llm", " process:touch {file}"])
def test_no_request_starts_a_program_or_calls_an_endpoint(server: RunningServer, who: str) -> None:
    started = Path(tempfile.mkdtemp()) / "x"
    problem = refused(new(server, game="charge", opponent=who.format(file=started)), 422, "invalid")
    assert "gent '" in problem["detail"]
    assert "llm" not in problem["detail"].partition("valid: ")[2]
    assert "process" not in problem["detail"].partition("valid: ")[2]
    assert not started.exists()


def test_a_new_match_comes_with_a_seat_a_token_and_a_cookie_for_it_alone(server: RunningServer) -> None:
    answer = new(server, game="charge", opponent="friend", seat="second", name="Red", options={"goal": 9})
    assert answer.status_code == 201
    seated = answer.json()
    assert seated["seat"] == "second"
    assert seated["match"]["names"] == {"first": "Player 2", "second": "Red"}
    assert seated["match"]["options"]["goal"] == 9
    cookie = answer.headers["set-cookie"]
    assert f"duelbook-{seated['id']}={seated['token']}" in cookie
    for part in ("HttpOnly", "SameSite=strict", f"Path=/api/matches/{seated['id']}"):
        assert part in cookie


def test_the_public_view_has_everything_but_tokens(server: RunningServer) -> None:
    first, second = server.new_pair("crystal-capture")
    first.play(0, "5")
    view = second.view()
    assert view["status"] == "playing"
    assert (view["ply"], view["mover"], view["moves"]) == (1, "second", ["5"])
    assert (view["outcome"], view["reason"], view["result"]) == ("none", "unfinished", None)
    assert view["legal"] == ["1", "2", "3", "4", "6", "7", "8", "9"]
    assert view["view"] == {"pool": [1, 2, 3, 4, 6, 7, 8, 9], "totals": [5, 0], "goal": 15}
    assert view["seats"] == {"first": "human", "second": "human"}
    assert "5" in view["text"]
    assert first.token not in json.dumps(view)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end_against_an_agent(server: RunningServer, game: str) -> None:
    player = server.new_match(game, "greedy", seat="random", options=short_variants(game)[0])
    view = player.view()
    while view["status"] != "over":
        if view["mover"] == player.seat:
            answer = player.play(view["ply"], view["legal"][0])
            assert answer.status_code == 200, answer.text
            view = answer.json()
        else:
            view = player.until(view["ply"] + 1)
    assert view["reason"] == "rules"
    assert f"{view['names'][view['outcome']]} " in view["result"]
    record = get(server, f"/api/matches/{player.match}/record")
    assert list(from_json(record).moves) == view["moves"]
    review = get(server, f"/api/matches/{player.match}/review")
    assert [move["move"] for move in review["moves"]] == view["moves"]


def test_a_friend_who_joins_with_a_key_gets_the_same_seat_again(server: RunningServer) -> None:
    one = server.new_match()
    join = f"/api/matches/{one.match}/join"
    first, second = (server.http.post(join, json={"key": "k" * 32}) for _ in range(2))
    assert first.json() == second.json()
    refused(server.http.post(join, json={"key": "x" * 32}), 409, "seat-taken")


def test_two_players_cannot_have_the_same_name(server: RunningServer) -> None:
    one = server.new_match(name="Red")
    answer = server.http.post(f"/api/matches/{one.match}/join", json={"name": " RED "})
    refused(answer, 422, "invalid")


def test_each_player_chooses_a_word_and_both_are_shown_once_both_have_chosen(server: RunningServer) -> None:
    problem = refused(new(server, game="alpha-chase", opponent="friend"), 422, "invalid-choice")
    assert problem["valid"] == ["BRAVE", "CHARM", "GHOST", "PLANT", "QUICK"]
    one = server.new_match("alpha-chase", choice="brave")
    waiting = one.view()
    assert (waiting["status"], waiting["seats"]) == ("waiting", {"first": "human", "second": "free"})
    assert waiting["choices"]["made"] == {"first": True, "second": False}
    assert (waiting["text"], waiting["view"]) == ("", {})
    assert "words" not in waiting["options"]
    join = f"/api/matches/{one.match}/join"
    problem = refused(server.http.post(join, json={"choice": "ZEBRA"}), 422, "invalid-choice")
    assert "GHOST" in problem["valid"]
    two = one.friend(choice="ghost")
    view = two.view()
    assert view["options"]["words"] == "BRAVE,GHOST"
    assert view["choices"] is None


def test_an_agent_chooses_for_itself(server: RunningServer) -> None:
    view = server.new_match("alpha-chase", "random", choice="BRAVE").view()
    mine, theirs = view["options"]["words"].split(",")
    assert mine == "BRAVE" != theirs


def test_exact_values_come_best_first(server: RunningServer) -> None:
    report = get(server, "/api/solve/charge", option="goal=9", after="charge 5,block")
    assert report["options"]["goal"] == 9
    assert report["after"] == ["charge 5", "block"]
    order = [["loss", "draw", "win"].index(move["value"]) for move in report["moves"].values()]
    assert order == sorted(order, reverse=True)
    assert get(server, "/api/solve/crystal-capture")["states"] == 1437


def test_a_puzzle_says_whether_a_move_is_right(server: RunningServer) -> None:
    puzzle = get(server, "/api/puzzles/crystal-capture", seed="7")
    assert "answer" not in puzzle
    tried = {move: get(server, "/api/puzzles/crystal-capture", seed="7", **{"try": move}) for move in puzzle["legal"]}
    right = [move for move, verdict in tried.items() if verdict["right"]]
    assert len(right) == 1
    assert all(verdict["answer"] == right[0] for verdict in tried.values())
    daily = get(server, "/api/puzzles/daily")
    assert daily == get(server, "/api/puzzles/daily")
    assert daily["day"]


def test_moves_since_a_ply_can_be_asked_for(server: RunningServer) -> None:
    first, second = server.new_pair()
    first.play(0, "9")
    second.play(1, "8")
    answer = get(server, f"/api/matches/{first.match}/moves", since=1)
    assert (answer["ply"], answer["since"], answer["moves"]) == (2, 1, ["8"])


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "chess"},
        {"game": "charge", "opponent": "deep blue"},
        {"game": "charge", "opponent": "mcts:0"},
        {"game": "charge", "opponent": "human"},
        {"game": "charge", "opponent": "/bin/sh"},
        {"game": "charge", "opponent": "llm:http://127.0.0.1/"},
        {"game": "charge", "opponent": "perfect", "options": {"goal": 99, "charge_cards": 9}},
        {"game": "charge", "options": {"goal": 0}},
        {"game": "charge", "options": {"gaol": 9}},
        {"game": "alpha-chase", "options": {"words": "PLANT,GHOST"}, "choice": "BRAVE"},  # nothing is left to choose
    ],
)
def test_an_impossible_match_is_refused_with_a_sentence(server: RunningServer, wish: dict[str, Any]) -> None:
    refused(new(server, **{"opponent": "friend", **wish}), 422, "invalid")


def test_whatever_does_not_exist_gets_the_same_answer(server: RunningServer) -> None:
    for match in ("0" * 24, "nonsense", "%00", "0" * 24 + "x"):
        for method, path in (
            ("GET", ""),
            ("GET", "/record"),
            ("GET", "/moves"),
            ("POST", "/join"),
            ("POST", "/rematch"),
        ):
            answer = httpx.request(
                method, f"{server.url}/api/matches/{match}{path}", headers={"Authorization": "Bearer x"}
            )
            assert refused(answer, 404, "not-found")["detail"] == "There is no such match."


def test_the_service_reports_its_health_and_metrics(server: RunningServer) -> None:
    assert get(server, "/healthz") == {"status": "alive"}
    assert get(server, "/readyz") == {"status": "ready"}
    first, _ = server.new_pair()
    first.play(0, "1")
    played = 'duelbook_requests_total{method="POST",route="/api/matches/{match}/actions",status="200"}'
    wait_until(lambda: played in server.http.get("/metrics").text)  # the page may have been made before
    assert 'duelbook_changes_total{game="crystal-capture"}' in server.http.get("/metrics").text


def test_the_pages_keep_to_their_content_security_policy(server: RunningServer) -> None:
    assert "time_limit" in server.http.get("/api/docs").text, "what to send is told"
    for path in ("/", "/api/docs"):
        answer = server.http.get(path)
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", answer.text)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]


CHARGE: dict[str, Any] = {"game": "charge", "opponent": "friend"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "The document must be an object, not null."),
        (CHARGE | {"sit": "first"}, "'sit' is not a known field."),
        (CHARGE | {"seat": "third"}, "Seat cannot be 'third'; valid: first, second, random."),
        (CHARGE | {"time_limit": 0}, "Time_limit must be a number above 0."),
        (CHARGE | {"time_limit": 1e6}, "Time_limit must be a number of at most 86400."),
        (CHARGE | {"name": "x" * 300}, "Name must be text of at most 200 characters."),
    ],
)
def test_a_plain_sentence_says_what_is_wrong_with_a_body(server: RunningServer, body: object, said: str) -> None:
    raw = json.dumps(body).encode()
    answer = server.http.post("/api/matches", content=raw, headers={"Content-Type": "application/json"})
    assert refused(answer, 422, "invalid")["detail"] == said
