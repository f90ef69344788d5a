"""Puzzles in the terminal, and the progress that is kept."""

import io
import re
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.games import name_of, title
from duelbook.study.daily_puzzle import puzzle_of_the_day
from duelbook.study.puzzle_bank import listed_places
from duelbook.study.puzzle_kinds import Kind
from duelbook.study.puzzles import find_puzzle, hint_steps, why_right, why_wrong
from duelbook.terminal.data_folder import load, save
from duelbook.terminal.puzzle_progress import Progress, marks_text, share_text
from tests.support.keyboard import lines, run, session

DAMAGED = "puzzles-damaged-1.json"


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

    def test_an_answer_among_several_questions_is_taken_back(self, tmp_path: Path) -> None:
        answers = lines("undo", "E", "help", "undo", "F", "oponent", "board")
        done = run(["puzzle", "word-clash", "--seed", "1"], answers, XDG_DATA_HOME=str(tmp_path))
        assert "A-Z: undo\nYou have no answer to take back.\n" in done.stdout
        assert "undo (take back your last answer)\nPlace letter on ('self' or 'opponent'): undo\n" in done.stdout
        assert "Taken back.\nSelect a letter from A-Z: F\n" in done.stdout
        assert "'oponent' is not a board" in done.stdout
        assert "('self' or 'opponent'): board\nPlayer 1's Board: " in done.stdout

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

    def test_help_comes_in_steps_a_nudge_some_moves_the_move_and_the_reason(self, tmp_path: Path) -> None:
        arguments = ["puzzle", "crystal-capture", "--kind", "trap", "--seed", "1"]
        done = run(arguments, lines(*["hint"] * 5), XDG_DATA_HOME=str(tmp_path))
        puzzle = find_puzzle("crystal-capture", "1", kind=Kind.TRAP)
        steps = [step.text for step in hint_steps(puzzle)]
        assert steps[1].startswith("A right move is among these: ")
        places = [done.stdout.index(step) for step in steps]
        assert places == sorted(places)
        assert done.stdout.count(steps[-1]) == 2  # the last one is repeated

    def test_the_seed_and_the_command_to_see_a_puzzle_again_are_shown_and_true(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        for arguments in (["charge", "--level", "2"], ["crystal-capture", "--kind", "trap"], []):
            shown = run(["puzzle", *arguments], lines("quit"), **where).stdout
            command = next(line for line in shown.splitlines() if line.startswith("(To see it again: "))
            assert re.search(r"--seed \d+\)$", command)
            again = command.removeprefix("(To see it again: duelbook ").removesuffix(")").split()
            assert run(again, lines("quit"), **where).stdout == shown

    def test_the_next_puzzle_comes_without_leaving(self, tmp_path: Path) -> None:
        screen, code = session(
            "puzzle crystal-capture --level 2 --seed 7",
            "capture: «next»\ncapture: «answer»\nWhat now (Enter for the next puzzle, harder, easier, quit)? «what»\n"
            "Type one of these: Enter for the next puzzle, harder, easier, quit.\nquit)? «harder»\n"
            "capture: «answer»\nWhat now (Enter for the next puzzle, easier, quit)? «harder»\nquit)? «»\n"
            "capture: «exit»\n",
            XDG_DATA_HOME=str(tmp_path),
        )
        assert re.findall(r"level (\d) of 5", screen) == ["2", "2", "3", "3"]
        assert re.findall(r"--level (\d) --seed (\d+)", screen) == [
            ("2", "7"),
            ("2", "8"),
            ("3", "9"),
            ("3", "11"),
        ]  # the tenth is the ninth again
        assert "There is no harder level." in screen
        assert code == 0

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

    def test_once_there_are_no_more_another_kind_can_be_chosen(self, tmp_path: Path) -> None:
        screen, code = session(
            "puzzle charge --level 2 --kind trap --seed 1",
            "play a card: «next»\nWhat now (harder, win, only-move, quit)? «»\n"
            "Type one of these: harder, win, only-move, quit.\nquit)? «only-move»\n"
            "play a card: «quit»\n",
            XDG_DATA_HOME=str(tmp_path),
        )
        assert "Every move but one loses: find the one that does" in screen
        assert code == 0

    def test_a_number_beyond_the_list_is_refused_with_its_length(self) -> None:
        assert (
            "lists 3 puzzles of level 3, so there is no number 9."
            in run(["puzzle", "alpha-chase", "--level", "3", "--number", "9"]).stderr
        )
        assert "--number needs GAME" in run(["puzzle", "--number", "9"]).stderr

    def test_a_level_that_a_game_lacks_is_one_sentence_with_those_that_it_has(self) -> None:
        done = run(["puzzle", "word-clash", "--level", "3"])
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "duelbook: This game has no puzzle of level 3. It has: win (level 1), trap (level 2).\n"
        other = run(["puzzle", "word-clash", "--level", "2", "--kind", "win"]).stderr
        assert "no puzzle of the kind 'win' (" in other
        assert other.endswith(" of level 2. It has: win (level 1), trap (level 2).\n")

    def test_without_a_kind_one_is_taken_that_has_the_level(self) -> None:
        posed = run(["puzzle", "word-clash", "--level", "2", "--seed", "1"], "quit\n")
        assert "Word Clash, level 2 of 5" in posed.stdout
        assert "--level 2 --kind trap --seed 1" in posed.stdout

    def test_the_kinds_and_levels_of_all_games_can_be_listed(self) -> None:
        listed = run(["puzzle", "--levels"]).stdout.splitlines()
        assert [line.split()[0] for line in listed] == [*GAMES]
        assert run(["puzzle", "word-clash", "--levels"]).stdout == "word-clash  win (level 1), trap (level 2)\n"

    def test_ctrl_c_leaves_cleanly(self, tmp_path: Path) -> None:
        screen, code = session("puzzle flag-chase", "forward): «^C»\n", XDG_DATA_HOME=str(tmp_path))
        assert code == 130
        assert "Traceback" not in screen


class TestDays:
    def test_the_result_of_a_day_can_be_shared_and_counts_once(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        puzzle = puzzle_of_the_day(date(2026, 11, 1))
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        arguments = ["puzzle", "--day", "2026-11-01"]
        done = run(arguments, lines("hint", right), **where)
        name = title(name_of(puzzle.game))
        assert done.stdout.endswith(
            "Solved at the first try: 1 of 1.\n\nTo share your result:\n\n"
            f"Duelbook puzzle of Sun 1 Nov: {name}, level {puzzle.level} of 5\n"
            "\U0001f7e8\U0001f7e9\nduelbook puzzle --day 2026-11-01\n"
        )
        again = run(arguments, lines("answer"), **where).stdout
        assert "You have done this puzzle before: \U0001f7e8\U0001f7e9 It does not count again." in again
        assert "Solved at the first try: 1 of 1." in again

    def test_a_day_without_a_puzzle_is_refused(self) -> None:
        for day in ("2025-12-31", "2999-01-01", "yesterday", "2026-02-30"):
            done = run(["puzzle", "--day", day])
            assert (done.returncode, done.stdout) == (2, "")
        assert "cannot be combined" in run(["puzzle", "charge", "--daily"]).stderr

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
        file.write_text('{"solved": 3, "tried": 4, "streak": 2, "last_day": "2026-11-15"}')  # of an earlier version
        assert load(file, Progress) == Progress(3, 4, 2, "2026-11-15")
        for damage in ("", "[]", '{"solved": "x"}', '{"level": 1}', "[" * 10_000):
            file.write_text(damage)
            assert load(file, Progress) == Progress()
        assert save(Progress(1, 1), file) == f"'{file}' was damaged. It is kept as {DAMAGED}, and a new one begins."
        assert file.with_name(DAMAGED).read_text() == damage
        assert (save(Progress(2, 2), file), load(file, Progress)) == ("", Progress(2, 2))
