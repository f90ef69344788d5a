"""PNG files: of the right size, and with letters on every machine."""

import struct
import subprocess
import sys

import pytest

from duelbook import make
from duelbook.board import card, picture_of, png
from duelbook.board.png import is_drawable
from duelbook.board.svg import MONO, SANS, SERIF, Drawing, label, text_width


def size_of(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_a_card_has_the_size_that_other_sites_expect() -> None:
    game = make("flag-chase")
    assert size_of(png(card("Ann against Bob", "Flag Chase", [picture_of(game, game.initial())]).document())) == (
        1200,
        630,
    )


@pytest.mark.parametrize("family", [SANS, SERIF, MONO])
def test_each_family_draws_letters_without_fonts_of_the_machine(family: str) -> None:
    empty = png(Drawing(300, 60, label("", 5, 30, 40, "#000", "start", family)).document())
    drawn = {text: png(Drawing(300, 60, label(text, 5, 30, 40, "#000", "start", family)).document()) for text in "AŽ8"}
    assert len({empty, *drawn.values()}) == 4


def test_a_text_is_no_wider_than_is_thought() -> None:
    for text in ("WWWWWWWW", "illl", "Hamburgefonts", "ANN AGAINST BOB", "Ωmega Жук", "1234567890", "a, b; c: (d)!"):
        shown = Drawing(10, 60, label(text, 0, 30, 40, "#000", "start")).markup
        width = text_width(text, 40)
        inside = png(Drawing(width + 40, 60, shown).document())
        beyond = png(Drawing(40, 60, Drawing(0, 0, shown).at(-width - 1, 0)).document())
        assert beyond == png(Drawing(40, 60, "").document()), text
        assert inside != png(Drawing(width + 40, 60, "").document())


@pytest.mark.parametrize(
    ("text", "drawable"), [("Ann", True), ("Žofie Ωmega Жук", True), ("安娜", False), ("🙂", False)]
)
def test_it_is_known_which_names_can_be_drawn(text: str, drawable: bool) -> None:
    assert is_drawable(text) is drawable


def test_drawing_svg_needs_nothing_but_the_base() -> None:
    code = "import sys; import duelbook.board; print('resvg_py' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
