"""Games from outside are in every command, in tournaments, and in the environments.

One is installed from a package. Two others are named by the variable: one with extra turns and draws, and one that is
too large to be solved.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.games import TOYS
from tests.support.outside_package import LAST_STONE, install

ROOT = Path(__file__).parents[2]
TOY_GAMES = {"DUELBOOK_GAMES": ",".join(TOYS), "PYTHONPATH": str(ROOT), "DUELBOOK_SOLVE_MEGABYTES": "20"}


class Outside(NamedTuple):
    """A game, and a match of it in the terminal: its options, what is typed, and what is said."""

    name: str
    options: tuple[str, ...]
    answers: str
    said: tuple[str, ...]
    checked: str  # the last line of `duelbook check`


OUTSIDE = (
    Outside(
        "last-stone",
        ("--option", "stones=4"),
        "9\n3\n1\n",
        (
            "Welcome to Last Stone!\n\nStones: oooo (4)\n",
            "You can take at most 3 stones.",
            "Player 2 takes the last stone and wins!",
        ),
        "LastStone(stones=13, most=3): all ",
    ),
    Outside(
        "pits",
        ("--option", "pits=4"),
        "pit 9\npit 3\npit 4\n",
        ("Pits: 1 2 3 4\n", "Player 1's turn again.", "Player 1 wins with pit 4!"),
        "Pits(pits=7): all ",
    ),
    Outside(
        "drop-four",
        (),
        "column 8\n" + "column 1\ncolumn 2\n" * 4,
        (". . . . . . .\n", "Player 1 wins with column 1!"),
        "DropFour(columns=7, rows=6, line=4): ",
    ),
)
NAMES = [outside.name for outside in OUTSIDE]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of a fresh environment with the package."""
    return install(tmp_path_factory.mktemp("outside"))


def run(python: str, *arguments: str, answers: str = "", cwd: Path = ROOT, games: Mapping[str, str] = TOY_GAMES) -> str:
    done = subprocess.run(
        [python, *arguments],
        input=answers,
        cwd=cwd,
        env=os.environ | games,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def play_command(outside: Outside) -> str:
    return " ".join(("play", outside.name, *outside.options, "--record", f"{outside.name}.json"))


COMMANDS = {
    "games": "",
    "rules last-stone": "",
    "solve last-stone --json": "",
    "solve last-stone --preset short --json": "",
    "audit last-stone --json": "",
    **{f"check {name}": "" for name in NAMES},
    **{play_command(outside): outside.answers for outside in OUTSIDE},
    **{f"review {name}.json": "" for name in NAMES},
}
IN_ONE_PROCESS = """
import json, sys
from tests.support.keyboard import run

done = {command: run(command.split(), answers) for command, answers in json.load(sys.stdin).items()}
print(json.dumps({command: [one.returncode, one.stdout, one.stderr] for command, one in done.items()}))
"""


@pytest.fixture(scope="module")
def said(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each of the commands prints, all of them run by one process of the fresh environment."""
    folder = tmp_path_factory.mktemp("records")
    found = json.loads(run(python, "-c", IN_ONE_PROCESS, answers=json.dumps(COMMANDS), cwd=folder))
    assert {command: error for command, (code, _, error) in found.items() if code} == {}
    return {command: shown for command, (_, shown, _) in found.items()}


def test_it_is_listed_with_its_package(said: dict[str, str]) -> None:
    listed = said["games"].splitlines()
    assert (
        "last-stone       Take stones from one pile in turn; the player who takes the last stone wins. "
        "(last-stone-game 0.1.0)"
    ) in listed
    assert [line.split()[0] for line in listed if line.endswith("(DUELBOOK_GAMES)")] == ["drop-four", "pits"]
    assert "There is a pile with 13 stones." in said["rules last-stone"]


def test_it_brings_its_own_presets(said: dict[str, str]) -> None:
    assert "short: A short game." in said["rules last-stone"].replace("`", "")
    assert json.loads(said["solve last-stone --preset short --json"])["options"]["stones"] == 7


@pytest.mark.parametrize("outside", OUTSIDE, ids=NAMES)
def test_it_is_played_in_the_terminal_and_reviewed(said: dict[str, str], outside: Outside) -> None:
    shown = said[play_command(outside)]
    assert shown.startswith(outside.said[0])
    for text in outside.said:
        assert text in shown
    title = outside.name.replace("-", " ").title()
    assert f"{title}: Player 1 against Player 2" in said[f"review {outside.name}.json"]


def test_it_is_solved_and_audited(said: dict[str, str]) -> None:
    solved = json.loads(said["solve last-stone --json"])
    assert (solved["winner"], solved["moves"]["take 1"]["value"]) == ("first", "win")
    [audit] = json.loads(said["audit last-stone --json"])
    assert [example["broken_at"] for example in audit["examples"]] == [None, None]


@pytest.mark.parametrize("outside", OUTSIDE, ids=NAMES)
def test_it_passes_the_check(said: dict[str, str], outside: Outside) -> None:
    assert outside.checked in said[f"check {outside.name}"]


def test_it_passes_its_own_tests(python: str) -> None:
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=LAST_STONE, games={})


def test_it_is_played_in_tournaments(python: str, tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    options = ("--games", ",".join(NAMES), "--agents", "random,greedy,beginner", "--pairs", "2", "--backend", "process")
    run(python, "-m", "duelbook", "tournament", *options, "--workers", "1", "--out", str(tmp_path / "out"))
    standings = json.loads((tmp_path / "out/standings.json").read_text())
    assert [entry["game"] for entry in standings["games"]] == NAMES
