"""`duelbook new-game`: a game that plays and passes its tests as it is written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import RefusedError
from duelbook.scaffold import write_game
from tests.support.keyboard import run

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
TOOLS = Path(sys.executable).parent


def in_folder(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    variables = os.environ | {"DUELBOOK_GAMES": "tall_tower_game.rules:TallTower"}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_package_plays_and_passes_its_tests_as_it_is_written(tmp_path: Path) -> None:
    folder = write_game("tall-tower", tmp_path).folder
    played = in_folder(folder, str(TOOLS / "duelbook"), "play", "tall-tower", "--p1", "greedy", "--p2", "random")
    assert played.stdout.startswith("Welcome to Tall Tower!\n\nTotal: 0 of 10\n")
    assert played.returncode == 0
    assert "check_game" in (folder / "tests/test_tall_tower.py").read_text()  # the same as `duelbook check`
    tested = in_folder(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout


def test_a_package_has_everything_that_a_game_can_have(tmp_path: Path) -> None:
    written = write_game("tall-tower", tmp_path)
    assert {file.relative_to(written.folder).as_posix() for file in written.files} == {
        "README.md",
        "pyproject.toml",
        *(f"tall_tower_game/{name}.py" for name in ("__init__", "rules", "narration", "examples")),
        *(f"tall_tower_game/{name}" for name in ("board.py", "guide.toml", "lesson.toml", "rules.md")),
        *("tests/__init__.py", "tests/test_tall_tower.py"),
    }
    assert 'tall-tower = "tall_tower_game.rules:TallTower"' in (written.folder / "pyproject.toml").read_text()
    tables = re.compile(r"\[\[(TallTower\]\(\)|step\]\]|example\]\]|tip\]\])")
    assert not any("[[" in tables.sub("", file.read_text()) for file in written.files)


def test_a_package_that_is_not_installed_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_game("tall-tower", tmp_path).folder)
    done = run(["play", "tall-tower"])
    assert done.returncode == 2
    assert done.stderr.startswith("duelbook: Unknown game 'tall-tower'. Games: ")
    assert done.stderr.endswith(
        " The package in this folder has it: install that with `pip install --editable .`, "
        "or set DUELBOOK_GAMES=tall-tower=tall_tower_game.rules:TallTower\n"
    )
    assert "The package" not in run(["play", "tower"]).stderr


@pytest.mark.parametrize("here", [False, True])
def test_what_is_written_is_formatted_and_has_no_fault_that_a_linter_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    _pretend_clone(tmp_path, monkeypatch)
    written = write_game("tall-tower", tmp_path, here=here)
    shutil.copy(PYPROJECT, (tmp_path if here else written.folder) / "pyproject.toml")  # the settings of the linter
    for command in (("check",), ("format", "--check")):
        line = [TOOLS / "ruff", *command, "--no-cache"]
        done = subprocess.run(line, cwd=written.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def _pretend_clone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    games = folder / "src/duelbook/games"
    games.mkdir(parents=True)
    (folder / "pyproject.toml").touch()
    for module in (
        "__init__",
        "board",
        "game",
        "narration",
        "testing",
        "features",
        "options",
    ):  # a linter looks for them
        (games.parent / f"{module}.py").touch()
    monkeypatch.setattr("duelbook.scaffold.new_game.CLONE", folder)
    monkeypatch.setattr("duelbook.scaffold.new_game.GAMES_FOLDER", games)
    return games


def test_here_it_is_a_folder_beside_the_other_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = _pretend_clone(tmp_path, monkeypatch)
    written = write_game("tall-tower", tmp_path / "elsewhere", here=True)
    assert written.folder == games / "tall_tower"
    assert {file.relative_to(written.folder).as_posix() for file in written.files} == {
        *(f"{name}.py" for name in ("__init__", "rules", "narration", "examples")),
        *("board.py", "guide.toml", "lesson.toml", "rules.md", "tests/__init__.py", "tests/test_tall_tower.py"),
    }
    assert (
        "from duelbook.games.tall_tower.rules import State, TallTower" in (written.folder / "narration.py").read_text()
    )


def test_here_needs_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.scaffold.new_game.CLONE", tmp_path)
    with pytest.raises(
        RefusedError, match=r"--here writes into a clone of Duelbook, but .* instead: duelbook new-game a"
    ):
        write_game("a-game", tmp_path, here=True)


BAD = r"A game cannot be named '.*'\. Its name must begin with a small letter"
KEYWORD = "A game cannot be named '{}': its rules use that word"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        *((name, BAD) for name in ("Tower", "tower_2", "../tower", "", "all", "x" * 41, "tower!", "a b", "türme")),
        *((name, KEYWORD.format(name)) for name in ("class", "none", "state")),
        ("charge", r"There is a game named charge already\. Choose another name\."),
    ],
)
def test_a_bad_name_is_refused_with_what_is_wrong(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(RefusedError, match=sentence):
        write_game(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "tower").mkdir()
    with pytest.raises(RefusedError, match=r"tower' exists already\. Choose another name, or remove it first\."):
        write_game("tower", tmp_path)
    assert list((tmp_path / "tower").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RefusedError, match=r"Cannot write '.*tower': Not a directory\."):
        write_game("tower", tmp_path / "file")


def test_the_command_says_what_to_do_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(["new-game", "tower"])
    assert done.stdout.startswith("tower/README.md\n")
    assert done.stdout.endswith(
        "\ntower is a small game that works. Try it:\n\n"
        "  cd tower\n  pip install --editable .\n  duelbook play tower --p2 greedy\n  duelbook check tower\n"
        "  python -m pytest\n\nThen write your own rules in tower_game/rules.py.\n"
    )
    assert run(["new-game", "tower"]).stderr.startswith("duelbook: '")
