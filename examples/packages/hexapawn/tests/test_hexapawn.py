"""Hexapawn, in the order of its rules."""

import pytest
from duelbook import IllegalMoveError, Match, Outcome
from duelbook.game import outcome_name
from duelbook.testing import check_game

from hexapawn_game.examples import EXAMPLES
from hexapawn_game.rules import Hexapawn, Stuck
from tests.oracle import verdict


def played(game: Hexapawn, *moves: str) -> Match:
    """Return a match after the named moves."""
    match = Match(game)
    for move in moves:
        match.play(move)
    return match


def test_a_pawn_goes_one_cell_ahead_if_that_cell_is_free() -> None:
    with pytest.raises(IllegalMoveError, match=r"Legal moves: b1 a2, b1 b2, c1 c2\."):
        played(Hexapawn(), "a1 a2", "b3 a2", "a2 a3")


def test_a_pawn_on_the_last_row_wins() -> None:
    assert played(Hexapawn(), "b1 b2", "a3 a2", "b2 c3").outcome is Outcome.FIRST_WINS


@pytest.mark.parametrize(("stuck", "outcome"), [(Stuck.LOSES, Outcome.FIRST_WINS), (Stuck.DRAWS, Outcome.DRAW)])
def test_a_player_without_a_move_loses_or_draws(stuck: Stuck, outcome: Outcome) -> None:
    assert played(Hexapawn(stuck=stuck), "a1 a2", "b3 b2", "c1 c2").outcome is outcome


def test_the_examples_end_as_they_say() -> None:
    for example in EXAMPLES:
        match = played(Hexapawn(), *example.moves)
        assert not example.winner or outcome_name(match.outcome) == example.winner, example.title


@pytest.mark.parametrize("game", [Hexapawn(), Hexapawn(size=4, stuck=Stuck.DRAWS)])
def test_it_keeps_the_contract_of_a_game(game: Hexapawn) -> None:
    failures = check_game(game, oracle=verdict)
    assert not failures, "\n".join(map(str, failures))
