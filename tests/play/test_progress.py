"""Progress in lessons and with puzzles."""

import io
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbook.play.data_folder import load, save
from duelbook.play.lesson import LessonSession
from duelbook.play.progress import LearningProgress, LessonProgress, PuzzleProgress, marks_text, share_text
from tests.support.conversing import begun

DAMAGED = "puzzles-damaged-1.json"


class TestLessons:
    def test_a_finished_lesson_stays_finished_and_the_next_one_is_the_one_begun(self) -> None:
        progress = LearningProgress()
        assert progress.next_lesson(["a", "b", "c"]) == "a"
        progress.pass_step("b", 1, 3)
        assert (progress.text("a"), progress.text("b")) == ("about a minute", "up to step 1 of 3")
        assert progress.next_lesson(["a", "b", "c"]) == "b"
        assert progress.next_lesson(["b", "a", "c"], after="a") == "c"
        assert progress.next_lesson(["a", "b", "c"], after="c") == "a"
        progress.pass_step("b", 3, 3)
        progress.pass_step("b", 1, 3)
        assert progress.text("b") == "finished"
        assert progress.next_lesson(["a", "b"], after="a") is None

    def test_progress_in_a_lesson_that_has_become_shorter_starts_anew(self) -> None:
        assert LessonProgress(5, 6).start(4) == 0
        assert LessonProgress(-3, 6).start(4) == 0


class TestPuzzles:
    def test_a_late_puzzle_leaves_the_streak_and_each_day_counts_once(self) -> None:
        progress = PuzzleProgress(streak=3, last_day="2026-11-15")
        for _ in range(2):
            progress.count(False, date(2026, 11, 1), "xo", late=True)
        assert progress == PuzzleProgress(0, 1, 3, "2026-11-15", {"2026-11-01": "xo"})

    def test_the_daily_streak_counts_days_in_a_row_once_each(self) -> None:
        progress, day = PuzzleProgress(), date(2026, 11, 15)
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

    def test_marks_are_words_where_the_system_has_only_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        assert marks_text("xhao") == "wrong move, hint, answer shown, solved"
        assert share_text(date(2026, 11, 1), "Charge", 3, "o").isascii()


def test_progress_is_saved_and_a_damaged_file_is_a_fresh_start(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "puzzles.json"
    kept = PuzzleProgress(3, 4, 2, "2026-11-15", {"2026-11-15": "o"})
    save(kept, file)
    assert load(file, PuzzleProgress) == kept
    for damage in ("", "[]", '{"solved": "x"}', '{"level": 1}', "[" * 10_000):
        file.write_text(damage)
        assert load(file, PuzzleProgress) == PuzzleProgress()
    told = save(PuzzleProgress(1, 1), file)
    assert told == f"'{file}' was damaged. It is kept as {DAMAGED}, and a new one begins."
    assert file.with_name(DAMAGED).read_text() == damage
    assert (save(PuzzleProgress(2, 2), file), load(file, PuzzleProgress)) == ("", PuzzleProgress(2, 2))


@pytest.mark.parametrize("damage", ["", "[]", '{"lessons": {"charge": 3}}', '{"lessons": {"charge": {"step": "x"}}}'])
def test_damaged_lessons_are_a_fresh_start(damage: str, data_folder: Path) -> None:
    data_folder.mkdir()
    (data_folder / "lessons.json").write_text(damage)
    lesson = LessonSession("charge")
    begun(lesson)
    assert lesson.exercise
    assert lesson.exercise.title.startswith("Step 1 of 6")
