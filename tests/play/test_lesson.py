"""Lessons: which one, its steps, help, and what comes after."""

from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.play.events import Act, Asked, Done, Hinted, InterruptedWorkError, Kind, Moved, Page, Pressed, Typed
from duelbook.play.lesson import LessonSession
from duelbook.play.progress import load_lessons, note_passed
from duelbook.study.lessons import accepted_moves
from tests.support.conversing import begun, texts, told

LAST_STONE = "tests.support.games.last_stone:LastStone"


def asked(lesson: LessonSession) -> Asked:
    """Return what the person is asked for."""
    assert lesson.asked
    return lesson.asked.kind


def right_moves(lesson: LessonSession) -> list[str]:
    """Return the moves that this step accepts."""
    step = lesson.steps[lesson._at]
    return [step.game.move_name(step.state, move) for move in accepted_moves(step)]


def at_end(name: str) -> LessonSession:
    """Return a lesson whose steps are all skipped."""
    lesson = LessonSession(name)
    begun(lesson)
    while not lesson.is_over:
        told(lesson, "skip")
    return lesson


def at_step(name: str, number: int) -> LessonSession:
    """Return a lesson at the step with this number."""
    lesson = LessonSession(name, number)
    begun(lesson)
    return lesson


class TestChoice:
    def test_all_lessons_are_listed_and_enter_takes_the_one_that_was_begun(self) -> None:
        told(at_step("charge", 1), "charge 1")
        lesson = LessonSession()
        shown = begun(lesson)
        assert "4   Charge (up to step 1 of 6): " in "\n".join(texts(shown))
        assert lesson.asked
        assert lesson.asked.text == "Choose a lesson (1-5; Enter for Charge): "
        assert lesson.choices() == [*GAMES]
        said = texts(told(lesson, ""))
        assert said[0] == "Learn Charge"
        assert "You have done 1 step of 6 before. Type back to see the last one again." in said
        assert "charge 1" in lesson.choices()

    @pytest.mark.parametrize("answer", ["4", "charge", "CHARGE", "Charge"])
    def test_a_lesson_is_chosen_by_its_number_or_name(self, answer: str) -> None:
        lesson = LessonSession()
        begun(lesson)
        told(lesson, answer)
        assert lesson.name == "charge"

    def test_another_answer_is_refused(self) -> None:
        lesson = LessonSession()
        begun(lesson)
        for answer in ("0", "6", "chess", "save", "help", "next"):
            assert texts(told(lesson, answer), Kind.REFUSAL) == [
                "Type a number from 1 to 5, a name such as flag-chase, or quit."
            ]
        told(lesson, "q")
        assert lesson.ended

    def test_a_game_or_step_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(RefusedError, match="Unknown game 'chess'"):
            LessonSession("chess")
        with pytest.raises(RefusedError, match="--step needs a GAME"):
            LessonSession(step=1)
        lesson = LessonSession("charge", 7)
        begun(lesson)
        assert lesson.ended
        assert str(lesson.ended.problem) == "--step must be from 1 to 6 in the lesson of charge, not 7."


