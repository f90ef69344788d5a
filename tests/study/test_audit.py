"""The audit: its facts are computed, and the page in the documentation is current."""

import json
import re
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.games import title
from duelbook.solve import Value, solved
from duelbook.study.audit import audit_game, examples_of, replay_example
from duelbook.terminal.audit import audit_page
from scripts.game_pages import own_text, shipped_games
from tests.support.keyboard import run
from tests.support.toy.rules import Staircase

PAGE = Path(__file__).parents[2] / "docs/audit.md"


def sections(page: str) -> list[str]:
    return [section.rstrip("\n") for section in re.split("^(?=## )", page, flags=re.MULTILINE)]


EXPLORED_FOR_SECONDS = ("alpha-chase", "word-clash")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name in EXPLORED_FOR_SECONDS)) for name in shipped_games()],
)
def test_the_section_in_the_documentation_is_what_the_command_prints(name: str) -> None:
    shown = dict(zip(shipped_games(), sections(PAGE.read_text())[1:], strict=True))
    assert sections(audit_page([audit_game(name)]))[1:] == [shown[name]]


def test_the_page_in_the_documentation_has_the_opening_and_every_game_in_order() -> None:
    opening, *games = sections(PAGE.read_text())
    assert opening == audit_page([]).rstrip("\n")
    assert [section.splitlines()[0] for section in games] == [f"## {title(name)}" for name in shipped_games()]


@pytest.mark.parametrize("name", GAMES)
def test_an_example_has_the_winner_of_the_book_or_names_the_ruling_why_it_breaks_the_rules(name: str) -> None:
    rulings = own_text(name, "rulings.md")
    for example in examples_of(make(name)):
        result = replay_example(make(name), example)
        assert example.ruling if result.broken_at else not example.winner or result.winner == example.winner
        assert f"## {example.ruling}" in rulings
    assert examples_of(Staircase()) == ()


def test_the_audit_finds_the_move_at_which_an_example_breaks_the_rules() -> None:
    """CH-6: the worked game plays a sixth Charge Card."""
    (result, _) = (replay_example(make("charge"), example) for example in examples_of(make("charge")))
    assert result.broken_at == 13


@pytest.mark.parametrize("name", shipped_games())
def test_the_page_says_who_wins(name: str) -> None:
    section = PAGE.read_text().partition(f"## {title(name)}\n")[2].partition("## ")[0]
    value = solved(make(name)).value(make(name).initial())
    winner = {Value.WIN: "The first player", Value.LOSS: "The second player", Value.DRAW: "Nobody"}[value]
    assert f"Who wins under perfect play?** {winner}" in section


def test_the_audit_is_printed_as_json() -> None:
    (report,) = json.loads(run(["audit", "flag-chase", "--json"]).stdout)
    assert (report["winner"], report["remoteness"], report["winning_first_moves"]) == ("first", 1, 1)
    assert report["shape"]["longest"] == 3
    assert len(report["duels"]) == 6


def test_no_draw_is_claimed_only_of_the_options_and_starts_that_were_looked_at(number_row: str) -> None:
    audit = audit_game("flag-chase")
    assert audit.level_ends == ()
    answer = "- **Can it end in a draw?** Not with the default options"
    assert f"{answer}. Nothing else was looked at.\n" in audit_page([audit])
    wider = audit._replace(sought_draws=("default", "stuck=loses", "stuck=draws"))
    assert f"{answer}, nor with `stuck=loses` or `stuck=draws`. Nothing else" in audit_page([wider])
    drawn = audit_game(number_row, drawn_starts=2)._replace(level_ends=())
    assert f"{answer}, from 2 drawn starts. Nothing else" in audit_page([drawn])


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
