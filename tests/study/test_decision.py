"""What decided a game, in one sentence."""

import pytest

from duelbook import make
from duelbook.match import Match
from duelbook.records import Person, Record
from duelbook.study import decision
from duelbook.study.decision import decision_text
from tests.support.playing import match_after


def played(*moves: str, cells: int = 5) -> Record:
    match = match_after("flag-chase", *moves, cells=cells)
    if not match.over:
        match.resign(match.mover)
    return match.record((Person("Red"), Person("Blue")), 0)


def test_without_values_the_rules_tell_what_allowed_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision, "_is_solved_soon", lambda game: False)
    assert decision_text(played("1", "2")) == "Move 1 decided it: Red played 1, which allowed the end."
    assert decision_text(played("2")) == "Red won before Blue could move."
    assert decision_text(played("1")) == "Blue resigned."
    lost = decision_text(played("1", "1", "2"))
    assert lost == "Move 2 decided it: Blue played 1, which allowed the end."


def test_a_game_that_takes_too_long_to_solve_is_told_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision, "SOLVE_SECONDS", -1.0)
    match = Match(make("crystal-capture", crystals="14", goal="30"))
    match.resign(0)
    assert decision_text(match.record((Person("Red"), Person("Blue")), 0)) == "Red resigned."
