"""Lessons, puzzles and reviews on the full screen."""

import threading
from dataclasses import replace
from datetime import date

import pytest

from duelbook.games import make
from duelbook.match import Match
from duelbook.play.game_review import GameReview, review_record
from duelbook.play.progress import load_lessons, load_puzzles
from duelbook.play.puzzle_request import TODAY, PuzzleRequest, read_request
from duelbook.records import record as records
from duelbook.records.record import HUMAN, Note, Record
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import accepted_moves
from duelbook.study.puzzle_kinds import PuzzleKind
from duelbook.tui.learn import LessonsScreen, LessonSubject
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.puzzle import PuzzlesScreen, PuzzleSubject
from duelbook.tui.review import ReviewScreen
from tests.support.full_screen import WAIT_SECONDS, Person, at_screen


def test_a_lesson_is_done_step_by_step_and_leads_to_a_match() -> None:
    lesson, _ = usable_lesson(make("charge"))

    async def learn(person: Person) -> None:
        person.app.push_screen(LessonsScreen())
        await person.settle()
        person.app.push_screen(PlayScreen(LessonSubject("charge")))
        await person.settle()
        for number, step in enumerate(lesson.steps, 1):
            if 2 < number < len(lesson.steps):
                await person.press("f8")
                continue
            assert f"step {number} of {len(lesson.steps)}" in person.text("title")
            right = {step.game.move_name(step.state, move) for move in accepted_moves(step)}
            wrong = [name for name in person.choices() if name not in right]
            if wrong and number < len(lesson.steps):
                await person.click(wrong[0])
                assert "\nNot quite." in person.text("message")
                assert person.choices() == [], "the board shows what the move leads to"
                await person.press("enter")
            if number == 1:
                await person.press("f2", "f2")
                assert "Try " in person.text("message")
            await person.click(next(name for name in person.choices() if name in right))
            assert person.text("message").startswith("Right!")
            if number < len(lesson.steps):
                await person.press("enter")
                assert person.text("message") == lesson.steps[number].task
                await person.press("right")  # what a move would do stands below the task
                assert person.text("message").startswith(f"{lesson.steps[number].task}\n")
        assert load_lessons().lessons["charge"].done
        await person.press("f4")
        assert "step 6" in person.text("title")
        assert person.choices(), "this step again"
        await person.press("f4")
        assert "step 5" in person.text("title")
        await person.press("f8", "f8")
        assert person.buttons() == ["Play", "Next", "Again"]
        await person.press("enter")
        assert isinstance(person.screen, PlayScreen)
        assert [one.agent for one in person.table.setup.people] == [HUMAN, "beginner"]
        await person.press("escape")
        assert "Charge (finished)" in person.shown()

    at_screen(learn)


def test_after_the_last_step_of_a_lesson_a_match_is_offered_also_if_the_step_is_skipped() -> None:
    async def learn(person: Person) -> None:
        person.app.push_screen(PlayScreen(LessonSubject("flag-chase")))
        await person.settle()
        steps = len(usable_lesson(make("flag-chase"))[0].steps)
        await person.press(*["f8"] * (steps - 1))
        assert person.choices()
        await person.press("f8")
        assert person.text("message") == "You can play Flag Chase now."
        await person.press("right")
        assert person.screen.focused.name == "next"
        await person.press("left")
        assert person.choices() == []
        assert "flag-chase" not in load_lessons().lessons, "nothing was done"
        await person.press("f4")
        assert f"step {steps} of" in person.text("title")
        await person.type("skip")
        await person.press("enter")
        assert isinstance(person.screen, PlayScreen)

    at_screen(learn)


def test_a_hint_in_a_lesson_is_there_after_a_wrong_move_and_not_after_the_right_one() -> None:
    async def learn(person: Person) -> None:
        person.app.push_screen(PlayScreen(LessonSubject("crystal-capture")))
        await person.settle()
        await person.press("5", "enter")
        task = person.text("message")
        await person.press("2")
        assert person.text("message").startswith(f"{task}\nNot quite.")
        await person.press("f2")
        assert person.text("message").startswith(task)
        assert "(Press F2 again for such a move.)" in person.text("message")
        await person.press("2", "f2")
        assert "Try " in person.text("message"), "the next hint"
        await person.press("2", "8")
        assert person.text("message").startswith("Right!"), "another move can be typed at once"
        assert "F2 Hint" not in person.shown()
        await person.press("4")  # nothing is played before the next step
        assert "step 2" in person.text("title")
        await person.press("enter")
        assert "step 3" in person.text("title")
        assert "F2 Hint" in person.shown()

    at_screen(learn)


