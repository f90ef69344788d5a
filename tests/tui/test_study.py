"""Lessons, puzzles and reviews on the full screen."""

from collections.abc import Callable

from duelbook.games import make
from duelbook.records.record import HUMAN, Note
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import accepted_moves
from duelbook.terminal.lesson_progress import load_lessons
from duelbook.terminal.puzzle import TODAY, Request, read_request
from duelbook.terminal.puzzle_progress import load_progress
from duelbook.tui.learn import LessonScreen, LessonsScreen
from duelbook.tui.match import MatchScreen
from duelbook.tui.puzzle import PuzzleScreen, PuzzlesScreen
from duelbook.tui.review import ReviewScreen
from tests.support.full_screen import Person, at_screen


def test_a_lesson_is_done_step_by_step_and_leads_to_a_match() -> None:
    lesson, _ = usable_lesson(make("charge"))

    async def learn(person: Person) -> None:
        person.app.push_screen(LessonsScreen())
        await person.settle()
        person.app.push_screen(LessonScreen("charge"))
        await person.settle()
        for number, step in enumerate(lesson.steps, 1):
            assert f"step {number} of {len(lesson.steps)}" in person.text("title")
            right = {step.game.move_name(step.state, move) for move in accepted_moves(step)}
            wrong = [name for name in person.choices() if name not in right]
            if wrong and number < 3:
                await person.click(wrong[0])
                assert person.text("message").startswith("Not quite.")
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
        assert "step 5" in person.text("title")
        await person.press("f8")
        assert "step 6" in person.text("title")
        await person.click(next(name for name in person.choices() if name in right))
        await person.press("enter")
        assert isinstance(person.screen, MatchScreen)
        assert [one.agent for one in person.screen.live.setup.people] == [HUMAN, "beginner"]
        await person.press("escape")
        assert "Charge (finished)" in person.shown()

    at_screen(learn)


def test_a_game_from_outside_has_a_lesson_and_puzzles(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.last_stone:LastStone")

    async def learn(person: Person) -> None:
        person.app.push_screen(LessonScreen("last-stone"))
        await person.settle()
        assert person.choices()
        person.app.push_screen(PuzzleScreen(Request("last-stone", 1)))
        await person.settle()
        await person.press("f6", "y")
        assert person.text("message").startswith("The answer: ")

    at_screen(learn)


def test_a_puzzle_is_tried_helped_solved_and_followed_by_another() -> None:
    async def solve(person: Person) -> None:
        person.app.push_screen(PuzzlesScreen())
        await person.settle()
        person.screen.query_one("#game").value = "crystal-capture"
        await person.settle()
        assert person.text("message").startswith("It has: ")
        person.app.push_screen(PuzzleScreen(Request("crystal-capture", 1)))
        await person.settle()
        screen = person.screen
        puzzle = screen._puzzle
        right = puzzle.game.move_name(puzzle.state, puzzle.answer)
        await person.click(next(name for name in person.choices() if name != right))
        assert "does not win" in person.text("message")
        await person.press("f2")
        assert "(Press F2 again" in person.text("message")
        await person.click(right)
        assert person.text("message").startswith(f"Right: {right} wins in ")
        assert load_progress().tried == 1
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
        assert load_progress().tried == 2

    at_screen(solve)


def test_the_puzzle_of_the_day_counts_once_and_its_result_is_kept() -> None:
    async def solve(person: Person) -> None:
        for _ in range(2):
            person.app.push_screen(PuzzleScreen(read_request(None, None, None, None, TODAY)))
            await person.settle()
            puzzle = person.screen._puzzle
            await person.type(puzzle.game.move_name(puzzle.state, puzzle.answer))
            assert "\nDuelbook puzzle of " in person.text("message")
            assert "Press Enter for another puzzle." in person.shown()
            await person.press("escape")
        assert load_progress().tried == 1
        assert "Puzzle of the day  \U0001f7e9" in person.shown()
        await person.settle()

    at_screen(solve)


def test_a_puzzle_that_does_not_exist_is_told() -> None:
    async def ask(person: Person) -> None:
        person.app.push_screen(PuzzlesScreen())
        await person.settle()
        person.app.push_screen(PuzzleScreen(Request("flag-chase", 1, level=5)))
        await person.settle()
        assert isinstance(person.screen, PuzzlesScreen)
        await person.notified("level")

    at_screen(ask)


def test_a_review_is_stepped_through_with_its_verdicts_and_its_line() -> None:
    async def review(person: Person) -> None:
        screen = await person.start("crystal-capture")
        for name in ("1", "2", "9", "8", "3"):
            await person.type(name)
        screen.live.match.add_note(Note(0, -0.5, 3))  # as a program would say about its move
        person.app.push_screen(ReviewScreen(screen.live.record()))
        await person.settle()
        assert "The game is unfinished after 5 moves." in person.text("comment")
        assert person.text("chart").count("■") == 6
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
        moves = person.screen.query_one("#judged")
        assert any("✓" in str(moves.get_option_at_index(number).prompt) for number in range(1, 6))
        moves.focus()
        await person.press("down", "down")
        assert person.screen.at == 2

    at_screen(review, (120, 40))
