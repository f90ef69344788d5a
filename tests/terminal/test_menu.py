"""The questions before a game starts. What they offer and check is proved in tests/play/test_form.py."""

from pathlib import Path

import pytest

from tests.support.keyboard import lines, run


def test_the_computer_picks_a_word_for_itself() -> None:
    """AC-8: another word than the one that the person has chosen."""
    for seed in range(12):
        done = run(["play", "alpha-chase", "--p2", "random", "--seed", str(seed)], lines("PLANT"))
        assert "Player 2 chooses " in done.stdout
        assert "Player 2 chooses PLANT" not in done.stdout


@pytest.fixture
def menu_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The file of the last choice, which does not exist yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "duelbook" / "menu.json"


def test_enter_plays_as_the_last_time_whatever_was_answered_before_going_back(menu_file: Path) -> None:
    menu_file.parent.mkdir()
    menu_file.write_text('{"game": "charge", "opponent": "random", "first": "1", "matches": 2}')
    done = run(["play"], lines("flag-chase", "custom", "7", "back", "back", "back", "", "quit"))
    assert "(Enter: the same as last time: Charge (book), against random, you start, 2 matches)" in done.stdout
    assert "duelbook play charge --p2 random --first 1 --matches 2" in done.stdout
    assert "Match 1 of 2" in done.stdout
    done = run(["play"], lines("charge", "", "", "", "quit"))
    assert "To start such a match at once: duelbook play charge --p2 random --first 1\n" in done.stdout
    assert "Match 1" not in done.stdout, "what is not asked for is as usual"


def test_back_leads_through_the_parts_of_an_answer_and_never_into_those_of_an_earlier_one(menu_file: Path) -> None:
    typed = ["charge", "custom", "21", *[""] * 5, "advanced", "search", *["back"] * 3]
    done = run(["play"], lines(*typed, "fair", "easy", "1", "quit"))
    assert done.stdout.count("Which one (1-6)? ") == 2
    assert "duelbook play charge --preset fair --p2 easy --first 1" in done.stdout


def test_a_choice_that_cannot_be_kept_is_told_and_played(menu_file: Path) -> None:
    menu_file.parent.write_text("no folder")
    done = run(["play"], lines("charge", "book", "easy", "1", "quit"))
    assert "Your choice is not kept." in done.stdout
    assert "Player 1, play a card: " in done.stdout


def test_more_choices_are_asked_for_on_demand_and_remembered(menu_file: Path) -> None:
    choices = ("charge", "book", "easy", "more", "", "30", "2", "1")
    done = run(["play"], lines(*choices, "quit"))
    assert "duelbook play charge --p2 easy --first 1 --time-limit 30 --matches 2" in done.stdout
    done = run(["play"], lines("charge", "book", "easy", "more", "", "none", "", "1", "quit"))
    assert "Enter for 30" in done.stdout
    assert "duelbook play charge --p2 easy --first 1 --matches 2" in done.stdout


def test_who_goes_back_from_more_choices_has_none_of_them(menu_file: Path) -> None:
    done = run(["play"], lines("charge", "book", "easy", "more", "random", "30", *["back"] * 3, "1", "quit"))
    assert "duelbook play charge --p2 easy --first 1\n" in done.stdout
