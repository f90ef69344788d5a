"""Typed moves: names, the books' own phrases and short forms mean a move if only one fits."""

from typing import Any

import pytest

from duelbook import GAMES, make
from duelbook.errors import RefusedError
from duelbook.game import move_names
from duelbook.narration import Seating, narration_for
from duelbook.play.typed_moves import read_move
from duelbook.records.record import replay


def read(game: str, text: str, *after: str, **options: Any) -> str:
    """Return the move that the text means after these moves."""
    rules = make(game, **options)
    state = rules.initial()
    for _, following in replay(rules, after):
        state = following
    return read_move(narration_for(rules, Seating()), state, text)


@pytest.mark.parametrize(
    ("game", "text", "move"),
    [
        ("charge", "play charge 5", "charge 5"),
        ("charge", "  PLAY  Charge 5 ", "charge 5"),
        ("charge", "5", "charge 5"),
        ("charge", "ch 5", "charge 5"),
        ("charge", "c5", "charge 5"),
        ("charge", "ｃｈａｒｇｅ　５", "charge 5"),
        ("charge", "b", "block"),
        ("charge", "play block", "block"),
        ("charge", "st", "steal"),
        ("crystal-capture", "play 8", "8"),
        ("word-clash", "e s 3", "E self 3"),
        ("word-clash", "e opponent 3", "E opponent 3"),
        ("flag-chase", "2", "2"),
    ],
)
def test_a_phrase_or_a_short_form_means_the_only_move_that_fits(game: str, text: str, move: str) -> None:
    assert read(game, text) == move


@pytest.mark.parametrize("game", GAMES)
def test_the_name_of_a_move_means_that_move_in_any_case(game: str) -> None:
    rules = make(game)
    for name in move_names(rules, rules.initial()):
        assert read(game, name) == read(game, f" {name.lower()} ") == read(game, name.upper()) == name


def test_a_digit_is_not_a_short_form_of_a_longer_number() -> None:
    assert read("crystal-capture", "1", crystals=10, goal=20) == "1"
    with pytest.raises(RefusedError, match="Crystal 1 has been captured"):
        read("crystal-capture", "1", "1", crystals=10, goal=20)  # only 10 begins with it now


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        ("word-clash", "e 3", "'e 3' can mean E self 3, E opponent 3. Type the whole move."),
        (
            "charge",
            "c",
            "'c' can mean charge 1, charge 2, charge 3, charge 4, …. Type the whole move.",
        ),
        ("charge", "charge", "A Charge Card adds 1 to 5 points; say how many. Legal moves: "),
        ("charge", "charge 9", "A Charge Card adds 1 to 5 points, not '9'. Legal moves: "),
        ("flag-chase", "dance", "'dance' is not legal here. Legal moves: 1, 2."),
        ("flag-chase", " ", "'' is not legal here. Legal moves: 1, 2."),
    ],
)
def test_what_fits_several_moves_or_none_is_refused_in_one_sentence(game: str, text: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read(game, text)
    assert str(refused.value).startswith(sentence)
