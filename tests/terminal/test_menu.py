"""The questions before a game starts: what the computer chooses, and what the menu remembers."""

from pathlib import Path

import pytest

from duelbook.terminal.menu import LastChoice
from tests.support.keyboard import lines, run


class TestChoices:
    def test_the_computer_picks_for_itself(self) -> None:
        """AC-8: another word than the one that the person has chosen."""
        for seed in range(12):
            done = run(["play", "alpha-chase", "--p2", "random", "--seed", str(seed)], lines("PLANT"))
            assert "Player 2 chooses " in done.stdout
            assert "Player 2 chooses PLANT" not in done.stdout


class TestMenu:
    @pytest.fixture(autouse=True)
    def fresh_data_folder(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """No last choice is remembered."""
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def test_a_program_is_not_remembered_and_a_damaged_file_is_no_choice(self, tmp_path: Path) -> None:
        run(["play"], lines("flag-chase", "book", "advanced", "process", "true", "1", "quit"))
        file = tmp_path / "duelbook" / "menu.json"
        assert not file.exists()
        file.parent.mkdir(exist_ok=True)
        for damage in ("", "[]", '{"game": "gone"}', '{"game": "charge", "opponent": "process:true", "first": "1"}'):
            file.write_text(damage)
            done = run(["play"], lines("quit"))
            assert "last time" not in done.stdout
            assert done.stderr == ""


def test_the_last_choice_has_its_seconds_a_turn() -> None:
    last = LastChoice("charge", {}, "easy", "2", 30.0)
    assert last.text() == "Charge (book), against easy, the computer starts, 30 seconds a turn"
    assert last.command(None) == "duelbook play charge --p2 easy --first 2 --time-limit 30"
    assert last.is_possible()
    assert not LastChoice("charge", {}, "easy", "2", -1.0).is_possible()
