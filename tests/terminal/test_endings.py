"""How each game ends: the wording that the books' samples leave open."""

import pytest

from tests.support.keyboard import lines, run

WORDS = ["--option", "words=PLANT,GHOST"]


def test_crystal_capture_level_deadlock() -> None:
    """CC-2."""
    done = run(["play", "crystal-capture", "--first", "1"], lines(*"15697"))
    assert (
        "Player 1 Points: 14\n\nNeither player can capture another crystal.\n"
        "Both players have 14 points. Player 2 moved second and wins the game!\n" in done.stdout
    )


def test_crystal_capture_level_deadlock_with_the_other_starting() -> None:
    done = run(["play", "crystal-capture", "--first", "2"], lines(*"15697"))
    assert "Both players have 14 points. Player 1 moved second and wins the game!" in done.stdout


def test_crystal_capture_closest() -> None:
    """CC-2."""
    done = run(["play", "crystal-capture", "--first", "1"], lines(*"123485"))
    assert "Neither player can capture another crystal.\nPlayer 1 is closest to 15 and wins the game!" in done.stdout


def test_crystal_capture_draw() -> None:
    """CC-2."""
    arguments = ["play", "crystal-capture", "--first", "1", "--option", "deadlock=draw"]
    assert "Neither player can capture another crystal.\nThe game is a draw." in run(arguments, lines(*"15697")).stdout


@pytest.mark.parametrize(
    ("word", "board", "verdict", "winner"),
    [
        ("PLANT", "self", "Player 1 has completed their board with a valid word.", 1),
        ("PLANX", "self", "Player 1 loses for completing their board with an invalid word.", 2),
        ("PLANT", "opponent", "Player 1 loses for completing Player 2's board with a valid word.", 2),
        ("PLANX", "opponent", "Player 2 loses: Player 1 has completed Player 2's board with an invalid word.", 1),
    ],
)
def test_word_clash(word: str, board: str, verdict: str, winner: int) -> None:
    """WC-1."""
    answers: list[str] = []
    for position, letter in enumerate(word, 1):
        answers += [f"{letter} {board} {position}", "", f"Q {board} {position}", ""]
    done = run(["play", "word-clash"], lines(*answers[:17]))
    owner = "Player 1" if board == "self" else "Player 2"
    valid = "a valid" if word == "PLANT" else "not a valid"
    assert (
        f"{owner}'s board is complete: {' '.join(word)}\n'{word}' is {valid} English word.\n"
        f"{verdict}\nPlayer {winner} wins the game.\n" in done.stdout
    )
    assert done.returncode == 0


def test_alpha_chase_by_completing_the_word() -> None:
    done = run(["play", "alpha-chase", *WORDS], lines(*"PXLYAZNWT"))
    assert "\n\nGame Over.\nPlayer 1 wins!\n" in done.stdout
    assert "letters from their word" not in done.stdout


def test_alpha_chase_names_the_tie_break() -> None:
    """AC-5."""
    done = run(["play", "alpha-chase", *WORDS], lines(*"ZGPLTASNHO"))
    assert (
        "Player 1 letters from their word: P, T (2 letters).\nPlayer 2 letters from their word: G, O (2 letters).\n"
        "The count is tied: Player 1 collected the first letter.\n\nGame Over.\nPlayer 1 wins!" in done.stdout
    )


def test_alpha_chase_names_the_other_tie_break() -> None:
    """AC-5."""
    arguments = ["play", "alpha-chase", *WORDS, "--option", "tie_break=first-own-letter"]
    done = run(arguments, lines(*"ZGPLTASNHO"))
    assert "tied: Player 2 was the first to take a letter of their own word.\n\nGame Over.\nPlayer 2" in done.stdout


def test_alpha_chase_with_an_empty_pool() -> None:
    arguments = ["play", "alpha-chase", *WORDS, "--option", "ending=exhausted"]
    done = run(arguments, lines(*"PGTALHNSO", *"BCDEFIJKMQRUVWXYZ"))
    assert "Available letters: none\n" in done.stdout


def test_charge_overshooting_a_fruitless_steal_and_a_refresh() -> None:
    """CH-1, CH-4, CH-5."""
    moves = ["charge 1", "charge 5", "charge 1", "charge 5", "charge 1", "charge 4", "charge 1", "charge 2"]
    done = run(["play", "charge"], lines(*moves, "steal", "charge 1", "charge 1", "block", "refresh"))
    over = "Player 2 plays a Charge Card adding 2 points to reach 16, exceeding the limit."
    nothing = "Player 1 plays a Steal Card, but Player 2 gained no charge points on their last turn."
    assert f"{over} Player 2's charge resets to 0.\n" in done.stdout
    assert f"{nothing} It has no effect.\n" in done.stdout
    assert "Player 1 forfeits the turn and refreshes all Charge Cards.\n" in done.stdout


def test_charge_overshooting_by_a_steal() -> None:
    """CH-5."""
    moves = ["charge 5", "charge 1", "charge 5", "charge 1", "charge 4", "charge 5", "steal"]
    done = run(["play", "charge"], lines(*moves))
    assert (
        "Player 1 plays a Steal Card, stealing 5 points from Player 2.\nCharge Updates:\n"
        "Player 1: 14 + 5 = 19, exceeding the limit. Player 1's charge resets to 0.\n"
        "Player 2: 7 - 5 = 2\n" in done.stdout
    )


def test_charge_won() -> None:
    done = run(["play", "charge"], lines(*["charge 5", "charge 1"] * 2, "charge 5"))
    assert "adding 5 points. Total charge: 10 + 5 = 15.\n\nPlayer 1 wins the game!\n" in done.stdout


def test_flag_chase_plain_capture() -> None:
    done = run(["play", "flag-chase"], lines("2"))
    assert "forward): 2\n\nYou move 2 cells forward to cell 3 and capture the flag!\n\nPlayer 1 wins!\n" in done.stdout


def test_flag_chase_stopped_by_the_flag() -> None:
    """FC-1."""
    done = run(["play", "flag-chase", "--option", "cells=9"], lines("2", "1", "1", "1", "2"))
    assert (
        "Cannot move 2 cells forward. You cannot move beyond cell 5.\n"
        "You move 1 cell forward to cell 5 and capture the flag!\n" in done.stdout
    )
