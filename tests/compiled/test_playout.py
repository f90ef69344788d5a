"""Random playouts under numba."""

import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from duelbook import make
from duelbook.compiled import playouts
from duelbook.compiled.playout import GAMES_PER_PART


@pytest.mark.parametrize("name", ["word-clash", "charge", "flag-chase"])
def test_playouts_count_every_game_and_the_same_seed_repeats_them(name: str) -> None:
    tally = playouts(make(name), 2000, seed=7)
    assert sum(tally[1:]) == 2000
    assert tally.unfinished == 0
    assert tally == playouts(make(name), 2000, seed=7)
    assert tally != playouts(make(name), 2000, seed=8)


def test_playouts_stop_at_the_ply_limit() -> None:
    tally = playouts(make("charge"), 100, seed=1, ply_limit=3)
    assert tally.moves == 300
    assert tally.unfinished == 100


def test_random_flag_chase_is_won_by_the_first_player_three_times_in_four() -> None:
    tally = playouts(make("flag-chase"), 100_000, seed=1)
    assert abs(tally.first_wins / 100_000 - 0.75) < 0.01


def test_playouts_are_the_same_with_any_number_of_threads() -> None:
    game = make("flag-chase")
    count = 2 * GAMES_PER_PART + 5
    alone = playouts(game, count, seed=3)
    assert playouts(game, count, seed=3, threads=2) == alone
    assert alone.first_wins + alone.second_wins == count


def test_importing_the_package_does_not_load_numba() -> None:
    script = "import sys, duelbook.compiled; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
