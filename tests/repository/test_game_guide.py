"""The code in the guide "Write a game" is that of games which work."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from duelbook.scaffold import write_game
from duelbook.testing import CHECKS

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/write-a-game.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
HEXAPAWN = ROOT / "examples/packages/hexapawn"
NUMBER_ROW = ROOT / "tests/support/games/number_row.py"


def paragraphs(text: str) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n\n+", text) if part.strip()]


def test_the_code_of_the_guide_is_in_a_file_that_tests_run(tmp_path: Path) -> None:
    files = [*HEXAPAWN.rglob("*.*"), NUMBER_ROW, *write_game("tower", tmp_path).files]
    known = "\n".join(file.read_text() for file in files if file.suffix in (".py", ".js", ".toml"))
    for language, block in BLOCKS:
        if "def verdict" not in block:
            missing = [part for part in paragraphs(block) if part not in known and indent(part, "    ") not in known]
            assert not missing, (language, missing)


def test_the_guide_says_what_each_check_finds() -> None:
    table = GUIDE.split("| check | what it finds |")[1].split("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert named == set(CHECKS)


def test_the_guide_lists_everything_that_a_board_gets() -> None:
    types = (ROOT / "src/duelbook/web/page/types.js").read_text().split("@typedef {object} Table")[1].split("*/")[0]
    table = GUIDE.split("| of the table | meaning |")[1].split("\n\n")[0]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)", row.split(" | ")[0])}
    assert named == set(re.findall(r"@property \{.*\} (\w+)", types))


def test_the_guide_lists_everything_that_games_import() -> None:
    folders = (ROOT / "examples/packages", ROOT / "src/duelbook/scaffold/templates", ROOT / "src/duelbook/games")
    files = [
        file for folder in folders for file in folder.rglob("*.py*") if "tests" not in file.relative_to(ROOT).parts
    ]
    found = re.findall(
        r"^from (duelbook\.\w+) import (.+)$",
        "\n".join(
            file.read_text() for file in files if file.suffix in (".py", ".template") and file.parent != folders[2]
        ),
        re.MULTILINE,
    )
    used = {(module, name) for module, names in found for name in names.split(", ")}
    assert ("duelbook.narration", "Dialogue") in used
    assert used <= set(re.findall(r"^\| `(duelbook\.\w+)` \| `(\w+)", GUIDE, re.MULTILINE))


def test_the_oracle_of_the_guide_agrees_with_the_game_of_the_scaffold(tmp_path: Path) -> None:
    folder = write_game("tower", tmp_path).folder
    [oracle] = [block for language, block in BLOCKS if "def verdict" in block]
    (folder / "tower_oracle.py").write_text(oracle)
    options = ["--oracle", "tower_oracle:verdict", "--skip", "compiled", "--skip", "packing"]
    shown = duelbook(folder, "check", "tower_game.rules:Tower", *options)
    assert re.search("^ok +oracle ", shown, re.MULTILINE)


def duelbook(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "duelbook", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_the_example_with_most_of_what_a_game_can_have_passes_its_own_tests() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment: dict[str, Any] = os.environ | {"DUELBOOK_GAMES": "hexapawn_game.rules:Hexapawn"}
    done = subprocess.run(command, cwd=HEXAPAWN, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
