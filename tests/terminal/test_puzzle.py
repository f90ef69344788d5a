"""Puzzles in the terminal, and the progress that is kept."""

from datetime import date, timedelta
from pathlib import Path

from duelbook import make
from duelbook.study.puzzles import find_puzzle, why_right, why_wrong
from duelbook.terminal.puzzle import Progress, load_progress, save_progress
from tests.support.keyboard import lines, run


class TestDialogue:
    def test_a_wrong_move_is_refuted_and_may_be_tried_again(self, tmp_path: Path) -> None:
        seed = next(str(seed) for seed in range(99) if find_puzzle(make("crystal-capture"), str(seed)).level == 2)
        puzzle = find_puzzle(make("crystal-capture"), seed)
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        wrong = next(move for move in puzzle.game.legal_moves(puzzle.state) if move != puzzle.answer)
        name = puzzle.game.move_name(puzzle.state, wrong)
        answers = lines("help", "moves", "nonsense", name, right)
        done = run(["puzzle", "crystal-capture", "--seed", seed], answers, XDG_DATA_HOME=str(tmp_path))
        assert why_wrong(puzzle, wrong).text.startswith(f"{name} does not win: your opponent plays ")
        assert f"{why_wrong(puzzle, wrong).text} Try again.\n" in done.stdout
        assert f"Right: {right} wins in " in done.stdout
        assert f" {why_right(puzzle).text}\n" in done.stdout
        assert "Solved at the first try: 0 of 1." in done.stdout
        assert done.returncode == 0

    def test_giving_up_shows_the_answer_and_leaving_does_not_count(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        assert "The answer: 2 wins in 1 move." in run(["puzzle", "flag-chase"], lines("answer"), **where).stdout
        assert run(["puzzle", "flag-chase"], lines("quit"), **where).returncode == 0
        assert "0 of 2." in run(["puzzle", "flag-chase"], lines("answer"), **where).stdout

    def test_a_nudge_is_free_but_the_move_is_not(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        done = run(["puzzle", "flag-chase"], lines("hint", "2"), **where)
        assert "You can win at once.\n(Type hint again for the move.)\n" in done.stdout
        assert "Right: 2 wins in 1 move. It reaches the flag.\n" in done.stdout
        assert "Solved at the first try: 1 of 1." in done.stdout
        done = run(["puzzle", "flag-chase"], lines("hint", "hint", "hint", "2"), **where)
        assert "Play 2.\n(Type hint again for the reason.)\n" in done.stdout
        assert "2: reaches the flag and wins at once; every other move loses.\n" in done.stdout
        assert "Solved at the first try: 1 of 2." in done.stdout

    def test_the_puzzle_of_the_day_is_dated(self, tmp_path: Path) -> None:
        done = run(["puzzle", "--daily"], lines("quit"), XDG_DATA_HOME=str(tmp_path))
        assert done.stdout.startswith("Puzzle of 20")


class TestProgress:
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
        save_progress(Progress(3, 4, 2, "2026-11-15"), file)
        assert load_progress(file) == Progress(3, 4, 2, "2026-11-15")
        for damage in ("", "[]", '{"solved": "x"}', '{"level": 1}', "[" * 10_000):
            file.write_text(damage)
            assert load_progress(file) == Progress()
