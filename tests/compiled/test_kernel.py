"""The kernel under numba: the same source plays the same game."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from duelbook import Outcome, make
from duelbook.compiled.kernel import jit, jit_plain
from duelbook.game import AnyGame, Move, Player

toy_rules = Path(__file__).parents[1] / "support/toy/rules.py"


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


def test_compiled_functions_return_the_same_objects_as_interpreted_ones() -> None:
    """That the rules of every variant play the same game is shown by the tests of the vector environment."""
    game, rng = make("crystal-capture", deadlock="draw"), random.Random(1)
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
from climbing import Staircase
from counting import double
from duelbook.compiled.kernel import jit_unchecked

@jit_unchecked
def first_step(game):
    return double(game.play(game.initial(), 0).step)

print(first_step(Staircase()))
"""
COUNTING = """
from duelbook.compiled.kernel import jit_plain

@jit_plain
def double(number):
    return 2 * number
"""


def test_an_edited_rule_or_called_function_is_compiled_again(tmp_path: Path) -> None:
    """numba alone would not notice the edits."""
    rules, counting = tmp_path / "climbing.py", tmp_path / "counting.py"
    rules.write_text(toy_rules.read_text())
    counting.write_text(COUNTING)
    (tmp_path / "first_step.py").write_text(FIRST_STEP)

    def run() -> tuple[int, int]:
        """Return the step, and how often the function has been compiled for the disk."""
        variables = {"PYTHONPATH": str(tmp_path), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}  # edits within a second
        command = [sys.executable, "-c", "import first_step"]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        return int(done.stdout), len(list(tmp_path.glob("__pycache__/first_step.*.nbc")))

    assert run() == (2, 1)
    rules.write_text(rules.read_text().replace("state.step + move + 1", "state.step + move + 5"))
    assert run() == (10, 2)
    counting.write_text(COUNTING.replace("2 * number", "3 * number"))
    assert run() == (15, 3)
    assert run() == (15, 3)


@jit_plain
def bits(number: int) -> tuple[int, int]:
    return number.bit_length(), number.bit_count()


def test_compiled_integers_count_their_bits_as_python_does() -> None:
    for number in (0, 1, 2, 3, 1 << 25, (1 << 62) - 1, 1 << 62):
        known = (number.bit_length(), number.bit_count())
        assert (bits(number), bits(-number)) == (known, known)
