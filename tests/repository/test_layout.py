"""The lists of files in the configuration name files that exist."""

import tomllib
from pathlib import Path

from conftest import FAST_PATHS, LONG_PATHS, SLOW_PATHS

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src/duelbook"


def test_every_path_that_is_slow_long_or_fast_exists() -> None:
    for place in (*SLOW_PATHS, *LONG_PATHS, *FAST_PATHS):
        assert (TESTS / place).exists(), place


def test_the_wheel_leaves_out_what_only_tests_and_documents_need_of_a_game() -> None:
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text())
    patterns = project["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    for folder in (SOURCE / "games").iterdir():
        left_out = {path.name for path in folder.glob("*") if any(path.match(pattern) for pattern in patterns)}
        assert left_out == {"tests", "lab", "page.md"} & {path.name for path in folder.glob("*")}
