"""The audit: its facts are computed, and the page in the documentation is current."""

import json
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.study.audit import audit_game, examples_of, replay_example
from duelbook.terminal.audit import audit_page
from tests.support.keyboard import run
from tests.support.toy.rules import Staircase

PAGE = Path(__file__).parents[2] / "docs/audit.md"


@pytest.mark.slow
def test_the_page_in_the_documentation_is_what_the_command_prints() -> None:
    assert audit_page(audit_game(name) for name in GAMES) == PAGE.read_text()


def test_examples_break_the_rules_where_the_rulings_say() -> None:
    broken = {
        (name, result.example.title): (result.broken_at, result.example.ruling)
        for name in GAMES
        for result in (replay_example(make(name), example) for example in examples_of(make(name)))
        if result.broken_at
    }
    assert broken == {
        ("charge", "Example Game Play"): (13, "CH-6"),
        ("flag-chase", "Command-Line Interaction Example"): (3, "FC-2"),
    }


@pytest.mark.parametrize("name", GAMES)
def test_examples_that_follow_the_rules_have_the_winner_of_the_book(name: str) -> None:
    for example in examples_of(make(name)):
        result = replay_example(make(name), example)
        assert result.broken_at or not example.winner or result.winner == example.winner
    assert examples_of(Staircase()) == ()


@pytest.mark.parametrize("game", ["Alpha Chase", "Word Clash", "Crystal Capture", "Charge", "Flag Chase"])
def test_the_page_says_that_the_first_player_wins(game: str) -> None:
    section = PAGE.read_text().partition(f"## {game}\n")[2].partition("## ")[0]
    assert "Who wins under perfect play?** The first player" in section


def test_the_audit_is_printed_as_json() -> None:
    (report,) = json.loads(run(["audit", "flag-chase", "--json"]).stdout)
    assert (report["winner"], report["remoteness"], report["winning_first_moves"]) == ("first", 1, 1)
    assert report["shape"]["longest"] == 3
    assert len(report["duels"]) == 6


def test_a_game_by_name_is_measured_over_drawn_starts_and_a_game_in_hand_as_it_is(number_row: str) -> None:
    audit = audit_game(number_row, drawn_starts=2)
    one, two = (start.drawn for start in audit.drawn_starts)
    assert one != two
    assert audit.shape.longest == 8
    assert [end.option for end in audit.level_ends] == ["default"]
    as_it_is = audit_game(make(number_row, row=one.removeprefix("row=")))
    assert as_it_is.drawn_starts == ()
    assert as_it_is[3:7] == audit.drawn_starts[0][1:]
    page = audit_page([audit])
    assert f" from the default start; of 2 drawn starts (`{one}`, `{two}`) " in page
    assert "of 2.0 on average over the drawn starts." in page
    assert audit_page([audit_game(number_row, 2)]) == page, "always the same starts"
