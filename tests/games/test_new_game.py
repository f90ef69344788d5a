"""A new game is a folder with `rules.py`, which an environment variable names. It gets everything."""

import subprocess
import sys

import pytest

from tests.support.toy.rules import Staircase


@pytest.mark.slow
def test_it_compiles() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.compiled import playouts

    tally = playouts(Staircase(), 1000, seed=1)
    assert tally.first_wins + tally.second_wins == 1000
    script = "from duelbook.compiled import playouts; import duelbook; playouts(duelbook.make('charge'), 1, 1)"
    elsewhere = subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=False)
    assert elsewhere.returncode == 0, "numba's cache for a game that is not installed must not affect other games"