def test_a_puzzle_is_tried_helped_solved_and_followed_by_another() -> None:
    async def solve(person: Person) -> None:
        person.app.push_screen(PuzzlesScreen())
        await person.settle()
        person.screen.query_one("#game").value = "crystal-capture"
        await person.settle()
        person.app.push_screen(PlayScreen(PuzzleSubject(PuzzleRequest("crystal-capture", 1))))
        await person.settle()
        screen = person.screen
        puzzle = screen.conversation.puzzle
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        await person.click(next(name for name in person.choices() if name != right))
        assert "does not win" in person.text("message")
        assert person.choices() == [], "the board shows the reply"
        await person.press("f2")
        assert "(Press F2 again" in person.text("message")
        await person.click(right)
        assert person.text("message").startswith(f"Right: {right} wins in ")
        assert load_puzzles().tried == 1
        assert person.choices() == []
        await person.press("greater_than_sign")
        assert f"level {puzzle.level + 1} of 5" in person.text("title")
        await person.press("f8")
        await person.press("f6", "n")
        assert person.choices()
        await person.press("f6", "y")
        assert person.text("message").startswith("The answer: ")
        await person.press("enter")
        assert person.choices(), "the next puzzle"
        assert load_puzzles().tried == 2

    at_screen(solve)


@pytest.mark.parametrize(
    ("wanted", "command"),
    [
        (
            PuzzleRequest("crystal-capture", 123456, 3, PuzzleKind.TRAP),
            "crystal-capture --level 3 --kind trap --seed 123456",
        ),
        (PuzzleRequest(day=date(2026, 11, 17)), "--day 2026-11-17"),
    ],
)
def test_a_puzzle_names_its_seed_and_the_command_to_see_it_again(wanted: PuzzleRequest, command: str) -> None:
    def words(text: str) -> str:
        return " ".join(text.replace("│", " ").split())

    async def solve(person: Person) -> None:
        person.app.push_screen(PlayScreen(PuzzleSubject(wanted)))
        await person.settle()
        assert f"(To see it again: duelbook puzzle {command})" in words(person.shown())
        await person.press("f2")
        assert command.split()[-1] in person.text("title"), "its seed or its day, all the time"
        await person.press("f1")
        assert f"to see it again duelbook puzzle {command}" in words(person.shown())
        await person.press("escape", "f6", "y")
        await person.press("f1")
        assert f"to see it again duelbook puzzle {command}" in words(person.shown())

    at_screen(solve, (60, 20))


def test_the_task_stays_in_view_after_a_wrong_input() -> None:
    async def answer(person: Person) -> None:
        person.app.push_screen(PlayScreen(LessonSubject("flag-chase")))
        await person.settle()
        task = person.text("message").splitlines()[0]
        await person.type("31")
        assert person.text("message").startswith(f"{task}\n'31' is not legal here.")
        person.app.push_screen(PlayScreen(PuzzleSubject(PuzzleRequest("crystal-capture", 1))))
        await person.settle()
        task = person.text("message").splitlines()[0]
        assert task.startswith("One move wins for ")
        await person.type("99")
        assert person.text("message").startswith(f"{task}\n")
        puzzle = person.screen.conversation.puzzle
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        await person.click(next(name for name in person.choices() if name != right))
        assert person.text("message").startswith(f"{task}\n")
        await person.press("f2")
        assert person.text("message").startswith(f"{task}\n")

    at_screen(answer)


def test_the_result_of_the_puzzle_of_the_day_is_shown_and_stays_on_the_first_screen() -> None:
    async def play(person: Person) -> None:
        person.app.push_screen(PlayScreen(PuzzleSubject(read_request(None, None, None, None, TODAY))))
        await person.settle()
        puzzle = person.screen.conversation.puzzle
        await person.type(puzzle.game.move_name(puzzle.state, puzzle.answer))
        assert "\nDuelbook puzzle of " in person.text("message")
        assert person.buttons()[0] == "Next"
        await person.press("escape")
        assert "Puzzle of the day  \U0001f7e9" in person.shown()
        await person.settle()

    at_screen(play)


