"""The moves of a match judged by exact values, and the turn that a player forfeits."""

import pytest

from duelbook import Match, make
from duelbook.arena.judgement import JudgedDecisions, judge
from duelbook.game import AnyGame
from duelbook.records.record import Person, Record
from duelbook.solve import solved
from tests.support.games.last_stone import LastStone

PEOPLE = (Person("A", "a"), Person("B", "b"))


def forfeited(game: AnyGame, *moves: str) -> Record:
    """Return a match in which the mover forfeits after these moves."""
    match = Match(game)
    for move in moves:
        match.play(move)
    match.forfeit()
    return match.record(PEOPLE, 0)


def test_a_forfeit_in_a_decision_that_matters_is_a_wrong_decision() -> None:
    game = LastStone(stones=4, most=2)  # the first player wins by taking one
    assert solved(game).value(game.initial()) == 1
    first, second = judge(forfeited(game))
    assert (first.decisions, first.mattered, first.kept, first.regret) == (1, 1, 0, 2)
    assert (second.decisions, second.mattered, second.kept, second.regret) == (0, 0, 0, 0)


def test_a_forfeit_where_every_move_loses_gives_nothing_away() -> None:
    game = LastStone(stones=3, most=2)  # the second player wins whatever is taken
    first, _ = judge(forfeited(game))
    assert (first.decisions, first.mattered, first.kept, first.regret) == (1, 0, 0, 0)


def test_a_forfeit_without_a_choice_is_no_decision() -> None:
    game = LastStone(stones=1, most=2)
    first, _ = judge(forfeited(game))
    assert (first.decisions, first.mattered, first.regret) == (0, 0, 0)


@pytest.mark.parametrize("moves", [(), ("8",), ("8", "1")])
def test_the_moves_before_a_forfeit_are_judged_as_ever(moves: tuple[str, ...]) -> None:
    game = make("crystal-capture")
    record = forfeited(game, *moves)
    match = Match(game)
    for move in moves:
        match.play(move)
    seat = match.mover
    match.resign(seat)
    judged: tuple[JudgedDecisions, JudgedDecisions] = judge(match.record(PEOPLE, 0))
    assert judge(record)[1 - seat] == judged[1 - seat]
    assert judge(record)[seat].kept == judged[seat].kept
    assert judge(record)[seat].decisions == judged[seat].decisions + 1
