"""Lessons in the terminal: the same steps as on the page, and the progress that is kept."""

from pathlib import Path

from duelbook.play.lesson_progress import LessonProgress, Progress
from tests.support.keyboard import lines, run


class TestProgress:
    def test_a_finished_lesson_stays_finished_and_the_next_one_is_the_one_begun(self) -> None:
        progress = Progress()
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

    def test_a_damaged_file_is_a_fresh_start(self, tmp_path: Path) -> None:
        file = tmp_path / "duelbook" / "lessons.json"
        file.parent.mkdir()
        for damage in ("", "[]", '{"lessons": {"charge": 3}}', '{"lessons": {"charge": {"step": "x"}}}'):
            file.write_text(damage)
            done = run(["learn", "charge"], lines("charge 1"), XDG_DATA_HOME=str(tmp_path))
            assert "Step 1 of 6" in done.stdout
            assert done.stderr == ""
