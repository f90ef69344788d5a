"""Lines of moves, position by position, as the page requests them, on both back ends."""

from typing import Any

import pytest

from duelbook import GAMES
from duelbook.games.word_clash import rules
from duelbook.web.match.positions import demonstrate
from tests.support.game_folders import short_variants
from tests.support.service.asking import get
from tests.support.service.harness import RunningServer


def positions(server: RunningServer, game: str, *moves: str, **options: Any) -> Any:
    given = [f"{name}={value}" for name, value in options.items()]
    return get(server, f"/api/positions/{game}", option=given, after=",".join(moves))


def test_a_line_is_answered_position_by_position(server: RunningServer) -> None:
    line = positions(server, "charge", " CHARGE  5", "block", goal=9)
    assert (line["game"], line["options"]["goal"], line["moves"]) == ("charge", 9, ["charge 5", "block"])
    assert [(one["ply"], one["mover"], one["outcome"]) for one in line["positions"]] == [
        (0, "first", "none"),
        (1, "second", "none"),
        (2, "first", "none"),
    ]
    assert "charge 1" in line["positions"][2]["legal"]
    assert [one["view"]["sides"][0]["points"] for one in line["positions"]] == [0, 5, 5]


def test_a_decided_position_has_no_mover(server: RunningServer) -> None:
    last = positions(server, "flag-chase", "1", "2")["positions"][-1]
    assert (last["ply"], last["mover"], last["outcome"], last["legal"]) == (2, None, "second", [])


def test_a_forced_pass_is_a_move_of_the_line(server: RunningServer) -> None:
    first, second = server.new_pair()
    for ply, move in enumerate(["1", "2", "3", "9"]):
        (first, second)[ply % 2].play(ply, move)
    view = first.play(4, "4").json()
    line = positions(server, "crystal-capture", *view["moves"])
    assert line["moves"] == view["moves"] == ["1", "2", "3", "9", "4", "pass"]
    assert line["positions"][5]["legal"] == ["pass"]


@pytest.mark.parametrize("game", GAMES)
def test_every_position_of_a_match_is_that_of_its_line(server: RunningServer, game: str) -> None:
    first, _ = server.new_pair(game, options=short_variants(game)[0])
    start = first.view()
    view = first.play(0, start["legal"][0]).json()
    line = positions(server, game, *view["moves"], **start["options"])
    for shown, position in zip((start, view), line["positions"], strict=True):
        assert {name: shown[name] for name in position} == position


@pytest.mark.parametrize("after", ["", "1"])
def test_exact_values_come_with_a_hint_in_steps_and_with_what_is_proven(server: RunningServer, after: str) -> None:
    found = get(server, "/api/solve/flag-chase", after=after)["hint"]
    assert (found["nudge"], found["move"]) == ("You can win at once.", "2")
    assert found["why"] == "Reaches the flag and wins at once; every other move loses."
    assert [fact["kind"] for fact in found["facts"]] == ["result", "effect", "only move", "threat"]
    assert all((fact["move"], fact["after"]) == ("2", []) for fact in found["facts"])


def test_there_is_no_hint_once_the_game_is_over(server: RunningServer) -> None:
    assert get(server, "/api/solve/flag-chase", after="1,2")["hint"] is None


@pytest.mark.parametrize("game", GAMES)
def test_a_demonstration_is_a_short_legal_game_and_the_same_all_day(server: RunningServer, game: str) -> None:
    line = get(server, f"/api/games/{game}/demonstration")
    assert len(line["moves"]) <= 24
    assert line["positions"][-1]["outcome"] != "none"
    assert line == positions(server, game, *line["moves"], **line["options"])
    assert line == get(server, f"/api/games/{game}/demonstration")


def test_another_day_shows_another_game() -> None:
    shown = [demonstrate("charge", f"2026-01-0{day}").moves for day in (1, 2, 3, 1)]
    assert shown[0] == shown[3] not in shown[1:3]


def test_no_demonstration_spells_an_offensive_word(monkeypatch: pytest.MonkeyPatch) -> None:
    class EveryWord:
        def __contains__(self, board: int) -> bool:
            return 0 not in board.to_bytes(5, "little")

    monkeypatch.setattr(rules, "denied_codes", EveryWord)
    last = demonstrate("word-clash", "2026-01-01").positions[-1]
    assert last.ply > 4
    assert all("" in board for board in last.view["boards"])
