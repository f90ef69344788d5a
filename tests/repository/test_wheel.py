"""The wheel leaves out what only tests and documents need of a game."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_wheel_leaves_out_what_only_tests_and_documents_need_of_a_game() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
    for folder in (ROOT / "src/duelbook/games").iterdir():
        left_out = {path.name for path in folder.glob("*") if any(path.match(pattern) for pattern in patterns)}
        assert left_out == {"tests", "lab", "page.md"} & {path.name for path in folder.glob("*")}
