"""One attempt at a puzzle: the help and the wrong moves so far, and what is said at the end. Nothing here prints."""

from datetime import UTC, date, datetime

from duelbook.game import Move
from duelbook.games import name_of, title
from duelbook.play.progress import HELPED, SHOWN, SOLVED, WRONG, load_puzzles, save_puzzles, share_text
from duelbook.solve import solved as solution_of
from duelbook.study.hints import HintStep
from duelbook.study.puzzle_kinds import Puzzle
from duelbook.study.puzzles import hint_steps, why_right, why_wrong
from duelbook.text import plural


def today() -> date:
    """Return the day of the puzzle of the day, which is the same everywhere."""
    return datetime.now(UTC).date()


class PuzzleAttempt:
    """A puzzle that somebody tries to solve. `day` is set for the puzzle of a day."""

    def __init__(self, puzzle: Puzzle, day: date | None) -> None:
        self.puzzle, self.day = puzzle, day
        self._steps_shown = 0
        self._first_try = True
        self._marks = ""

    def hint(self) -> HintStep:
        """Return the next step of help. A nudge does not name the move, so the first try is not over."""
        steps = hint_steps(self.puzzle)
        step = steps[min(self._steps_shown, len(steps) - 1)]
        if self._steps_shown < len(steps):
            self._marks += HELPED
        self._first_try = self._first_try and step.number == 0
        self._steps_shown += 1
        return step

    def why_wrong(self, move: Move) -> str:
        """Return why the move is wrong; an empty text if it is right."""
        if move in self.puzzle.right:
            return ""
        self._first_try = False
        self._marks += WRONG
        return f"{why_wrong(self.puzzle, move).text} Try again."

    def finish(self, move: Move, *, solved: bool) -> tuple[str, str]:
        """Count the puzzle. Return what the right move does and why, and the standing, or why it is not kept."""
        puzzle = self.puzzle
        self._marks += SOLVED if solved else SHOWN
        name = puzzle.game.move_name(puzzle.state, move)
        found = "Right" if solved else "The answer"
        own_moves = solution_of(puzzle.game).own_moves(puzzle.state, move) or 0
        does = f"wins in {plural(own_moves, 'move')}" if puzzle.wins() else "does not lose"
        progress = load_puzzles()
        late = self.day is not None and self.day != today()
        progress.count(solved and self._first_try, self.day, self._marks, late=late)
        standing = "\n".join(filter(None, (progress.text(), save_puzzles(progress))))
        return f"{found}: {name} {does}. {why_right(puzzle, move).text}".rstrip(), standing

    def share_text(self) -> str:
        """Return the result of the puzzle of a day as text to share, after it is finished."""
        assert self.day
        marks = load_puzzles().days.get(str(self.day)) or self._marks
        return share_text(self.day, title(name_of(self.puzzle.game)), self.puzzle.level, marks)
