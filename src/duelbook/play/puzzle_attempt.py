"""One attempt at a puzzle: what is right and wrong in it, the help and the wrong moves so far, and the result."""

from datetime import UTC, date, datetime

from duelbook.game import Move
from duelbook.games import name_of, title
from duelbook.play.progress import HELPED, SHOWN, SOLVED, WRONG, load_puzzles, save_puzzles, share_text
from duelbook.solve import solved as solution_of
from duelbook.study.hints import HintStep
from duelbook.study.puzzle_kinds import Puzzle
from duelbook.study.puzzles import hint_steps, refutation, why_right, why_wrong
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

    # What is found by exact values, which may take a while

    def next_hint(self) -> HintStep:
        """Return the next step of help. The last one is repeated."""
        steps = hint_steps(self.puzzle)
        return steps[min(self._steps_shown, len(steps) - 1)]

    def why_wrong(self, move: Move) -> str:
        """Return why the move is wrong; an empty text if it is right."""
        if move in self.puzzle.right:
            return ""
        return f"{why_wrong(self.puzzle, move).text} Try again."

    def reply(self, wrong: Move) -> list[str]:
        """Return the name of the opponent's best reply to a wrong move; nothing if the opponent is not to move."""
        game, state = self.puzzle.game, self.puzzle.state
        after = game.play(state, wrong)
        return refutation(self.puzzle, wrong)[:1] if game.mover(after) != game.mover(state) else []

    def why_right(self, move: Move, *, solved: bool) -> str:
        """Return what the right move does and why. If it is not `solved`, it is the answer that is shown."""
        puzzle = self.puzzle
        name = puzzle.game.move_name(puzzle.state, move)
        found = "Right" if solved else "The answer"
        own_moves = solution_of(puzzle.game).own_moves(puzzle.state, move) or 0
        does = f"wins in {plural(own_moves, 'move')}" if puzzle.wins() else "does not lose"
        return f"{found}: {name} {does}. {why_right(puzzle, move).text}".rstrip()

    # What is counted

    def note_hint(self, step: HintStep) -> None:
        """Note a step of help. A nudge does not name the move, so the first try is not over."""
        self._steps_shown += 1
        if self._steps_shown == step.number + 1:
            self._marks += HELPED
        self._first_try = self._first_try and step.number == 0

    def note_wrong(self) -> None:
        """Note a wrong move."""
        self._first_try = False
        self._marks += WRONG

    def finish(self, *, solved: bool) -> str:
        """Count the puzzle. Return the standing, and why it is not kept, if so."""
        self._marks += SOLVED if solved else SHOWN
        progress = load_puzzles()
        late = self.day is not None and self.day != today()
        progress.count(solved and self._first_try, self.day, self._marks, late=late)
        return "\n".join(filter(None, (progress.text(), save_puzzles(progress))))

    def share_text(self) -> str:
        """Return the result of the puzzle of a day as text to share, after it is finished."""
        assert self.day
        marks = load_puzzles().days.get(str(self.day)) or self._marks
        return share_text(self.day, title(name_of(self.puzzle.game)), self.puzzle.level, marks)
