"""The rules page of a game follows the options in force, in the words of the medium."""

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import Any

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.game import AnyGame
from duelbook.games import read_rules, rules_text
from duelbook.options import Option, drawn_options, options_of
from duelbook.rules_text import Medium, check_rules_text, fill_rules
from tests.support.games.last_stone import LastStone


def filled(source: str, medium: Medium = Medium.PAGE, **options: int) -> str:
    return fill_rules(source, LastStone(**options), medium).text


def page_of(name: str, **options: Any) -> str:
    """Return the rules of a match on the page, in one line."""
    return " ".join(read_rules(make(name, **options), Medium.PAGE).text.split())


def test_a_page_without_placeholders_is_shown_as_it_is() -> None:
    source = "# Plain\n\nOne line\nand   another, {a} set.\n\n\n![x](picture.png)\n"
    assert filled(source) == source


def test_placeholders_are_values_counts_and_sums() -> None:
    assert filled("{{stones}} and {{most}}.") == "12 and 3.\n"
    assert filled("{{most: stone}}, {{stones: stone}}.", stones=13) == "three stones, 13 stones.\n"
    assert filled("{{most: index | indices}}, {{most - 1: index | indices}}.", most=1) == "one index, no indices.\n"
    assert filled("{{2 * most - 1}} {{stones // 2 + 1}}") == "5 7\n"


def test_conditions_choose_between_texts() -> None:
    source = "{{if most == 1}}\nOne.\n{{elif most < 4}}\nFew{{if page}} here{{end}}.\n{{else}}\nMany.\n{{end}}\nEnd."
    assert [filled(source, most=most) for most in (1, 3, 5)] == ["One. End.\n", "Few here. End.\n", "Many. End.\n"]
    assert filled(source, Medium.TERMINAL) == "Few. End.\n"
    assert filled("- a\n{{if most > 5}}\n- b\n{{end}}\n- c {{if terminal}}`x`{{end}}\n") == "- a\n- c\n"


def test_a_picture_is_a_position_and_in_a_terminal_its_text() -> None:
    source = "{{stones}}\n\n![After one](board: take {{most}})\n"
    found = fill_rules(source, LastStone(), Medium.PAGE)
    assert found.text == "12\n\n![After one](0)\n"
    assert found.pictures == (("After one", (2,)),)
    assert (
        filled(source, Medium.TERMINAL)
        == f"12\n\nAfter one.\n\n    {LastStone().render(LastStone().play(LastStone().initial(), 2))}\n"
    )


def test_a_picture_that_cannot_be_drawn_with_the_options_is_left_out() -> None:
    assert filled("{{most}}\n\n![x](board: take 3)\n\nEnd.\n", most=2) == "2\n\nEnd.\n"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{{goal}}", "'{{goal}}' names 'goal'; known: stones, most, terminal, page."),
        ("{{if most > 9}}{{goal}}{{end}}", "'{{goal}}' names 'goal'"),
        ("{{if most}}", "'{{if most}}' has no '{{end}}'."),
        ("{{end}}", "'{{end}}' has no '{{if …}}' before it."),
        ("{{if most}}{{else}}{{else}}{{end}}", "'{{else}}' has no '{{if …}}' before it."),
        ("{{most", "Double braces do not match near '{{most'."),
        ("{{most +}}", "'{{most +}}' cannot be read."),
        ("{{open('/etc/passwd')}}", "cannot be computed; use options, whole numbers"),
        ("{{most.__class__}}", "cannot be computed"),
        ("{{most:}}", "'{{most:}}' has no noun after the colon."),
        ("{{'three': stone}}", "'{{'three': stone}}' does not count anything."),
        ("![x](board: take 9)", "The picture 'x' cannot be drawn: 'take 9' is not legal here."),
    ],
)
def test_what_is_wrong_is_found_in_one_sentence(source: str, problem: str) -> None:
    with pytest.raises(RefusedError) as refused:
        check_rules_text(source, LastStone())
    assert problem in str(refused.value)


def other_values(option: Option) -> Iterator[Any]:
    """Return the values that an option may have, as far as they can be listed."""
    if option.names_or_file:
        yield from option.names_or_file.names
    elif issubclass(option.type, IntEnum):
        yield from option.type
    elif option.limits:
        yield from range(option.limits.low, option.limits.high + 1)
    elif option.type is int:
        yield from range(1, 40)


def variants() -> Iterator[tuple[str, AnyGame, Option]]:
    for name, rules in GAMES.items():
        for option in options_of(rules):
            for value in other_values(option):
                try:
                    yield name, replace(make(name), **{option.name: value}), option
                except RefusedError:
                    continue


def test_every_value_of_every_option_has_an_effect_on_the_rules_in_the_words_of_the_medium() -> None:
    texts: dict[tuple[str, str], dict[AnyGame, str]] = {}
    for name, game, option in variants():
        drawn = drawn_options(type(game))
        for unknown in ((), drawn):
            text = read_rules(game, Medium.PAGE, unknown).text
            assert not any(part in text for part in ("{{", "}}", "Type ", "`", "Player 1")), (name, text)
            assert "{{" not in read_rules(game, Medium.TERMINAL, unknown).text
        others = [one for one in drawn if one != option.name]
        texts.setdefault((name, option.name), {})[game] = read_rules(game, Medium.PAGE, others).text
    assert [key for key, found in texts.items() if len({*found.values()}) < len(found)] == []


def test_the_readings_of_the_books_are_told_as_the_options_have_them() -> None:
    tied, draw = (page_of("crystal-capture", deadlock=value) for value in ("closest", "draw"))
    assert "the higher total wins. If the totals are tied, the player who moved second wins." in tied
    assert "the game is a draw, whatever the totals are." in draw
    assert "a draw](" in draw
    assert "exactly 21 points wins; going over 21 resets" in page_of("charge", goal=21)
    assert "if you hold no Charge Card, you may give up" in page_of("charge")
    assert "if you hold no card at all, you must give up" in page_of("charge", refresh="empty-hand")
    assert "Steal" not in page_of("charge", steal_cards=0)
    assert "Block" not in page_of("charge", block_cards=0)
    assert "as soon as no letter of either word is left" in page_of("alpha-chase")
    assert "when all 26 letters are taken" in page_of("alpha-chase", ending="exhausted")
    assert "the game ends at once, even if letters of the words are left" in page_of("alpha-chase", ending="dead")
    assert "first to take a letter of their own word wins" in page_of("alpha-chase", tie_break="first-own-letter")
    assert "The first player's word is BRAVE" in page_of("alpha-chase", words="BRAVE,QUICK")
    assert "no matter who filled its last slot" in page_of("word-clash")
    own_only = page_of("word-clash", finishing="own-only")
    assert "You may not fill the last empty slot of your opponent's board." in own_only
    assert "wrong letter" not in own_only
    assert "one board is full after at most seven placements" in page_of("word-clash", length=4)


def test_what_is_chosen_before_a_match_is_not_in_the_rules_of_the_game() -> None:
    text = rules_text("alpha-chase")
    assert "Each player picks a word of five different letters from the rule book's list, Player 1 first." in text
    assert "The first player's word is" not in text
    assert "The first player's word is" in rules_text(make("alpha-chase"))
