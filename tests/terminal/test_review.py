"""The page of `duelbook review`."""

import json
from pathlib import Path

import pexpect
import pytest

from duelbook import GAMES
from tests.support.keyboard import lines, run, session, spawn

BLUNDERS = ("1", "8", "7", "2", "6", "3")  # of Crystal Capture: both players give a win away


def test_it_shows_every_move_the_chart_and_the_players(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
    page = run(["review", file]).stdout
    assert "1. Player 2: 1, blunder (loss in 3 moves; best was 6)\n2. Player 1: 8, best (win in 3 moves)\n" in page
    assert "Player 2 wins |*     *\ndraw          |\nPlayer 1 wins | *****\n" in page
    assert "Player 1: accuracy 67%, first blunder on move 6 (3; best was 4)\n" in page
    assert page.startswith(
        "Crystal Capture: Player 1 against Player 2\n\n"
        "Neither player can capture another crystal. Player 2 is closest to 15 and wins the game!\n"
        "The turning point was move 6: Player 1 played 3 and turned a win into a loss.\n\n"
    )
    assert "\n\nMove 1: After 1, Player 1 plays 8 and wins in 3 moves. " in page
    assert (
        "\nMove 6: 3 leaves no crystal to take, with 13 points against 14, and loses at once. "
        "Better was 4: it leaves no crystal to take, with 14 points against 14, and wins at once"
    ) in page
    report = json.loads(run(["review", file, "--json"]).stdout)
    assert [move["verdict"] for move in report["moves"]][:2] == ["blunder", "best"]
    assert report["players"][0]["seat"] == "second"
    assert report["turning_point"] == {"ply": 6, "player": "second", "move": "3", "before": "win", "after": "loss"}
    assert report["decided"] in page
    assert f"Move 1: {report['moves'][0]['why']}\n" in page
    assert {fact["kind"] for fact in report["moves"][0]["facts"]} >= {"result", "effect"}
    assert (report["moves"][1]["why"], report["moves"][1]["facts"]) == (None, [])


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_reviewed(game: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", game, "--p1", "random", "--p2", "greedy", "--seed", "1", "--record", file])
    done = run(["review", file])
    assert "accuracy" in done.stdout or "no decision" in done.stdout
    assert done.returncode == 0


def test_at_a_terminal_the_result_and_the_verdicts_have_colours(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
    screen, _ = session(f"review {file}", "", TERM="xterm-256color")
    assert "\x1b[1;32mNeither player can capture another crystal." in screen
    assert "\x1b[1mThe turning point was move 6" in screen
    assert "\x1b[31m1. Player 2: 1, blunder" in screen
    assert "\x1b[32m2. Player 1: 8, best" in screen


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
    child = spawn(f"review {file}", COLUMNS="40", DUELBOOK_SOLVE_MEGABYTES="20")
    child.expect(pexpect.EOF)
    shown = [line.rstrip() for line in str(child.before).replace("\r", "").split("\n")]
    chart = [line for line in shown if "|" in line]
    assert len(chart) == rows
    assert any(line.startswith("Bartholomew") and "… " in line for line in chart)
    assert max(map(len, shown)) <= 40


def test_an_unfinished_game_says_so(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "flag-chase", "--record", file], lines("1", "quit"))
    assert "\n\nThe game is unfinished after 1 move.\nThe turning point was move 1:" in run(["review", file]).stdout


def test_rules_that_are_not_those_of_the_book_are_named(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    screen, _ = session(
        f"play crystal-capture --option goal=17 --first 1 --once --record {file}", "crystal to capture: «quit»\n"
    )
    assert "Not as in the book: goal=17" in screen
    run(["play", "crystal-capture", "--option", "goal=9", "--first", "1", "--record", str(tmp_path / "b")], lines("9"))
    assert "\nNot as in the book: goal=9\n" in run(["review", str(tmp_path / "b")]).stdout
