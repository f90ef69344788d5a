"""The guide to a game: examples and tips beside its rules."""

from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError
from duelbook.guide import guide_text, read_guide
from duelbook.testing import check_game
from duelbook.testing.conformance import CHECKS, ESSENTIAL
from tests.support.games.last_stone import LastStone
from tests.support.keyboard import run

GOOD = """
[[example]]
title = "Short"
options = { stones = 3 }
moves = ["take 1", "take 2"]
says = ["2 stones are left.", "The last 2: the second player wins."]
winner = "second"

[[tip]]
text = "Leave four."
options = { stones = 7 }
right = ["take 3"]
wrong = ["take 1"]
"""


@pytest.fixture
def guided(heap: Path) -> Callable[[str], type[AnyGame]]:
    """Return a function that returns the rules of Last Stone with this guide beside them."""

    def write(text: str) -> type[AnyGame]:
        (heap / "guide.toml").write_text(text)
        return GAMES["last-stone"]

    return write


def faults(rules: type[AnyGame]) -> list[str]:
    return [failure.reason for failure in check_game(rules(), skip=set(CHECKS) - {"guide", *ESSENTIAL})]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_examples_with_a_winner_and_tips(name: str) -> None:
    guide = read_guide(GAMES[name])
    assert guide
    assert any(example.winner for example in guide.example)
    assert len(guide.example) >= 2
    assert len(guide.tip) == 3


def test_examples_are_shown_move_by_move_with_the_position_at_their_end(
    guided: Callable[[str], type[AnyGame]],
) -> None:
    rules = guided(GOOD)
    text = guide_text(rules())
    assert (
        "### Short (with stones=3)\n\n1. First player, `take 1`: 2 stones are left.\n2. Second player, `take 2`:"
        in text
    )
    assert "the second player wins.\n\nThe position at the end:\n\n    Stones: 0\n" in text
    assert "- Leave four. (with stones=7)" in text
    assert faults(rules) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"take 2"]', '"take 3"]', "The example 'Short' cannot be played: 'take 3' is not legal here."),
        ('winner = "second"', 'winner = "first"', "its winner is 'second', not 'first'."),
        ('winner = "second"\n', "", "its winner is 'second', not 'none'."),
        ("The last 2:", "The last 9:", "names 9, which is not in the position."),
        (', "The last 2: the second player wins."', "", "it has 2 moves and 1 remarks."),
        ('right = ["take 3"]', 'right = ["take 2"]', "The tip 'Leave four.' is wrong: take 2 gives value away."),
        ('wrong = ["take 1"]', 'wrong = ["take 3"]', "take 3 is as good as any."),
        ("stones = 7", "stones = 8", "take 1 is as good as any."),
        ("wrong = [", "bad = [", "guide.toml"),
    ],
)
def test_what_is_wrong_with_a_guide_is_found(
    guided: Callable[[str], type[AnyGame]], old: str, new: str, problem: str
) -> None:
    assert old in GOOD
    assert problem in " ".join(faults(guided(GOOD.replace(old, new))))


def test_a_guide_that_cannot_be_read_is_the_games_fault(guided: Callable[[str], type[AnyGame]]) -> None:
    rules = guided("[[example]\n")
    with pytest.raises(BrokenGameError, match=r"guide\.toml"):
        guide_text(rules())


def test_a_game_without_a_guide_has_none() -> None:
    assert guide_text(LastStone()) == ""


def test_with_other_options_the_guide_says_that_it_is_about_the_book() -> None:
    note = "The examples and tips are about the rules of the book"
    assert note not in guide_text(make("charge"))
    assert note in guide_text(make("charge", goal=21))
    assert note not in guide_text(make("alpha-chase", words="BRAVE,QUICK"))  # which are drawn for a match


def test_the_rules_are_shown_in_full_if_asked() -> None:
    assert "## Tips" not in run(["rules", "charge"]).stdout
    shown = run(["rules", "charge", "--full"]).stdout
    assert (
        shown.index("## The end")
        < shown.index("### A steal can win")
        < shown.index("## Tips")
        < shown.index("## Options")
    )


def test_during_a_game_and_before_it_rules_full_shows_the_guide() -> None:
    for command in (["play", "charge"], ["learn", "charge"], ["puzzle", "charge", "--seed", "1"]):
        assert "### A steal can win" in run(command, "rules full\nquit\n").stdout, command
    assert "A word is completed (PLANT against GHOST)" in run(["play", "alpha-chase"], "rules full\nquit\n").stdout
