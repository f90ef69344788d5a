"""The presets of the games are what the lab measured."""

import pytest

from duelbook import GAMES
from duelbook.presets import BOOK, presets_of
from scripts.game_pages import shipped_games
from scripts.variants import measured_games, measurements_file, measurements_text, preset_row, rows_of

PRESETS = [(name, preset) for name in measured_games() for preset in presets_of(GAMES[name])]


def test_every_game_with_presets_of_its_own_was_measured() -> None:
    assert {name for name in shipped_games() if len(presets_of(GAMES[name])) > 1} <= set(measured_games())


@pytest.mark.parametrize(("name", "preset"), [(name, preset) for name, preset in PRESETS if preset != BOOK])
def test_a_preset_is_what_its_name_says(name: str, preset: str) -> None:
    """Fairer, longer or quicker than the book's rules."""
    book, own = (preset_row(name, presets_of(GAMES[name])[one]) for one in (BOOK, preset))
    assert book
    assert own
    column, sign = {"fair": ("fairness_score", 1), "long": ("moves", 1), "quick": ("moves", -1)}[preset]
    assert sign * float(own[column]) > sign * float(book[column])


@pytest.mark.parametrize("name", measured_games())
def test_something_is_on_the_front(name: str) -> None:
    assert any(row["front"] == "True" for row in rows_of(name))


@pytest.mark.parametrize("name", measured_games())
def test_what_players_are_told_is_what_the_lab_measured(name: str) -> None:
    assert measurements_file(name).read_text() == measurements_text(name), "Run: make docs"
