"""The tests stand where the code stands that they test."""

import tomllib
from pathlib import Path

from conftest import FAST_PATHS, LONG_PATHS, SLOW_PATHS

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src/duelbook"
OWN = {"support", "repository", "simulation"}  # folders of tests that belong to no folder of the package


def test_every_folder_of_tests_has_the_name_of_a_folder_of_the_package() -> None:
    for folder in [path for path in TESTS.rglob("*") if path.is_dir()]:
        place = folder.relative_to(TESTS)
        if place.parts[0] not in OWN and place.name not in ("__pycache__", "golden"):
            assert (SOURCE / place).is_dir(), f"src/duelbook/{place} does not exist"


def test_every_helper_stands_in_support() -> None:
    for file in TESTS.rglob("*.py"):
        is_helper = not file.name.startswith("test_") and file.name not in ("__init__.py", "conftest.py")
        assert not is_helper or file.relative_to(TESTS).parts[0] in ("support", "simulation"), file


def test_every_path_that_is_slow_long_or_fast_exists() -> None:
    for place in (*SLOW_PATHS, *LONG_PATHS, *FAST_PATHS):
        assert (TESTS / place).exists(), place


def test_the_wheel_leaves_out_what_only_tests_and_documents_need_of_a_game() -> None:
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text())
    patterns = project["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    for folder in (SOURCE / "games").iterdir():
        left_out = {path.name for path in folder.glob("*") if any(path.match(pattern) for pattern in patterns)}
        assert left_out == {"tests", "lab", "page.md"} & {path.name for path in folder.glob("*")}
