"""Rules with the options in force, and lessons: the service tells a step, and what follows after a move."""

from typing import Any

from duelbook import GAMES
from duelbook.study.lessons import own_lesson
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer


def rules(server: RunningServer, query: str) -> dict[str, Any]:
    found: dict[str, Any] = study(server, f"/api/games/{query}")
    return found | {"line": " ".join(found["text"].split())}


def test_rules_are_those_of_the_options(server: RunningServer) -> None:
    assert "exactly 15 points wins" in rules(server, "charge/rules")["line"]
    found = rules(server, "charge/rules?option=goal=21&option=steal_cards=0")
    assert "exactly 21 points wins" in found["line"]
    assert "Steal" not in found["line"]
    assert (found["options"]["goal"], len(found["pictures"])) == (21, 1)
    assert found["pictures"][0]["position"]["view"]["goal"] == 21
    assert "exactly 9 points wins" in rules(server, "charge/rules?option=preset=quick")["line"]


def test_a_picture_has_the_position_and_the_moves_that_led_to_it(server: RunningServer) -> None:
    found = rules(server, "crystal-capture/rules")
    picture = found["pictures"][1]
    assert picture["history"] == [{"move": "8", "seat": "first"}, {"move": "5", "seat": "second"}]
    assert picture["position"]["view"]["totals"] == [8, 5]
    assert f"![{picture['caption']}](1)" in found["text"]


def test_what_is_chosen_later_is_not_part_of_the_rules(server: RunningServer) -> None:
    assert "Each player picks a word" in rules(server, "alpha-chase/rules")["line"]
    chosen = rules(server, "alpha-chase/rules?option=words=PLANT,GHOST")
    assert "The first player's word is PLANT" in chosen["line"]


def test_a_lesson_has_its_steps_and_no_answers(server: RunningServer) -> None:
    found = study(server, "/api/games/flag-chase/lesson")
    own = own_lesson(GAMES["flag-chase"])
    assert own
    assert (found["game"], found["general"]) == ("flag-chase", False)
    assert [step["task"] for step in found["steps"]] == [step.task for step in own.steps]
    assert [len(step["start"]["history"]) for step in found["steps"]] == [len(step.moves) for step in own.steps]
    assert own.steps[1].right not in str(found)


def test_a_wrong_move_is_answered_with_the_reply_that_shows_why(server: RunningServer) -> None:
    found = study(server, "/api/games/flag-chase/lesson/answer?step=2&try=1")
    assert (found["right"], found["text"]) == (False, "One cell short. Your opponent replies 2 and wins.")
    assert [one["position"]["outcome"] for one in found["shown"]] == ["none", "second"]
