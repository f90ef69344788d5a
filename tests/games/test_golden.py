"""Whole games as text, kept in files: `make golden` regenerates them, and the diff is reviewed."""

import pytest

from duelbook import make
from tests.support.regenerate import PICTURE, picture, playthrough
from tests.support.variants import file_of, variants


@pytest.mark.parametrize(("name", "options"), variants())
def test_the_playthrough_is_that_of_the_file(name: str, options: dict[str, str]) -> None:
    assert playthrough(make(name, **options)) == file_of("golden", name, options).read_text()


def test_the_picture_in_the_readme_shows_what_happens() -> None:
    assert picture() == PICTURE.read_text()
