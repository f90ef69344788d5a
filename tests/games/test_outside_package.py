"""A package from outside, installed: its game is in every command, in tournaments, and in the environments."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.outside_package import LAST_STONE, install

ENVIRONMENTS = """
import json
import gymnasium, pyspiel
import duelbook.envs
from duelbook.envs import aec, gymnasium_id, register_openspiel, vector

register_openspiel()
one = gymnasium.make(gymnasium_id("last-stone"), stones=3, seat="first", opponent="random")
one.reset(seed=1)
zoo = aec("last-stone", stones=3)
zoo.reset()
zoo.step(2)
spiel = pyspiel.load_game("duelbook_last_stone(stones=3)").new_initial_state()
spiel.apply_action(2)
many = vector("last-stone", 2, stones=3)
many.reset()
print(json.dumps([one.step(2)[1], zoo.rewards["player_0"], spiel.returns()[0], many.step([2, 1])[1].tolist()]))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of a fresh environment with the package."""
    return install(tmp_path_factory.mktemp("outside"))


def run(python: str, *arguments: str, answers: str = "", cwd: Path | None = None) -> str:
    done = subprocess.run(
        [python, *arguments], input=answers, cwd=cwd, env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_listed_with_its_package(python: str) -> None:
    assert run(python, "-m", "duelbook", "games").splitlines()[-1] == (
        "last-stone       Take stones from one pile in turn; the player who takes the last stone wins. "
        "(last-stone-game 0.1.0)"
    )
    assert "Thirteen stones lie in a pile." in run(python, "-m", "duelbook", "rules", "last-stone")


def test_it_brings_its_own_presets(python: str) -> None:
    assert "short: A short game." in run(python, "-m", "duelbook", "rules", "last-stone").replace("`", "")
    report = run(python, "-m", "duelbook", "solve", "last-stone", "--preset", "short", "--json")
    assert json.loads(report)["options"]["stones"] == 7


def test_it_is_played_in_the_terminal_and_reviewed(python: str, tmp_path: Path) -> None:
    record = str(tmp_path / "game.json")
    options = ("--option", "stones=4", "--record", record)
    said = run(python, "-m", "duelbook", "play", "last-stone", *options, answers="9\n3\n1\n")
    assert said.startswith("Welcome to Last Stone!\n\nStones: oooo (4)\n")
    assert "You can take at most 3 stones." in said
    assert "Player 2 takes the last stone and wins!" in said
    assert "Last Stone: Player 1 against Player 2" in run(python, "-m", "duelbook", "review", record)


def test_it_is_solved_and_audited(python: str) -> None:
    solved = json.loads(run(python, "-m", "duelbook", "solve", "last-stone", "--json"))
    assert (solved["winner"], solved["moves"]["take 1"]["value"]) == ("first", "win")
    [audit] = json.loads(run(python, "-m", "duelbook", "audit", "last-stone", "--json"))
    assert [example["broken_at"] for example in audit["examples"]] == [None, None]


def test_it_passes_the_check_and_its_own_tests(python: str) -> None:
    assert "LastStone(stones=13, most=3): all " in run(python, "-m", "duelbook", "check", "last-stone")
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=LAST_STONE)


@pytest.mark.parametrize("backend", ["process", "ray"])
def test_it_is_played_in_tournaments(python: str, tmp_path: Path, backend: str) -> None:
    for package in ("choix", *(["ray"] if backend == "ray" else [])):
        pytest.importorskip(package, reason=f"{package} is not installed")
    options = ("--games", "last-stone", "--agents", "random,perfect", "--pairs", "2", "--backend", backend)
    run(python, "-m", "duelbook", "tournament", *options, "--workers", "1", "--out", str(tmp_path / "out"))
    standings = json.loads((tmp_path / "out/standings.json").read_text())
    assert standings["games"][0]["game"] == "last-stone"


def test_it_is_in_every_environment(python: str) -> None:
    for package in ("numba", "pyspiel", "pettingzoo"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    assert json.loads(run(python, "-c", ENVIRONMENTS)) == [1.0, 1.0, 1.0, [1.0, 0.0]]
