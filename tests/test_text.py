"""Text from outside: names, quotes and comparisons."""

import pytest

from duelbook import IllegalMoveError, RefusedError, make, parse_move
from duelbook.text import clean_name, fold, plural, quote, sanitize, shorten


def test_names_are_normalized_and_have_1_to_32_characters() -> None:
    assert clean_name("  Ann \t Lee ") == "Ann Lee"
    assert clean_name("e\u0301") == "\u00e9"
    for name in ("", "   ", "x" * 33):
        with pytest.raises(RefusedError, match="A name must have 1 to 32 characters"):
            clean_name(name)


def test_characters_that_could_control_a_terminal_are_replaced() -> None:
    assert sanitize("red \x1b[31m, \u202eback\u2028") == "red \ufffd[31m, \ufffdback\ufffd"
    assert sanitize("two\nlines, Käse, 日本") == "two\nlines, Käse, 日本"


def test_a_quote_is_one_short_line() -> None:
    assert shorten("one\n two") == "one two"
    assert shorten("x" * 1000) == "x" * 60 + "…"
    assert quote("x" * 1000) == f"'{'x' * 60}…'"
    assert quote("CA\u0422") == "'CA\u0422' (\u0422 is CYRILLIC CAPITAL LETTER TE)"
    assert quote("\x85\ue000") == "'\ue000' (\ue000 is U+E000)"


def test_a_plural_follows_the_count() -> None:
    assert [plural(count, "point") for count in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert plural(2, "match", "es") == "2 matches"


def test_no_foreign_letter_is_read_as_one_of_a_to_z() -> None:
    others = (chr(code) for code in range(128, 0x110000))
    assert not [letter for letter in others if any(map(str.isascii, fold(letter)))]
    with pytest.raises(IllegalMoveError, match="KELVIN SIGN"):
        parse_move(make("alpha-chase"), make("alpha-chase").initial(), "\u212a")
    with pytest.raises(RefusedError, match="is not a word of five letters"):
        make("alpha-chase", words="GHO\u017fT,PLANT")


def test_foreign_letters_are_compared_without_case() -> None:
    assert fold("Ä  ÉCLAIR ΣΊΣΥΦΟΣ ЖУК STRAẞE") == fold("ä éclair  σίσυφος жук straße ")
