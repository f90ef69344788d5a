"""Text from outside: names, quotes and comparisons."""

import pytest

from duelbook import IllegalMoveError, RefusedError, make, parse_move
from duelbook.text import (
    clean_name,
    clock_text,
    closest,
    duration,
    fold,
    hundredths,
    percentage,
    plural,
    quote,
    sanitize,
    seconds_text,
    shorten,
)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("[bold]Red[/bold]", "[bold]Red[/bold]"),
        ("  Red \t\n Blue  ", "Red Blue"),
        ("Re\u0301d", "R\u00e9d"),
        ("\x1b[31mRed", "\ufffd[31mRed"),
        ("Red\x7f\x80\x9b", "Red\ufffd\ufffd\ufffd"),
        ("\u202eder\u2066\u200e", "\ufffdder\ufffd\ufffd"),
        ("R\u200be\u00add\ufeff", "R\ufffde\ufffdd\ufffd"),
        ("\U0001f409 \U000e0041\ue000", "\U0001f409 \ufffd\ufffd"),
        ("Red\x00", "Red\ufffd"),
        ("\u0627\u062d\u0645\u0631", "\u0627\u062d\u0645\u0631"),
        ("x" * 32, "x" * 32),
        ("e\u0301" * 32, "\u00e9" * 32),
        ("</script><b>", "</script><b>"),
    ],
)
def test_names_are_normalized_and_have_no_control_characters(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize("name", ["", " ", "\n\t", "x" * 33, "x\u0301" * 17])
def test_names_have_1_to_32_characters(name: str) -> None:
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


def test_a_name_is_found_by_what_is_close_to_it_or_to_its_beginning() -> None:
    names = ("alpha-chase", "crystal-capture", "charge")
    assert [closest(typed, names) for typed in ("chrage", "crytsal", "cry", "chess", "")] == [
        *("charge", "crystal-capture", None, None, None)
    ]


def test_a_plural_follows_the_count() -> None:
    assert [plural(count, "point") for count in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert plural(2, "match", "es") == "2 matches"
    assert [*map(seconds_text, (0.5, 1, 1.0, 60.0))] == ["0.5 seconds", "1 second", "1 second", "60 seconds"]


def test_rounding_hides_neither_a_mistake_nor_a_success() -> None:
    shares = (0, 0.0001, 0.004, 0.01, 0.5, 0.994, 0.9994, 0.99999, 1)
    shown = ["0%", "<0.1%", "0.4%", "1%", "50%", "99%", "99.9%", ">99.9%", "100%"]
    assert [*map(percentage, shares)] == shown
    assert percentage(1 - 1e-16) == "100%"
    assert [*map(hundredths, (0, 0.0012, 0.005, 0.02, 1.5))] == ["0.00", "<0.01", "0.01", "0.02", "1.50"]


def test_no_foreign_letter_is_read_as_one_of_a_to_z() -> None:
    others = filter(str.isprintable, map(chr, range(128, 0x110000)))  # without those that mean nothing yet
    assert not [letter for letter in others if any(map(str.isascii, fold(letter)))]
    with pytest.raises(IllegalMoveError, match="KELVIN SIGN"):
        parse_move(make("alpha-chase"), make("alpha-chase").initial(), "\u212a")
    with pytest.raises(RefusedError, match="is not a word of five letters"):
        make("alpha-chase", words="GHO\u017fT,PLANT")


def test_foreign_letters_are_compared_without_case() -> None:
    assert fold("Ä  ÉCLAIR ΣΊΣΥΦΟΣ ЖУК STRAẞE") == fold("ä éclair  σίσυφος жук straße ")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2171.3, "2,171 s"),
        (999.6, "1,000 s"),
        (2.1713, "2.17 s"),
        (0.9996, "1 s"),
        (0.9, "900 ms"),
        (0.00125, "1.25 ms"),
        (0.0009996, "1 ms"),
        (0.0000123, "12 µs"),
    ],
)
def test_a_duration_is_readable_in_every_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_time_left_is_rounded_up_to_seconds() -> None:
    assert [clock_text(seconds) for seconds in (-1, 0, 0.2, 59.01, 600)] == [
        "[0:00]",
        "[0:00]",
        "[0:01]",
        "[1:00]",
        "[10:00]",
    ]
