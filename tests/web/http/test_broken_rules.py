"""Games that load but break the contract: the service starts, says so where each is used, and serves the others."""

import json

import pytest

from duelbook.game import AnyGame
from duelbook.registry import kebab_case
from tests.support.games import broken
from tests.support.service.harness import RunningServer
from tests.web.conftest import Start

BROKEN: dict[type[AnyGame], str] = {  # what is wrong with each of them
    broken.NoMoves: "No move is legal, but the game is undecided.",
    broken.ThreePlayers: "mover is 2, but there are exactly two players, 0 and 1.",
    broken.RaisingPlay: "play raises ZeroDivisionError",
    broken.Growing: "A game neither ended nor came back to an earlier state within 10,000 moves.",
    broken.MovesAfterTheEnd: "The game is decided, but there are legal moves",
    broken.UnknownMoves: "legal_moves has the move 3",
    broken.PlainOutcome: "outcome is 3",
    broken.ListStates: "The state holds [12], a list",
}
SENTENCE = "This game does not work here: its own code failed. The reason is in the log."
SOUND = "tests.support.games.last_stone:LastStone"


@pytest.fixture(scope="module")
def served(serve: Start) -> RunningServer:
    return serve(games=",".join([*(f"{rules.__module__}:{rules.__name__}" for rules in BROKEN), SOUND]))


def log_lines(served: RunningServer) -> list[dict[str, str]]:
    return [json.loads(line) for line in served.log.read_text().splitlines() if line.startswith("{")]


@pytest.mark.parametrize("rules", BROKEN, ids=lambda rules: rules.__name__)
def test_whoever_asks_for_a_broken_game_gets_one_sentence_and_the_log_has_the_reason_once(
    served: RunningServer, rules: type[AnyGame]
) -> None:
    name = kebab_case(rules.__name__)
    opponents = ("friend", "medium", "perfect", "mcts:5")
    answers = [served.http.post("/api/matches", json={"game": name, "opponent": who}) for who in opponents]
    studies = ("positions/{}", "solve/{}", "hint/{}", "puzzles/{}", "games/{}/demonstration")
    answers += [served.http.get(f"/api/{study.format(name)}") for study in studies]
    assert {(answer.status_code, answer.json()["detail"]) for answer in answers} == {(500, SENTENCE)}
    reasons = [line["why"] for line in log_lines(served) if line["event"] == "a game is broken"]
    [reason] = [reason for reason in reasons if f"The rules of {rules.__name__}(" in reason]
    assert BROKEN[rules] in reason


def test_the_others_are_not_affected(served: RunningServer) -> None:
    listed = [game["name"] for game in served.http.get("/api/games").json()["games"]]
    assert {"charge", "last-stone", "growing", "no-moves"} <= {*listed}
    player = served.new_match("last-stone", "medium", seat="first")
    player.play(0, "take 1")
    assert player.until(2)["legal"]
    assert served.http.get("/readyz").status_code == 200
    assert not [line for line in log_lines(served) if "Traceback" in str(line) or line["event"] == "a task failed"]
