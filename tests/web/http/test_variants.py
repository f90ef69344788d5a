"""The service checks options before a match is created: which one is wrong, and what is known about the others."""

from typing import Any

import pytest

from duelbook import GAMES, make
from duelbook.measurements import measurement_of, sentences
from tests.support.service.asking import get
from tests.support.service.harness import RunningServer


def variant(server: RunningServer, game: str, *options: str, **more: str) -> Any:
    answer = server.http.get(f"/api/games/{game}/variant", params={"option": options, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("game", GAMES)
def test_the_book_rules_can_be_played_and_were_measured(server: RunningServer, game: str) -> None:
    answer = variant(server, game)
    found = measurement_of(make(game))
    assert found
    assert answer["problem"] is None
    assert answer["measured"] == {"first_score": found.first_score, "sentences": sentences(found)}
    listed = next(one for one in get(server, "/api/games")["games"] if one["name"] == game)
    assert listed["presets"][0]["measured"] == answer["measured"]
    assert answer["choices"] == (listed["choice"] or {"valid": []})["valid"]


@pytest.mark.parametrize(
    ("game", "options", "wrong", "why"),
    [
        ("crystal-capture", ["crystals=5", "goal=16"], "goal", "15"),  # the sum of all crystals
        ("flag-chase", ["stride=3", "cells=8"], "cells", "odd"),
        ("charge", ["goal=0"], "goal", "1 to 60"),
        ("charge", ["refresh=never"], "refresh", "no-charges, empty-hand"),
        ("word-clash", ["dictionary=/etc/passwd"], "dictionary", "standard, common"),
        ("charge", ["dance=1"], None, "Unknown option 'dance'"),
    ],
)
def test_the_option_that_is_wrong_is_named(
    server: RunningServer, game: str, options: list[str], wrong: str | None, why: str
) -> None:
    answer = variant(server, game, *options)
    assert answer["problem"]["option"] == wrong
    assert why in answer["problem"]["detail"]
    assert answer["measured"] is None


def test_a_choice_is_checked(server: RunningServer) -> None:
    assert variant(server, "alpha-chase", choice="plant")["problem"] is None
    problem = variant(server, "alpha-chase", choice="HELLO")["problem"]
    assert problem["option"] == "words"
    assert "repeats the letter L" in problem["detail"]
    assert variant(server, "alpha-chase", "word_list=all", choice="HOUSE") == {
        "problem": None,
        "measured": None,
        "choices": [],  # too many
    }


def test_nothing_is_told_about_rules_that_were_not_measured(server: RunningServer) -> None:
    assert variant(server, "charge", "goal=22") == {"problem": None, "measured": None, "choices": []}


def test_what_everybody_gets_is_compressed_for_who_takes_that(server: RunningServer) -> None:
    for path in ("/api/games", "/api/demonstrations"):
        plain = server.http.get(path, headers={"Accept-Encoding": "identity"})
        packed = server.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        assert packed.json() == plain.json()
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
