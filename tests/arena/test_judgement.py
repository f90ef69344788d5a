"""The moves of a match judged by exact values, and the turn that a player forfeits."""

import pytest

from duelbook import make
from duelbook.arena.judgement import JudgedDecisions, judge
from duelbook.game import AnyGame
from duelbook.records.record import Person, Record
from tests.support.games.last_stone import LastStone
from tests.support.playing import match_after

PEOPLE = (Person("A", "a"), Person("B", "b"))


def forfeited(game: AnyGame, *moves: str) -> Record:
    match = match_after(game, *moves)
    match.forfeit()
    return match.record(PEOPLE, 0)


@pytest.mark.parametrize(
    ("stones", "expected"),
    [
        (4, (1, 1, 0, 2)),  # the first player wins by taking one
        (3, (1, 0, 0, 0)),  # the second player wins whatever is taken
        (1, (0, 0, 0, 0)),  # there is no choice
    ],
)
def test_a_forfeit_is_a_wrong_decision_if_the_decision_mattered(
    stones: int, expected: tuple[int, int, int, int]
) -> None:
    first, second = judge(forfeited(LastStone(stones=stones, most=2)))
    assert (first.decisions, first.mattered, first.kept, first.regret) == expected
    assert (second.decisions, second.mattered, second.kept, second.regret) == (0, 0, 0, 0)


@pytest.mark.parametrize("moves", [(), ("8",), ("8", "1")])
def test_the_moves_before_a_forfeit_are_judged_as_ever(moves: tuple[str, ...]) -> None:
    game = make("crystal-capture")
    record = forfeited(game, *moves)
    match = match_after(game, *moves)
    seat = match.mover
    match.resign(seat)
    judged: tuple[JudgedDecisions, JudgedDecisions] = judge(match.record(PEOPLE, 0))
    assert judge(record)[1 - seat] == judged[1 - seat]
    assert judge(record)[seat].kept == judged[seat].kept
    assert judge(record)[seat].decisions == judged[seat].decisions + 1
