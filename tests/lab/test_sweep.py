"""Sweeps: the values of an option from a text."""

import pytest

from duelbook import RefusedError
from duelbook.games import find_rules
from duelbook.lab.sweep import read_sweeps


@pytest.mark.parametrize(
    ("game", "text", "values"),
    [
        ("charge", "goal=9..12", (9, 10, 11, 12)),
        ("charge", "goal = 9..15..3", (9, 12, 15)),
        ("charge", "goal=15, 9", (15, 9)),
        ("charge", "refresh=all", ("no-charges", "empty-hand")),
        ("charge", "refresh=Empty-Hand", ("empty-hand",)),
        ("word-clash", "dictionary=all", ("standard", "common")),
        ("alpha-chase", "words=PLANT,GHOST;BRAVE,CHARM", ("PLANT,GHOST", "BRAVE,CHARM")),
        ("number-row", "row=1,2,3;3,2,1", ("1,2,3", "3,2,1")),
    ],
)
@pytest.mark.usefixtures("number_row")
def test_a_text_gives_values(game: str, text: str, values: tuple[int | str, ...]) -> None:
    [sweep] = read_sweeps(find_rules(game), [text], {})
    assert sweep.values == values


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ([], "The lab needs at least one --sweep OPTION=VALUES, such as goal=9..30"),
        (["goal"], "A sweep must be given as OPTION=VALUES, .* not 'goal'"),
        (["goal="], "A sweep must be given as OPTION=VALUES"),
        (["gaol=1..2"], "Unknown option 'gaol'. Did you mean 'goal'?"),
        (["goal=9..12", "goal=3"], "Option goal is given twice"),
        (["steal_cards=1"], "Option steal_cards is given twice"),
        (["goal=12..9"], "goal=12..9 must go up"),
        (["goal=1..9..0"], "goal=1..9..0 must go up"),
        (["goal=1..999999999"], "in at most 1000 steps"),
        (["goal=9,9"], "goal=9,9 names a value twice"),
        (["goal=nine"], "goal must be a whole number, not 'nine'"),
        (["refresh=never"], "refresh cannot be 'never'; valid: no-charges, empty-hand"),
    ],
)
def test_what_is_no_sweep_is_refused_with_what_is(texts: list[str], sentence: str) -> None:
    with pytest.raises(RefusedError, match=sentence):
        read_sweeps(find_rules("charge"), texts, {"steal_cards": 1})
