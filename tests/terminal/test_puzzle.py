"""Puzzles in the terminal, and the progress that is kept."""

import io
import re
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbook.play.data_folder import load, save
from duelbook.play.puzzle_progress import Progress, marks_text, share_text
from duelbook.study.puzzle_bank import listed_places
from duelbook.study.puzzle_kinds import Kind
from tests.support.keyboard import lines, run

DAMAGED = "puzzles-damaged-1.json"


class TestDialogue:
    def test_the_puzzle_of_the_day_is_dated(self, tmp_path: Path) -> None:
        done = run(["puzzle", "--daily"], lines("quit"), XDG_DATA_HOME=str(tmp_path))
        assert done.stdout.startswith("Puzzle of 20")

    def test_the_seed_and_the_command_to_see_a_puzzle_again_are_shown_and_true(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        for arguments in (["charge", "--level", "2"], ["crystal-capture", "--kind", "trap"], []):
            shown = run(["puzzle", *arguments], lines("quit"), **where).stdout
            command = next(line for line in shown.splitlines() if line.startswith("(To see it again: "))
            assert re.search(r"--seed \d+\)$", command)
            again = command.removeprefix("(To see it again: duelbook ").removesuffix(")").split()
            assert run(again, lines("quit"), **where).stdout == shown

    def test_each_puzzle_comes_once_and_then_other_levels_and_kinds_are_offered(self, tmp_path: Path) -> None:
        listed = len(listed_places("crystal-capture", 2, Kind.WIN))
        done = run(
            ["puzzle", "crystal-capture", "--level", "2", "--seed", "1"],
            lines(*["next"] * 40, "harder", "quit"),
            XDG_DATA_HOME=str(tmp_path),
        )
        *shown, harder = re.findall(r"\(To see it again: duelbook (.*?)\)\n\n(.*?)\nOne move", done.stdout, re.DOTALL)
        assert listed <= len(shown) == len({board for _, board in shown}) < 40
        assert "--level 3" in harder[0]
        offered = "harder, easier, only-move, trap, quit"
        assert "You have seen every puzzle of level 2 of Crystal Capture. Try another level, kind" in done.stdout
        assert f"\nWhat now ({offered})? next\nType one of these: {offered}.\n" in done.stdout
        again, board = shown[-1]
        assert "--number " in again
        assert board in run(again.split(), "quit\n", XDG_DATA_HOME=str(tmp_path)).stdout


class TestDays:
    def test_a_day_without_a_puzzle_is_refused(self) -> None:
        for day in ("2999-01-01", "yesterday", "2026-02-30"):
            done = run(["puzzle", "--day", day])
            assert (done.returncode, done.stdout) == (2, "")

    def test_marks_are_words_where_the_system_has_only_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        assert marks_text("xhao") == "wrong move, hint, answer shown, solved"
        assert share_text(date(2026, 11, 1), "Charge", 3, "o").isascii()


class TestProgress:
    def test_a_late_puzzle_leaves_the_streak_and_each_day_counts_once(self) -> None:
        progress = Progress(streak=3, last_day="2026-11-15")
        for _ in range(2):
            progress.count(False, date(2026, 11, 1), "xo", late=True)
        assert progress == Progress(0, 1, 3, "2026-11-15", {"2026-11-01": "xo"})

    def test_the_daily_streak_counts_days_in_a_row_once_each(self) -> None:
        progress, day = Progress(), date(2026, 11, 15)
        for solved_at_once, when, streak in (
            (True, day, 1),
            (True, day, 1),
            (True, day + timedelta(days=1), 2),
            (True, day + timedelta(days=3), 1),
            (False, day + timedelta(days=4), 0),
        ):
            progress.count(solved_at_once, when)
            assert progress.streak == streak
        assert (progress.solved, progress.tried) == (3, 4)

    def test_it_is_saved_and_a_damaged_file_is_a_fresh_start(self, tmp_path: Path) -> None:
        file = tmp_path / "deep" / "puzzles.json"
        save(Progress(3, 4, 2, "2026-11-15", {"2026-11-15": "o"}), file)
        assert load(file, Progress) == Progress(3, 4, 2, "2026-11-15", {"2026-11-15": "o"})
        for damage in ("", "[]", '{"solved": "x"}', '{"level": 1}', "[" * 10_000):
            file.write_text(damage)
            assert load(file, Progress) == Progress()
        assert save(Progress(1, 1), file) == f"'{file}' was damaged. It is kept as {DAMAGED}, and a new one begins."
        assert file.with_name(DAMAGED).read_text() == damage
        assert (save(Progress(2, 2), file), load(file, Progress)) == ("", Progress(2, 2))
