"""Options: given as text or typed, and checked."""

from pathlib import Path
from typing import Any

import pytest

from duelbook import GAMES, make
from duelbook.games.alpha_chase.rules import AlphaChase, Ending
from duelbook.games.charge.rules import Charge, Refresh
from duelbook.games.crystal_capture.rules import CrystalCapture, Deadlock
from duelbook.options import options_of, write_options


def test_the_games_of_the_rule_books_are_registered_by_name() -> None:
    assert list(GAMES)[:5] == ["alpha-chase", "word-clash", "crystal-capture", "charge", "flag-chase"]


def test_options_may_be_text_or_typed() -> None:
    assert make("charge", goal="21", refresh="empty-hand") == Charge(goal=21, refresh=Refresh.EMPTY_HAND)
    assert make("charge", goal=21, refresh=Refresh.EMPTY_HAND) == Charge(goal=21, refresh=Refresh.EMPTY_HAND)
    assert make("crystal-capture", deadlock="DRAW") == CrystalCapture(deadlock=Deadlock.DRAW)
    for words in ("brave,quick", ("BRAVE", "QUICK"), ["brave", "quick"]):
        assert make("alpha-chase", words=words) == AlphaChase(words=("BRAVE", "QUICK"))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, "Unknown game 'chess'. Games: alpha-chase, word-clash, crystal-capture, charge, flag-chase"),
        ("charge", {"gaol": 1}, "Unknown option 'gaol'. Options: goal, biggest_charge, charge_cards, block_cards"),
        ("charge", {"goal": "x"}, "goal must be a whole number, not 'x'"),
        ("charge", {"goal": "1" * 5000}, "goal must be a whole number"),
        ("charge", {"goal": "1_0"}, "goal must be a whole number, not '1_0'"),
        ("charge", {"name": "x"}, "Unknown option 'name'"),
        ("charge", {"goal": 1.5}, "goal cannot be 1.5; valid: 1 to 60"),
        ("charge", {"goal": True}, "goal cannot be True; valid: 1 to 60"),
        ("charge", {"refresh": "never"}, "refresh cannot be 'never'; valid: no-charges, empty-hand"),
        ("charge", {"refresh": 1}, "refresh cannot be 1; valid: no-charges, empty-hand"),
        ("alpha-chase", {"ending": ""}, "ending cannot be ''; valid: settled, exhausted, dead"),
        ("alpha-chase", {"words": "PLANT"}, "words cannot be PLANT; valid: two values separated by a comma"),
        ("alpha-chase", {"words": ("PLANT", 5)}, "words cannot be"),
        ("alpha-chase", {"word_list": "nowhere"}, "word_list cannot be 'nowhere'; valid: book, all or a file"),
        ("word-clash", {"dictionary": "a\0b"}, "dictionary cannot be"),
        ("word-clash", {"dictionary": "/"}, "dictionary cannot be '/'; valid: standard, common or a file"),
        ("word-clash", {"finishing": "mine"}, "finishing cannot be 'mine'; valid: owner, own-only"),
        ("crystal-capture", {"goal": 46}, "goal must be from 1 to 45, not 46"),
        ("flag-chase", {"cells": 4}, "cells must be an odd number from 3 to 99"),
    ],
)
def test_an_invalid_option_is_refused_with_the_valid_values(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - that it is a ValueError is the promise
        make(name, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_options_are_written_as_in_records() -> None:
    assert write_options(AlphaChase(ending=Ending.DEAD)) == {
        "words": "PLANT,GHOST",
        "word_list": "book",
        "ending": "dead",
        "tie_break": "first-letter",
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_a_description_and_allowed_values(name: str) -> None:
    for option in options_of(GAMES[name]):
        assert option.about
        assert option.values()


def test_an_unreadable_word_file_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(b"caf\xe9s\n")
    with pytest.raises(ValueError, match=r"The word file .* cannot be read"):
        make("word-clash", dictionary=str(file))
