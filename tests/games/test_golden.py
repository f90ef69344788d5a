"""Golden files: whole games as text. `make golden` regenerates them; review the diff."""

import pytest

from duelbook import make
from tests.support.game_folders import file_of, variants
from tests.support.regenerate import PICTURE, picture, playthrough


@pytest.mark.parametrize(("name", "options"), variants())
def test_a_random_game_is_played_as_in_the_golden_file(name: str, options: dict[str, str]) -> None:
    file = file_of("golden", name, options)
    assert file.exists(), f"Run: make golden GAME={name}"
    assert playthrough(make(name, **options)) == file.read_text()


def test_the_picture_in_the_readme_shows_the_real_session() -> None:
    assert picture() == PICTURE.read_text()
