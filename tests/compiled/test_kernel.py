"""The kernel under numba: the same source plays the same game."""

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from duelbook import Outcome, make
from duelbook.compiled.kernel import jit, jit_plain
from duelbook.game import AnyGame, Move, Player
from tests.support.game_folders import variants

SOURCE = Path(__file__).parents[2] / "src"


@jit
def initial(game: AnyGame) -> Any:
    return game.initial()


@jit
def mover(game: AnyGame, state: Any) -> Player:
    return game.mover(state)


@jit
def legal_moves(game: AnyGame, state: Any) -> list[Move]:
    return [move for move in game.legal_moves(state)]  # noqa: C416 - numba knows no list(generator)


@jit
def play(game: AnyGame, state: Any, move: Move) -> Any:
    return game.play(state, move)


@jit
def outcome(game: AnyGame, state: Any) -> Outcome:
    return game.outcome(state)


@pytest.mark.parametrize(("name", "options"), variants())
def test_compiled_and_interpreted_play_agree_over_random_games(name: str, options: dict[str, str]) -> None:
    game = make(name, **options)
    rng = random.Random(name)
    assert initial(game) == game.initial()
    for _ in range(30):
        state = game.initial()
        while game.outcome(state) is Outcome.UNDECIDED:
            legal = list(game.legal_moves(state))
            assert legal_moves(game, state) == legal
            assert mover(game, state) == game.mover(state)
            assert outcome(game, state) == Outcome.UNDECIDED
            move = rng.choice(legal)
            following = play(game, state, move)
            state = game.play(state, move)
            assert following == state
            assert type(following) is type(state)
        assert outcome(game, state) == game.outcome(state)


def test_code_that_cannot_be_cached_on_disk_still_compiles() -> None:
    space: dict[str, Any] = {}
    exec("def double(number):\n    return 2 * number", space)  # numba caches only code from files
    assert jit_plain(space["double"])(21) == 42


FIRST_STEP = """
import duelbook
from duelbook.compiled.kernel import jit_unchecked

@jit_unchecked
def first_step(game):
    return game.play(game.initial(), 0)

print(first_step(duelbook.make("flag-chase")).theirs, duelbook.__file__)
"""


def test_an_edited_rule_is_compiled_again(tmp_path: Path) -> None:
    """numba alone would not notice the edit."""
    shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "src/duelbook/games/flag_chase/rules.py"
    (tmp_path / "src/first_step.py").write_text(FIRST_STEP)  # compiles quickly, since it calls one rule only

    def run() -> int:
        command = [sys.executable, "-c", "import first_step"]
        environment = {"PYTHONPATH": str(tmp_path / "src"), "PATH": ""}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        cells, file = done.stdout.split()
        assert file.startswith(str(tmp_path))
        return int(cells)

    assert run() == 1
    compiled = set((tmp_path / "src/__pycache__").glob("first_step.*.nbi"))
    assert compiled
    assert run() == 1
    text = rules.read_text()
    rules.write_text(text.replace("state.mine + move + 1", "state.mine + 2"))
    assert run() == 2
    assert set((tmp_path / "src/__pycache__").glob("first_step.*.nbi")) > compiled
    rules.write_text(text)
    assert run() == 1


@jit_plain
def bits(number: int) -> tuple[int, int]:
    return number.bit_length(), number.bit_count()


def test_compiled_integers_count_their_bits_as_python_does() -> None:
    for number in (0, 1, 2, 3, 1 << 25, (1 << 62) - 1, 1 << 62):
        known = (number.bit_length(), number.bit_count())
        assert (bits(number), bits(-number)) == (known, known)
