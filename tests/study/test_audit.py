"""The audit: computed, honest, and current in the documents."""

import json
from pathlib import Path

import pytest

from duelbook import GAMES, Outcome, make
from duelbook.intervals import wilson
from duelbook.solve.termination import shape, shortest_end
from duelbook.study.audit import audit, examples_of, replayed
from duelbook.terminal.audit import audit_page
from tests.support.keyboard import run
from tests.support.playing import played
from tests.support.toy.rules import Staircase

PAGE = Path(__file__).parents[2] / "docs/audit.md"


def test_the_page_in_the_documents_is_what_the_command_prints() -> None:
    assert audit_page(audit(name) for name in GAMES) == PAGE.read_text()


def test_the_longest_game_is_found() -> None:
    assert [shape(make(name)).longest for name in ("alpha-chase", "word-clash", "flag-chase")] == [26, 9, 3]
    assert shape(make("flag-chase", cells=9)).longest == 7
    assert shape(Staircase(steps=7)).longest == 7


def test_a_cycle_is_shown_and_leads_back_to_where_it_began() -> None:
    game = make("charge", goal=3, biggest_charge=2, charge_cards=1, block_cards=0, steal_cards=0)
    found = shape(game)
    assert found.longest is None
    assert played(game, *found.lead) == played(game, *found.lead, *found.cycle)
    assert found.cycle


def test_the_shortest_level_end_is_found() -> None:
    game = make("crystal-capture", deadlock="draw")
    assert shortest_end(game, lambda outcome: outcome == Outcome.DRAW) == ("1", "5", "6", "9", "7")
    assert shortest_end(make("flag-chase"), lambda outcome: outcome == Outcome.DRAW) is None


def test_examples_break_where_the_rulings_say() -> None:
    broken = {
        (name, result.example.title): (result.broken_at, result.example.ruling)
        for name in GAMES
        for result in (replayed(make(name), example) for example in examples_of(make(name)))
        if result.broken_at
    }
    assert broken == {
        ("charge", "Example Game Play"): (13, "CH-6"),
        ("flag-chase", "Command-Line Interaction Example"): (3, "FC-2"),
    }


@pytest.mark.parametrize("name", GAMES)
def test_examples_that_follow_the_rules_have_the_books_winner(name: str) -> None:
    for example in examples_of(make(name)):
        result = replayed(make(name), example)
        assert result.broken_at or not example.winner or result.winner == example.winner
    assert examples_of(Staircase()) == ()


def test_all_five_are_first_player_wins_and_the_page_says_so() -> None:
    assert PAGE.read_text().count("Who wins under perfect play?** The first player") == 5


def test_json_is_for_tools() -> None:
    (report,) = json.loads(run(["audit", "flag-chase", "--json"]).stdout)
    assert (report["winner"], report["remoteness"], report["winning_first_moves"]) == ("first", 1, 1)
    assert report["shape"]["longest"] == 3
    assert len(report["duels"]) == 6


def test_intervals_are_wilsons() -> None:
    assert wilson(0, 100) == pytest.approx((0, 0.037), abs=0.001)
    assert wilson(50, 100) == pytest.approx((0.404, 0.596), abs=0.001)
