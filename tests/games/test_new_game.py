"""A new game is a folder with `rules.py`, which an environment variable names. It gets everything."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from duelbook import Outcome, perft
from tests.support.playing import legal_names, played
from tests.support.toy import STAIRCASE
from tests.support.toy.rules import Staircase


def toy(*arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "duelbook", *arguments]
    place: dict[str, Any] = {"cwd": Path(__file__).parents[2], "env": os.environ | STAIRCASE}
    return subprocess.run(command, input=answers, **place, capture_output=True, text=True, check=False)


def test_its_rules_work() -> None:
    game = Staircase(steps=3)
    assert legal_names(game, "climb 2") == ["climb 1"]
    assert game.outcome(played(game, "climb 2", "climb 1")) is Outcome.SECOND_WINS
    assert perft(game, 3) == 1


def test_it_is_listed_and_has_a_rules_page() -> None:
    assert "staircase        Climb one or two steps of the same stairs" in toy("games").stdout
    assert toy("rules", "staircase").stdout.startswith("# Staircase\n\nClimb one or two steps")
    assert "- `steps`: a whole number; default `7`." in toy("rules", "staircase").stdout


def test_it_is_played_with_the_general_narration_recorded_and_replayed(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    done = toy(
        "play", "staircase", "--option", "steps=3", "--record", file, answers="climb 3\nmoves\nclimb 2\nclimb 1\n"
    )
    assert done.stdout.startswith("Step 0 of 3\n\nPlayer 1's turn.\nEnter your move: climb 3\n")
    assert "'climb 3' is not legal here. Legal moves: climb 1, climb 2" in done.stdout
    assert "Player 1 plays climb 2.\n\nStep 2 of 3\n\nPlayer 2's turn.\n" in done.stdout
    assert "\nPlayer 2 wins with climb 1!\n" in done.stdout
    assert done.returncode == 0
    assert "Position 2 of 2: Player 2 played climb 1\n\nStep 3 of 3\n" in toy("replay", file, "--at", "2").stdout


def test_agents_play_it() -> None:
    done = toy("play", "staircase", "--p1", "greedy", "--p2", "random", "--seed", "1")
    assert done.returncode == 0


def test_its_options_are_checked() -> None:
    done = toy("play", "staircase", "--option", "steps=51")
    assert done.stderr == "duelbook: steps must be from 1 to 50, not 51.\n"
    assert done.returncode == 2


@pytest.mark.slow
def test_it_compiles() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.compiled import playouts

    tally = playouts(Staircase(), 1000, seed=1)
    assert tally.first_wins + tally.second_wins == 1000
    script = "from duelbook.compiled import playouts; import duelbook; playouts(duelbook.make('charge'), 1, 1)"
    elsewhere = subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=False)
    assert elsewhere.returncode == 0, "numba's cache for a game that is not installed must not affect other games"
