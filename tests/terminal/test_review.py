"""The page of `duelbook review`."""

import json
from pathlib import Path

import pytest

from duelbook import make
from duelbook.match import Match
from duelbook.records import Person, Record
from duelbook.terminal.review import show_game_review
from duelbook.terminal.screen import Screen
from tests.support.keyboard import at_terminal, lines, run

BLUNDERS = ("1", "8", "7", "2", "6", "3")  # of Crystal Capture: both players give a win away


def test_the_document_says_what_the_page_says(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
    page = run(["review", file]).stdout
    report = json.loads(run(["review", file, "--json"]).stdout)
    assert [move["verdict"] for move in report["moves"]][:2] == ["blunder", "best"]
    assert report["players"][0]["seat"] == "second"
    assert report["turning_point"] == {"ply": 6, "player": "second", "move": "3", "before": "win", "after": "loss"}
    assert report["decided"] in page
    assert f"Move 1: {report['moves'][0]['why']}\n" in page
    assert {fact["kind"] for fact in report["moves"][0]["facts"]} >= {"result", "effect"}
    assert (report["moves"][1]["why"], report["moves"][1]["facts"]) == (None, [])


def test_at_a_terminal_the_result_and_the_verdicts_have_colours(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
    screen, _ = at_terminal(f"review {file}", TERM="xterm-256color")
    assert "\x1b[1;32mNeither player can capture another crystal." in screen
    assert "\x1b[1mThe turning point was move 6" in screen
    assert "\x1b[31m1. Player 2: 1, blunder" in screen
    assert "\x1b[32m2. Player 1: 8, best" in screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "rows"),
    [
        (
            "alpha-chase --option words=PLANT,QUICK --option ending=exhausted",
            6,
        ),  # 26 moves take two bands of three rows
        ("crystal-capture --option crystals=30 --option goal=60", 5),  # too large to be solved here
    ],
)
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, game: str, rows: int) -> None:
    """Also not the chart, with exact values or estimated, of a long game and a long name."""
    file = str(tmp_path / "game.json")
    who = ["--name1", "Bartholomew the Elder of Sundown", "--p1", "random", "--p2", "random", "--seed", "3"]
    assert run(["play", *game.split(), *who, "--record", file]).returncode == 0
    screen, _ = at_terminal(f"review {file}", COLUMNS="40", DUELBOOK_SOLVE_MEGABYTES="20")
    shown = [line.rstrip() for line in screen.split("\n")]
    chart = [line for line in shown if "|" in line]
    assert len(chart) == rows
    assert any(line.startswith("Bartholomew") and "… " in line for line in chart)
    assert max(map(len, shown)) <= 40


def test_a_stopped_review_says_only_what_holds_for_a_game_that_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(record: Record) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("duelbook.play.game_review.best_review", stopped)
    match = Match(make("flag-chase"))
    match.play("2")
    show_game_review(match.record((Person("Red"), Person("Blue")), 0), Screen())
    assert capsys.readouterr().out == "Stopped. Type review to start it again.\n\n"
