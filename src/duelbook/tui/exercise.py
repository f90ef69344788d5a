"""An exercise on the full screen: the task, what an attempt leads to, and the way back to the task."""

from duelbook.play.events import Kind, Moved, Shown
from duelbook.play.exercise import Attempt, ExerciseSession
from duelbook.tui.subject import OnBoard, Subject


class ExerciseSubject(Subject):
    """Lessons and puzzles. After a wrong move the board shows what follows it, until the person goes back."""

    said = (Kind.TEXT, Kind.NOTE, Kind.WARNING, Kind.RESULT)
    conversation: ExerciseSession

    def __init__(self) -> None:
        self._is_attempt_shown = False

    @property
    def _attempt(self) -> Attempt | None:
        return self.conversation.attempt if self._is_attempt_shown else None

    def on_board(self) -> OnBoard | None:
        """Return the position of the exercise, or the one that an attempt has led to."""
        exercise = self.conversation.exercise
        if exercise is None:
            return None
        seating = exercise.narration.seating
        state, moves = self._attempt or (exercise.state, exercise.moves)
        turn = exercise.mover if self.is_asked() else None
        labels = (seating.name(0), seating.name(1))
        return OnBoard(exercise.narration, state, moves, exercise.mover, turn, labels)

    def is_asked(self) -> bool:
        """Return True if the board takes answers."""
        return super().is_asked() and self._attempt is None

    def take(self, shown: Shown) -> str:
        """Note what the conversation shows, and return what is said about it below the board."""
        if isinstance(shown, Moved):
            self._is_attempt_shown = True
        return super().take(shown)

    def task(self) -> str:
        """Return what the person is to find, until it is found or shown."""
        exercise = self.conversation.exercise
        return exercise.task if exercise and not self.conversation.is_done else ""

    def go_on_note(self) -> str:
        """Return how to go back to the task after a wrong move."""
        is_wrong = self._attempt and not self.conversation.is_done
        return "Press Enter to go back, or type another move." if is_wrong else ""

    def return_to_task(self) -> bool:
        """Show the task again after a wrong move. Return False if it is shown."""
        if not self.go_on_note():
            return False
        self._is_attempt_shown = False
        return True
