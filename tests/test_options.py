"""Options: given as text or typed, and checked."""

import random
from pathlib import Path
from typing import Any

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.games.alpha_chase.rules import AlphaChase, Ending
from duelbook.games.charge.rules import Charge, Refresh
from duelbook.games.crystal_capture.rules import CrystalCapture, Deadlock
from duelbook.options import draw, drawn_options, options_of, write_options
from tests.support.games.number_row import NumberRow


def test_options_may_be_text_or_typed() -> None:
    assert make("charge", goal="21", refresh="empty-hand") == Charge(goal=21, refresh=Refresh.EMPTY_HAND)
    assert make("charge", goal=21, refresh=Refresh.EMPTY_HAND) == Charge(goal=21, refresh=Refresh.EMPTY_HAND)
    assert make("crystal-capture", deadlock="DRAW") == CrystalCapture(deadlock=Deadlock.DRAW)
    for words in ("brave,quick", ("BRAVE", "QUICK"), ["brave", "quick"]):
        assert make("alpha-chase", words=words) == AlphaChase(words=("BRAVE", "QUICK"))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("chess", {}, f"Unknown game 'chess'. Games: {', '.join(GAMES)}"),
        (
            "charge",
            {"gaol": 1},
            "Unknown option 'gaol'. Did you mean 'goal'? Options: goal, biggest_charge, charge_cards, block_cards",
        ),
        ("charge", {"goal": "x"}, "goal must be a whole number, not 'x'"),
        ("charge", {"goal": "1" * 5000}, "goal must be from 1 to 60, not 111"),
        ("charge", {"goal": "-1000000000"}, "goal must be from 1 to 60, not -1000000000."),
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
        ("word-clash", {"dictionary": "/"}, "dictionary cannot be '/'; valid: standard, common or a file that exists"),
        ("word-clash", {"finishing": "mine"}, "finishing cannot be 'mine'; valid: owner, own-only"),
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


def test_an_option_may_be_a_list_of_whole_numbers(number_row: str) -> None:
    for row in ("3, 1,2", (3, 1, 2), [3, 1, 2]):
        assert make(number_row, length=3, row=row) == NumberRow(3, (3, 1, 2))
    game = NumberRow(3, (3, 1, 2))
    assert write_options(game) == {"length": 3, "row": "3,1,2"}
    assert make(number_row, **write_options(game)) == game


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("3,x,1", "row must be a whole number, not 'x'."),
        ((3, 2, "1"), "row cannot be 3,2,1; valid: whole numbers, separated by commas."),
        ((3, 2, True), "row cannot be 3,2,True; valid: whole numbers, separated by commas."),
        (3, "row cannot be 3; valid: whole numbers, separated by commas."),
        ("1,2", "row must hold each number from 1 to 3 once."),
    ],
)
def test_an_invalid_list_is_refused(row: Any, message: str) -> None:
    with pytest.raises(RefusedError) as refused:
        NumberRow(3, options_of(NumberRow)[1].read(row) if isinstance(row, str) else row)
    assert str(refused.value) == message


def test_a_seed_draws_the_same_start_again_and_other_seeds_draw_others() -> None:
    game = NumberRow(length=6)
    rows = [draw(game, random.Random(seed)).row for seed in (1, 1, 2, 3)]
    assert rows[0] == rows[1]
    assert len({*rows}) == 3
    assert all(sorted(row) == [1, 2, 3, 4, 5, 6] for row in rows)
    assert game.row == (1, 2, 3, 4, 5, 6), "a game never changes"


def test_an_option_that_is_given_is_not_drawn() -> None:
    assert drawn_options(NumberRow) == ("row",)
    assert drawn_options(NumberRow, {"row": "2,1"}) == ()
    assert drawn_options(Charge) == ()
    game = NumberRow(2, (2, 1))
    assert all(draw(game, random.Random(seed), ()) == game for seed in range(9))


def test_the_words_of_alpha_chase_are_drawn_like_any_start() -> None:
    assert drawn_options(AlphaChase) == ("words",)
    words = {draw(AlphaChase(), random.Random(seed)).words for seed in range(200)}
    assert len(words) == 20, "every two different words of the book, in either order"
