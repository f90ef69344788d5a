"""The page of `duelbook review`."""

import json
from pathlib import Path

import pytest

from duelbook import GAMES
from tests.support.keyboard import lines, run

BLUNDERS = ("1", "8", "7", "2", "6", "3")  # of Crystal Capture: both players give a win away


def test_it_shows_every_move_the_chart_and_the_players(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", "crystal-capture", "--first", "2", "--record", file], lines(*BLUNDERS))
    page = run(["review", file]).stdout
    assert "1. Player 2: 1, blunder (loss in 3 moves; best was 6)\n2. Player 1: 8, best (win in 3 moves)\n" in page
    assert "Player 2 wins |*     *\ndraw          |\nPlayer 1 wins | *****\n" in page
    assert "Player 1: accuracy 67%, first blunder on move 6 (3; best was 4)\n" in page
    report = json.loads(run(["review", file, "--json"]).stdout)
    assert [move["verdict"] for move in report["moves"]][:2] == ["blunder", "best"]
    assert report["players"][0]["seat"] == "second"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_reviewed(game: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run(["play", game, "--p1", "random", "--p2", "greedy", "--seed", "1", "--record", file])
    done = run(["review", file])
    assert "accuracy" in done.stdout or "no decision" in done.stdout
    assert done.returncode == 0
