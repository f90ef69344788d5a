"""After a game: what decided it, and what is offered only at a terminal."""

import pytest

from duelbook import make
from duelbook.match import Match
from duelbook.records import Person, Record
from duelbook.study import decision
from duelbook.study.decision import decision_text
from duelbook.terminal.review import show_game_review
from duelbook.terminal.screen import Screen
from tests.support.keyboard import lines, run


def test_nothing_is_offered_through_a_pipe() -> None:
    assert "or Enter to leave: " not in run(["play", "flag-chase"], lines("2")).stdout


def test_a_stopped_review_says_only_what_holds_for_a_game_that_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(record: Record) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("duelbook.play.game_review.best_review", stopped)
    match = Match(make("flag-chase"))
    match.play("2")
    show_game_review(match.record((Person("Red"), Person("Blue")), 0), Screen())
    assert capsys.readouterr().out == "Stopped. Type review to start it again.\n\n"


class TestDecision:
    def played(self, *moves: str, cells: int = 5) -> Record:
        match = Match(make("flag-chase", cells=str(cells)))
        for move in moves:
            match.play(move)
        if not match.over:
            match.resign(match.mover)
        return match.record((Person("Red"), Person("Blue")), 0)

    def test_without_values_the_rules_tell_what_allowed_the_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(decision, "_is_solved_soon", lambda game: False)
        assert decision_text(self.played("1", "2")) == "Move 1 decided it: Red played 1, which allowed the end."
        assert decision_text(self.played("2")) == "Red won before Blue could move."
        assert decision_text(self.played("1")) == "Blue resigned."
        lost = decision_text(self.played("1", "1", "2"))
        assert lost == "Move 2 decided it: Blue played 1, which allowed the end."

    def test_a_game_that_takes_too_long_to_solve_is_told_by_the_rules(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(decision, "SOLVE_SECONDS", -1.0)
        match = Match(make("crystal-capture", crystals="14", goal="30"))
        match.resign(0)
        assert decision_text(match.record((Person("Red"), Person("Blue")), 0)) == "Red resigned."
