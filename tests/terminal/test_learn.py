"""Lessons in the terminal: the same steps as on the page, and the progress that is kept."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES
from duelbook.games import make
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import accepted_moves
from duelbook.terminal.lesson_progress import LessonProgress, Progress
from tests.support.keyboard import lines, run, session

LAST_STONE = "tests.support.games.last_stone:LastStone"


def right_moves(name: str) -> list[str]:
    """Return a right move of each step of the lesson of a game."""
    steps = usable_lesson(make(name))[0].steps
    return [step.game.move_name(step.state, accepted_moves(step)[0]) for step in steps]


class TestLesson:
    @pytest.mark.parametrize("name", GAMES)
    def test_every_lesson_can_be_passed_by_typing_its_moves(self, name: str, tmp_path: Path) -> None:
        moves = right_moves(name)
        done = run(["learn", name], "\n\n".join(moves) + "\n\n", XDG_DATA_HOME=str(tmp_path))
        assert done.returncode == 0
        assert done.stdout.count("Right! ") == len(moves)
        assert "Not quite." not in done.stdout
        assert f"Step {len(moves)} of {len(moves)}: " in done.stdout
        assert "You can play " in done.stdout

    def test_a_wrong_move_shows_what_follows_and_the_step_is_asked_again(self, tmp_path: Path) -> None:
        screen, code = session(
            "learn charge --step 3",
            "play a card: «charge 1»\nplay a card: «charge 9»\nplay a card: «hint»\nplay a card: «hint»\n"
            "play a card: «block»\nnext step: «quit»\n",
            XDG_DATA_HOME=str(tmp_path),
        )
        assert "Not quite. That does not stop them. Your opponent replies charge 5 and wins." in re.sub(
            r"\s+", " ", screen
        )
        assert "Player 2 plays a Charge Card adding 5 points. Total charge: 10 + 5 = 15." in screen
        assert "A Charge Card adds 1 to 5 points, not '9'." in screen
        assert "You have 6 moves; 1 of them does what the task asks for." in screen
        assert "Try block." in screen
        assert "Player 2 plays a Charge Card but is blocked." in screen
        assert "Right! Your opponent's Charge Card adds nothing and is lost." in screen
        assert code == 0

    def test_it_goes_on_where_the_person_stopped(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        run(["learn", "charge"], lines("charge 1", "", "quit"), **where)
        done = run(["learn"], lines("quit"), **where)
        assert "Charge (up to step 1 of 6): " in done.stdout
        assert "Enter for Charge): " in done.stdout
        done = run(["learn"], lines("", "back", "skip", "quit"), **where)
        assert re.findall(r"Step (\d) of 6", done.stdout) == ["2", "1", "2"]

    def test_commands_change_nothing_and_bad_input_is_asked_again(self, tmp_path: Path) -> None:
        answers = lines("", "help", "rules", "moves", "hand", "x" * 5000, "\x1b[2Jcharge", "сharge 1", "charge 1")
        done = run(["learn", "charge"], answers, XDG_DATA_HOME=str(tmp_path))
        assert done.returncode == 0
        assert done.stdout.count("Right! ") == 1
        assert "\x1b" not in done.stdout
        assert done.stderr == ""

    def test_the_other_words_for_help_and_quit_are_understood_at_every_question(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        for word in ("q", "exit"):
            assert "Type a number from 1 to" in run(["learn"], lines("?", word, "charge"), **where).stdout
            done = run(["learn", "charge"], lines("?", word, "charge 1"), **where)
            assert "Type a move, or: board, moves, rules," in done.stdout
            assert "Right!" not in done.stdout
            done = run(["learn", "charge", "--step", "1"], lines("charge 1", "?", word, "block"), **where)
            assert "Press Enter, or type back" in done.stdout
            assert "Step 2 of" not in done.stdout

    def test_what_comes_next_is_offered(self, tmp_path: Path) -> None:
        where = {"XDG_DATA_HOME": str(tmp_path)}
        moves = "\n\n".join(right_moves("flag-chase")) + "\n"
        done = run(["learn", "flag-chase"], moves + lines("what", "rules", "next", "quit"), **where)
        assert "Type play, next, again, rules, or press Enter to leave." in done.stdout
        assert "Learn Alpha Chase\n" in done.stdout
        assert "Step 1 of" in run(["learn", "flag-chase"], moves + lines("again", "quit"), **where).stdout
        played = run(["learn", "flag-chase"], moves + lines("play", "quit"), **where).stdout
        assert played.count("Enter your move (1 or 2 cells forward): ") > len(right_moves("flag-chase"))

    def test_a_game_from_outside_has_the_general_lesson(self, use_games: Callable[[str], None], tmp_path: Path) -> None:
        use_games(LAST_STONE)
        name = "last-stone"
        done = run(
            ["learn", name],
            "\n\n".join(right_moves(name)) + "\n\n",
            XDG_DATA_HOME=str(tmp_path),
            DUELBOOK_GAMES=LAST_STONE,
        )
        assert "Step 1 of " in done.stdout
        assert "You can play " in done.stdout
        assert "Not quite." not in done.stdout

    def test_a_wrong_step_or_game_is_one_sentence(self) -> None:
        done = run(["learn", "charge", "--step", "9"])
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "duelbook: --step must be from 1 to 6 in the lesson of charge, not 9.\n"
        assert run(["learn", "chess"]).stderr.startswith("duelbook: Unknown game 'chess'.")
        assert run(["learn", "--step", "2"]).returncode == 2

    def test_ctrl_c_and_ctrl_d_leave_at_once(self, tmp_path: Path) -> None:
        for key, expected in (("^C", 130), ("^D", 0)):
            screen, code = session("learn charge", f"play a card: «{key}»\n", XDG_DATA_HOME=str(tmp_path))
            assert code == expected
            assert "Traceback" not in screen


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
