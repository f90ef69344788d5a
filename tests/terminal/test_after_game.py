"""After a game at a terminal: what decided it, and what to do next."""

from pathlib import Path

import pytest

from duelbook import make
from duelbook.history.database import history_file
from duelbook.history.store import History
from duelbook.match import Match
from duelbook.records import Person, Record, load_record
from duelbook.study import decision
from duelbook.study.decision import decision_text
from duelbook.terminal.after_game import NextStep, offered_steps, read_step, show_game_review
from duelbook.terminal.screen import Screen
from duelbook.terminal.setup import Setup
from tests.support.keyboard import lines, run, session

MOVE = "cells forward): "
NEXT = "or Enter to leave: "


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """A data folder of the test's own."""
    return {"XDG_DATA_HOME": str(tmp_path / "data")}


def games(data: dict[str, str]) -> list[tuple[int, str, int]]:
    """Return the number, the opponent and who moved first of every game in the history, the first one first."""
    path = Path(data["XDG_DATA_HOME"]) / history_file().relative_to(history_file().parents[1])
    return [(game.number, game.opponent, game.first) for game in reversed(History(path).games())]


class TestNextGame:
    def test_the_opponent_changes_and_every_game_is_kept(self, data: dict[str, str]) -> None:
        """In Flag Chase the one who moves first wins with the move 2."""
        script = (
            f"{MOVE}«2»\n{NEXT}«rematch»\n{MOVE}«2»\n{NEXT}«stronger»\n{MOVE}«2»\n{NEXT}«weaker»\n{MOVE}«2»\n{NEXT}«»\n"
        )
        screen, code = session("play flag-chase --p2 hard", script, **data)
        question = f"Rematch, swap seats, stronger, weaker, review, menu, {NEXT}"
        decided = "Player 1 wins!\n\nYou won. No move gave anything away: Player 1 was winning from the start.\n\n"
        assert screen.count(f"{decided}{question}") == 4
        assert "Your opponent is expert now.\n\nWelcome to Flag Chase!" in screen
        assert screen.count("You are Player 1, against hard. You move first.") == 3
        assert screen.count("You are Player 1, against expert. You move first.") == 1
        assert code == 0
        assert [opponent for _, opponent, _ in games(data)] == ["hard", "hard", "expert", "hard"]

    def test_two_people_swap_seats_and_keep_their_names(self, data: dict[str, str], tmp_path: Path) -> None:
        names, record = "--name1 Red --name2 Blue", tmp_path / "game.json"
        script = f"{MOVE}«2»\n{NEXT}«stronger»\n{NEXT}«r»\n{NEXT}«Swap Seats»\n{MOVE}«2»\n{NEXT}«^D»\n"
        screen, code = session(f"play flag-chase {names} --record {record}", script, **data)
        assert "Blue, you are at position 5.\n" in screen
        assert screen.count(f"Rematch, swap seats, review, menu, {NEXT}") == 4
        assert screen.count("Type one of rematch, swap seats, review, menu, or press Enter to leave.") == 2
        assert code == 0
        assert games(data) == [(1, "human", 0), (2, "human", 1)]
        assert load_record(tmp_path / "game-2.json").first == 1

    def test_a_review_is_shown_and_the_menu_opened(self, data: dict[str, str]) -> None:
        script = f"{MOVE}«1»\n{MOVE}«2»\n{NEXT}«review»\n{NEXT}«menu»\n(1-5)? «^C»\n"
        screen, code = session("play flag-chase", script, **data)
        decided = "The turning point was move 1: Player 1 played 1 and turned a win into a loss.\n"
        assert f"{decided}\nRematch" in screen
        assert "1. Player 1: 1, blunder" in screen
        assert code == 130

    def test_nothing_is_offered_through_a_pipe(self, data: dict[str, str]) -> None:
        """Nor with `--once`, which the sessions of the books show."""
        assert NEXT not in run(["play", "flag-chase"], lines("2"), **data).stdout
        screen, code = session("play flag-chase --once", f"{MOVE}«2»\n", **data)
        assert NEXT not in screen
        assert code == 0


def test_a_stopped_review_says_only_what_holds_for_a_game_that_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(record: Record) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("duelbook.study.estimated_review.best_review", stopped)
    match = Match(make("flag-chase"))
    match.play("2")
    show_game_review(match.record((Person("Red"), Person("Blue")), 0), Screen())
    assert capsys.readouterr().out == "Stopped. Type review to start it again.\n\n"


@pytest.mark.parametrize(
    ("agents", "levels"),
    [
        (("human", "beginner"), ["stronger"]),
        (("medium", "human"), ["stronger", "weaker"]),
        (("human", "perfect"), ["weaker"]),
        (("human", "greedy"), []),
        (("human", "human"), []),
    ],
)
def test_only_a_level_has_a_stronger_and_a_weaker_one(agents: tuple[str, str], levels: list[str]) -> None:
    setup = Setup((Person("Red", agents[0]), Person("Blue", agents[1])), 0, (None, None), 1)
    assert [step for step in offered_steps(setup) if step in ("stronger", "weaker")] == levels


def test_a_step_is_read_by_its_beginning_if_that_is_clear() -> None:
    steps = [NextStep.REMATCH, NextStep.SWAP, NextStep.STRONGER, NextStep.REVIEW, NextStep.MENU]
    read = {text: read_step(text, steps) for text in (" REM ", "sw", "s", "re", "", "q", "\x1b[31m", "x" * 5000)}
    assert list(read.values()) == [
        NextStep.REMATCH,
        NextStep.SWAP,
        None,
        None,
        NextStep.LEAVE,
        NextStep.LEAVE,
        None,
        None,
    ]


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
