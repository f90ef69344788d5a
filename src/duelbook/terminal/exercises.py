"""Lessons and puzzles in the terminal."""

from duelbook.play.lesson import LessonSession
from duelbook.play.puzzle import PuzzleSession
from duelbook.play.puzzle_request import PuzzleRequest
from duelbook.terminal.dialogue import Dialogue, exit_code
from duelbook.terminal.screen import Screen


def learn(game: str | None, step: int | None, screen: Screen) -> int:
    """Give the lesson of a game, or of the one that the person chooses. Return the exit code."""
    ended = Dialogue(LessonSession(game, step), screen).run()
    if ended.problem:
        raise ended.problem
    if ended.following:
        from duelbook.terminal.start import play  # a match, which a lesson does not need

        return play(ended.following.arguments, screen)
    return exit_code(ended, is_finished=True)


def pose(request: PuzzleRequest, screen: Screen) -> int:
    """Pose the puzzle and others after it. Return the exit code."""
    ended = Dialogue(PuzzleSession(request), screen).run()
    if ended.problem:
        raise ended.problem
    return exit_code(ended, is_finished=True)
