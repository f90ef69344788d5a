"""A game in which a player may move again, in the terminal."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.support.keyboard import run

MOVES = ("pit 3", "pit 6", "pit 1", "pit 2", "pit 7")  # the first player moves three times, then wins


def test_it_is_played_recorded_replayed_and_reviewed(use_games: Callable[[str], None], tmp_path: Path) -> None:
    use_games("tests.support.games.pits:Pits")
    file = str(tmp_path / "game.json")
    done = run(["play", "pits", "--record", file], answers="hint\n" * 3 + "\n".join(MOVES) + "\n")
    assert done.returncode == 0
    assert "Look for a move that lets you move again." in done.stdout
    assert "pit 3: wins in 3 of your moves. You move again: pit 6, then pit 7, which wins.\n" in done.stdout
    turns = [line for line in done.stdout.splitlines() if "'s turn" in line]
    assert turns == ["Player 1's turn."] + ["Player 1's turn again."] * 2 + ["Player 2's turn.", "Player 1's turn."]
    assert "Player 1 wins with pit 7!" in done.stdout
    assert json.loads(Path(file).read_text())["moves"] == list(MOVES)
    assert "Position 3 of 5: Player 1 played pit 1\n" in run(["replay", file, "--at", "3"]).stdout
    review = run(["review", file]).stdout
    assert "counted in their own moves" in review
    assert "1. Player 1: pit 3, best (win in 3 moves)\n2. Player 1: pit 6, best (win in 2 moves)\n" in review
    assert "4. Player 2: pit 2, " in review


def test_undo_takes_back_one_move_of_a_turn_that_goes_on(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.pits:Pits")
    done = run(["play", "pits", "--p2", "random", "--seed", "1"], answers="pit 3\nundo\nquit\n")
    last_board = [line for line in done.stdout.splitlines() if line.startswith("Pits:")][-1]
    assert last_board == "Pits: 1 2 3 4 5 6 7"
