"""Puzzles in the terminal, and the page of those that there are."""

from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.play.puzzle import PuzzleSession
from duelbook.play.puzzle_request import PuzzleRequest
from duelbook.study.puzzle_bank import levels_text, puzzle_levels
from duelbook.terminal.dialogue import Dialogue, exit_code
from duelbook.terminal.screen import Screen


def pose(request: PuzzleRequest, screen: Screen) -> int:
    """Pose the puzzle and others after it. Return the exit code."""
    ended = Dialogue(PuzzleSession(request), screen).run()
    if ended.problem:
        raise ended.problem
    return exit_code(ended, is_finished=True)


def levels_page(game: str | None, screen: Screen) -> None:
    """Show the kinds and levels of puzzles that a game has, or all games."""
    names = [game] if game else list(GAMES)
    width = max(map(len, names))
    for name in names:
        try:
            with screen.busy(f"Looking for puzzles of {name}"):
                known = levels_text(puzzle_levels(name)) or "none"
        except RefusedError as error:
            if game:
                raise
            known = f"none. {error}"
        screen.say(f"{name.ljust(width)}  {known}")
