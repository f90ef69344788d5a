"""The picture of a position: every game has one, with the colours of the page, and what strangers write is text."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from duelbook import GAMES, make
from duelbook.board import Theme, card, colours, history_of, picture_of, position_svg
from duelbook.board.picture import fields_picture, text_tile
from duelbook.game import AnyGame
from tests.support.games.broken import RaisingText
from tests.support.games.drop_four import DropFour
from tests.support.games.grid import Grid
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits
from tests.support.playing import played

PAGE = Path(__file__).parents[2] / "src/duelbook/web/page"
MARKUP = '</text><script>alert("1")</script>&lt;\u202e\x00'


def texts(svg: str) -> list[str]:
    """Return the texts in an SVG document."""
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("game", [LastStone(), Pits(), DropFour(), Grid()], ids=repr)
def test_a_game_without_a_picture_is_drawn_as_its_text(game: AnyGame) -> None:
    state = game.initial()
    shown = "".join(texts(position_svg(game, state))).replace(" ", "")
    assert "".join(game.render(state).split()) in shown.replace("\n", "")
    assert type(game).__module__.startswith("tests")


@pytest.mark.parametrize("game", [*map(make, GAMES), LastStone()], ids=lambda game: type(game).__name__)
def test_a_hostile_name_is_drawn_as_text(game: AnyGame) -> None:
    svg = position_svg(game, game.initial(), names=(MARKUP, "Bob"))
    root = ElementTree.fromstring(svg)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert any(text.startswith("</text><script>") for text in texts(svg))
    assert "\x00" not in svg
    assert "\u202e" not in svg


def test_the_words_of_a_card_are_text_and_stay_on_it() -> None:
    svg = card(MARKUP * 20, MARKUP * 50, [text_tile("x", Theme())]).document(MARKUP)
    ElementTree.fromstring(svg)
    assert max(len(text) for text in texts(svg)) < 60
    assert len(texts(svg)) < 20


def test_the_text_of_a_game_names_the_players() -> None:
    game = DropFour()
    drawn = position_svg(game, game.initial(), names=("Ann", "Bob"))
    assert any("Ann" in text for text in texts(drawn))


def test_a_long_text_is_cut_and_a_wide_one_is_wrapped() -> None:
    board = text_tile("\n".join(["word " * 40] * 100), Theme())
    assert board.height < 1000
    assert max(len(text) for text in texts(board.document())) < 60


def test_a_game_whose_text_fails_is_drawn_by_its_fields() -> None:
    game = RaisingText()
    with pytest.raises(IndexError):
        picture_of(game, game.play(game.initial(), 2))
    assert any("stones" in text for text in texts(fields_picture(game.initial()).document()))


def test_the_history_has_the_names_of_the_moves_and_those_who_played_them() -> None:
    game = make("charge")
    state, history = history_of(game, [0, 5])
    assert history == [(0, "charge 1"), (1, "block")]
    assert state == played(game, "charge 1", "block")


def test_the_last_move_has_a_ring_and_who_is_to_move_is_said() -> None:
    game = make("crystal-capture")
    state, history = history_of(game, [2])
    before, after = position_svg(game, game.initial()), position_svg(game, state, history)
    assert after.count("<rect") == before.count("<rect") + 2, "the ring, and the part of the bar"
    assert texts(after).count("To move") == 1


def test_the_colours_are_those_of_the_page() -> None:
    tokens = dict(re.findall(r"--([\w-]+): (?:light-dark\()?(#\w+)", (PAGE / "tokens.css").read_text()))
    names = {name: value for name, value in vars(colours).items() if name.isupper() and isinstance(value, str)}
    assert {name: tokens[name.lower().replace("_", "-")] for name in names} == names
    assert (tokens["first"], tokens["second"]) == colours.SEATS
    assert (tokens["first-deep"], tokens["second-deep"]) == colours.SEATS_DEEP