class TestSteps:
    @pytest.mark.parametrize("name", [*GAMES, "last-stone"])
    def test_a_lesson_is_passed_with_the_moves_that_its_steps_accept(
        self, name: str, use_games: Callable[[str], None]
    ) -> None:
        use_games(LAST_STONE)
        lesson = LessonSession(name)
        begun(lesson)
        for number, step in enumerate(lesson.steps, 1):
            assert lesson.exercise
            assert lesson.exercise.title == f"Step {number} of {len(lesson.steps)}: {step.title}"
            assert (lesson.exercise.task, lesson.exercise.state) == (step.task, step.state)
            shown = told(lesson, right_moves(lesson)[0])
            moved = [one for one in shown if isinstance(one, Moved)]
            assert len(moved) == 1 + len(step.then)
            assert moved[0].turn.before == step.state
            assert lesson.attempt
            assert moved[-1].turn.after == lesson.attempt.state
            assert texts(shown, Kind.RESULT)[0].startswith("Right! ")
            assert lesson.is_done
            assert load_lessons().lessons[name].step == number
            if number < len(lesson.steps):
                assert asked(lesson) is Asked.PAUSE
                told(lesson, "")
        assert lesson.is_over
        assert load_lessons().lessons[name].done
        assert asked(lesson) is Asked.NEXT

    def test_after_a_wrong_move_the_reply_is_shown_and_the_same_task_stands(self) -> None:
        lesson = at_step("charge", 3)
        shown = told(lesson, "charge 1")
        assert [one.turn.move for one in shown if isinstance(one, Moved)] == [0, 4]
        assert texts(shown, Kind.WARNING) == [
            "Not quite. That does not stop them. Your opponent replies charge 5 and wins."
        ]
        assert texts(shown, Kind.BOARD) == [lesson.narration.board(lesson.state)]
        assert lesson.attempt
        assert len(lesson.attempt.moves) == len(lesson.exercise.moves if lesson.exercise else ()) + 2
        assert not lesson.is_done
        assert asked(lesson) is Asked.MOVE
        assert load_lessons().lessons == {}
        told(lesson, Pressed("block"))
        assert lesson.is_done

    def test_a_wrong_input_changes_nothing(self) -> None:
        lesson = at_step("charge", 3)
        for text in ("charge 9", "", "save", "again", "rules full x"):
            assert len(texts(told(lesson, text), Kind.REFUSAL)) == 1
        assert lesson.attempt is None
        assert texts(told(lesson, "undo"), Kind.REFUSAL) == ["You have no answer to take back."]

    def test_answers_in_steps_are_taken_back(self) -> None:
        lesson = at_step("word-clash", 1)
        first = lesson.asked
        told(lesson, "A")
        assert lesson.asked != first
        assert texts(told(lesson, "undo"), Kind.ECHO) == ["Taken back."]
        assert lesson.asked == first

    def test_help_says_how_many_moves_are_right_and_then_names_one(self) -> None:
        lesson = at_step("charge", 3)
        more = "(Type hint again for such a move.)"
        hint = "You have 6 moves; 1 of them does what the task asks for."
        for expected in (Hinted(hint, more), Hinted("Try block.", ""), Hinted("Try block.", "")):
            assert expected in told(lesson, "hint")
        told(lesson, "back", "skip")
        assert Hinted(hint, more) in told(lesson, "hint"), "from the beginning"
        assert Hinted("Any move does what the task asks for.", more) in told(at_step("flag-chase", 1), "hint")

    def test_a_move_can_be_made_while_a_hint_is_looked_for(self) -> None:
        lesson = at_step("charge", 3)
        list(lesson.handle(Act("hint")))
        hinting = lesson.work
        assert hinting
        assert asked(lesson) is Asked.MOVE
        told(lesson, "block")
        assert lesson.is_done
        assert list(lesson.handle(Done(hinting, hinting.run()))) == [], "the hint comes too late"

    def test_the_next_question_is_asked_while_a_hint_is_looked_for(self) -> None:
        lesson = at_step("word-clash", 1)
        list(lesson.handle(Act("hint")))
        list(lesson.handle(Typed("A")))
        assert lesson.work
        assert lesson.asked
        assert lesson.asked.text.startswith("Place letter on")

    def test_work_that_is_stopped_leaves_the_step_as_it_is(self) -> None:
        lesson = at_step("charge", 3)
        list(lesson.handle(Pressed("block")))
        assert lesson.work
        assert lesson.asked is None
        shown = list(lesson.handle(Done(lesson.work, error=InterruptedWorkError())))
        assert texts(shown, Kind.WARNING) == ["Stopped."]
        assert not lesson.is_done
        told(lesson, "block")
        assert lesson.is_done

    def test_the_person_goes_back_and_forth_and_sees_a_step_again(self) -> None:
        lesson = at_step("charge", 2)

        def title() -> str:
            assert lesson.exercise
            return lesson.exercise.title[:6]

        for typed, step in (("back", 1), ("back", 1), ("next", 2), ("skip", 3), ("block", 3), ("back", 3)):
            told(lesson, typed)
            assert title() == f"Step {step}"
        assert not lesson.is_done
        told(lesson, "block", "x")
        assert title() == "Step 3"
        told(lesson, "next")
        assert title() == "Step 4"

    def test_pages_and_words_of_the_game_are_shown(self) -> None:
        lesson = at_step("charge", 1)
        for name in ("help", "rules", "rules full", "board", "moves"):
            assert Page(name) in told(lesson, name)
        assert texts(told(lesson, "hand")) == ["Player 1's Hand: Charge x5, Block x2, Steal x1"]
        assert "hand" in lesson.words()
        told(lesson, "charge 1")
        assert "hand" not in lesson.words()
        assert Page("rules") in told(lesson, Act("rules"))

    def test_progress_that_cannot_be_kept_is_told_once(self, data_folder: Path) -> None:
        data_folder.write_text("no folder")
        lesson = at_step("charge", 1)
        assert "Your progress is not kept." in texts(told(lesson, "charge 1"), Kind.WARNING)[0]
        assert texts(told(lesson, "back", "charge 1"), Kind.WARNING) == []


class TestEnd:
    def test_a_match_against_the_easiest_opponent_can_follow(self) -> None:
        for lesson in (at_end("charge"), at_step("charge", 2)):
            told(lesson, "play")
            assert lesson.ended
            assert lesson.ended.following
            match = lesson.ended.following.arguments
            assert (match.game, match.agents) == ("charge", ("human", "beginner"))

    def test_the_lesson_of_a_game_that_is_not_finished_follows(self) -> None:
        note_passed("crystal-capture", 6, 6)
        lesson = at_end("word-clash")
        assert lesson.words()["next"] == "the lesson of Charge"
        assert texts(told(lesson, "next"))[0] == "Learn Charge"
        assert not lesson.is_over
        for name in GAMES:
            note_passed(name, 9, 9)
        lesson = at_end("word-clash")
        assert "next" not in lesson.words()
        assert texts(told(lesson, Act("next")), Kind.REFUSAL)

    def test_it_can_be_taken_again_and_its_last_step_too(self) -> None:
        lesson = at_end("flag-chase")
        told(lesson, "again")
        assert lesson.exercise
        assert lesson.exercise.title.startswith("Step 1 of 5")
        lesson = at_end("flag-chase")
        told(lesson, "back")
        assert lesson.exercise
        assert lesson.exercise.title.startswith("Step 5 of 5")

    def test_enter_leaves_and_something_else_is_refused(self) -> None:
        lesson = at_end("flag-chase")
        assert texts(told(lesson, "what"), Kind.REFUSAL) == ["Type play, next, again, rules, or press Enter to leave."]
        assert load_lessons().lessons == {}, "nothing was done"
        told(lesson, "")
        assert lesson.ended
        assert not lesson.ended.is_interrupted
