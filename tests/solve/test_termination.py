"""Whether a game always ends: the longest game, cycles, and the shortest draw."""

from duelbook import Outcome, make
from duelbook.solve.termination import find_termination, shortest_game
from tests.support.playing import played
from tests.support.toy.rules import Staircase


def test_the_longest_game_is_found() -> None:
    assert [find_termination(make(name)).longest for name in ("alpha-chase", "word-clash", "flag-chase")] == [26, 9, 3]
    assert find_termination(make("flag-chase", cells=9)).longest == 7
    assert find_termination(Staircase(steps=7)).longest == 7


def test_a_cycle_leads_back_to_the_position_where_it_began() -> None:
    game = make("charge", goal=3, biggest_charge=2, charge_cards=1, block_cards=0, steal_cards=0)
    found = find_termination(game)
    assert found.longest is None
    assert played(game, *found.lead) == played(game, *found.lead, *found.cycle)
    assert found.cycle


def test_the_shortest_draw_is_found() -> None:
    game = make("crystal-capture", deadlock="draw")
    assert shortest_game(game, lambda outcome: outcome == Outcome.DRAW) == ("1", "5", "6", "9", "7")
    assert shortest_game(make("flag-chase"), lambda outcome: outcome == Outcome.DRAW) is None
