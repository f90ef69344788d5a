"""The conformance kit: checks that a game keeps the contract that everything else relies on, for anybody's tests.

from duelbook.testing import check_game

def test_the_tower_is_a_sound_game() -> None:
    assert check_game(Tower(height=3)) == []
"""

from duelbook.testing.conformance import CHECKS, Failure, Result, check_game, run_checks

__all__ = ["CHECKS", "Failure", "Result", "check_game", "run_checks"]
