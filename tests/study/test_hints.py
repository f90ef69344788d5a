"""Hints: the best move in words, counted in the player's own moves."""

import pytest

from duelbook import make
from duelbook.study.hints import hint, plies_text
from tests.support.playing import played


@pytest.mark.parametrize(
    ("name", "moves", "move", "why"),
    [
        ("flag-chase", [], "2", "wins at once; every other move loses."),
        ("crystal-capture", [], "6", "wins in 3 of your moves."),
        ("crystal-capture", ["8"], "7", "every move loses; this one holds out longest (3 more turns)."),
        ("charge", [], "charge 5", "wins in 6 of your moves."),
    ],
)
def test_a_hint_gives_the_best_move_and_the_reason(name: str, moves: list[str], move: str, why: str) -> None:
    game = make(name)
    assert hint(game, played(game, *moves)) == (move, why)


def test_there_is_no_hint_once_the_game_is_over() -> None:
    game = make("flag-chase")
    assert hint(game, played(game, "2")) is None


def test_players_count_their_own_moves_and_research_counts_plies() -> None:
    assert (plies_text(1), plies_text(3)) == ("1 ply", "3 plies")
