"""Last Stone, in the order of its rule book."""

import pytest
from duelbook import IllegalMoveError, Match, Outcome, RefusedError
from duelbook.game import outcome_name
from duelbook.testing import check_game

from last_stone_game.examples import EXAMPLES
from last_stone_game.rules import LastStone


def played(game: LastStone, *moves: str) -> Match:
    """Return a match after the named moves."""
    match = Match(game)
    for move in moves:
        match.play(move)
    return match


def test_the_first_player_begins_and_turns_alternate() -> None:
    assert played(LastStone()).mover == 0
    assert played(LastStone(), "take 1").mover == 1


def test_a_turn_takes_1_2_or_3_stones() -> None:
    with pytest.raises(IllegalMoveError, match=r"'take 4' is not legal here. Legal moves: take 1, take 2, take 3\."):
        played(LastStone(), "take 4")


def test_nobody_takes_more_than_are_left() -> None:
    with pytest.raises(IllegalMoveError, match=r"Legal moves: take 1\."):
        played(LastStone(stones=4), "take 3", "take 2")


def test_the_player_who_takes_the_last_stone_wins() -> None:
    assert played(LastStone(stones=5), "take 3", "take 2").outcome is Outcome.SECOND_WINS


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(RefusedError, match="stones must be from 1 to 99, not 100"):
        LastStone(stones=100)


def test_the_examples_of_the_book_end_as_it_says() -> None:
    for example in EXAMPLES:
        match = played(LastStone(), *example.moves)
        assert not example.winner or outcome_name(match.outcome) == example.winner, example.title


@pytest.mark.parametrize("game", [LastStone(), LastStone(stones=1), LastStone(stones=30, most=7)])
def test_it_keeps_the_contract_of_a_game(game: LastStone) -> None:
    failures = check_game(game)
    assert not failures, "\n".join(map(str, failures))