def test_puzzles_that_a_game_has_are_offered_and_others_refused() -> None:
    async def play(person: Person) -> None:
        # The form of puzzles offers what the game has.
        person.app.push_screen(PuzzlesScreen())
        await person.settle()
        game, kind, level = (person.screen.query_one(f"#{name}") for name in ("game", "kind", "level"))
        kind.value, level.value = "trap", "5"
        game.value = "flag-chase"
        await person.settle()
        assert [value for _, value in kind._options] == ["win"]
        assert [value for _, value in level._options] == ["any", "1"]
        game.value = "any"
        await person.settle()
        assert len(kind._options) == 3
        assert len(level._options) == 6

        # A puzzle that does not exist is told.
        person.app.push_screen(PuzzlesScreen())
        await person.settle()
        person.app.push_screen(PlayScreen(PuzzleSubject(PuzzleRequest("flag-chase", 1, level=5))))
        await person.settle()
        assert isinstance(person.screen, PuzzlesScreen)
        await person.notified("level")

    at_screen(play)


def recorded(game: str, *moves: str, notes: tuple[Note, ...] = ()) -> Record:
    """Return a game of two people that is not over."""
    match = Match(make(game))
    for name in moves:
        match.play(name)
    return replace(match.record((records.Person("Ann"), records.Person("Ben")), 0), notes=notes)


def test_a_review_is_stepped_through_with_its_verdicts_and_its_line() -> None:
    async def review(person: Person) -> None:
        note = Note(5, -0.5, 3)  # as a program would say about its move
        person.app.push_screen(ReviewScreen(recorded("crystal-capture", "1", "2", "9", "8", "3", notes=(note,))))
        await person.settle()
        assert "The game is unfinished after 5 moves." in person.text("comment")
        assert person.text("chart").count("■") == 5
        assert person.text("chart").count("◉") == 1, "this position"
        await person.press("n")
        first = person.screen.at
        assert "best was" in person.text("comment")
        assert first > 0
        await person.press("end")
        assert "position 5 of 5" in person.text("title")
        assert "The program expects -0.50 at depth 3." in person.text("comment")
        await person.press("left", "left")
        assert person.screen.at == 3
        await person.press("p")
        assert person.screen.at < 3
        await person.press("home", "left")
        assert person.screen.at == 0
        await person.press("end", "n")
        assert person.text("comment").startswith("There is no mistake after this position. Move 5: ")
        await person.press("home")
        assert "✓ best" in person.text("signs")
        assert "only moves that could change the result" in person.text("comment")
        moves = person.screen.query_one("#judged")
        assert any("✓" in str(moves.get_option_at_index(number).prompt) for number in range(1, 6))
        moves.focus()
        await person.press("down", "down")
        assert person.screen.at == 2

    at_screen(review, (120, 40))


def test_the_way_to_a_mistake_is_gone_as_soon_as_the_review_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()

    def late_review(record: Record) -> GameReview:
        assert asked.wait(WAIT_SECONDS)
        return review_record(record)

    monkeypatch.setattr("duelbook.tui.review.review_record", late_review)

    async def review(person: Person) -> None:
        person.app.push_screen(ReviewScreen(recorded("crystal-capture", "5", "3", "8", "1", "2")))
        await person.pilot.pause()
        await person.pilot.press("n", "n")
        assert person.screen.at == 0
        assert person.text("comment").startswith("The review")
        asked.set()
        await person.settle()
        assert person.screen.at == 2
        assert "Move 2: " in person.text("comment")

    at_screen(review)


def test_a_long_comment_of_a_review_can_be_read_in_the_smallest_window() -> None:
    async def review(person: Person) -> None:
        moves = ("charge 2", "charge 5", "charge 5", "charge 2", "charge 1")
        person.app.push_screen(ReviewScreen(recorded("charge", *moves)))
        await person.settle()
        await person.press("n")
        first, last = person.text("comment").split()[:2], person.text("comment").split()[-2:]
        assert " ".join(first) in person.shown()
        assert " ".join(last) not in person.shown()
        assert "PgDn More" in person.shown()
        assert "Esc Back" in person.shown(), "the keys fit in the footer"
        await person.press("pagedown", "pagedown")
        assert " ".join(last) in person.shown()
        await person.press("pageup", "pageup")
        assert " ".join(first) in person.shown()
        await person.press("pagedown", "left")
        assert " ".join(person.text("comment").split()[:2]) in person.shown(), "another comment begins at its beginning"

    at_screen(review, (60, 20))
