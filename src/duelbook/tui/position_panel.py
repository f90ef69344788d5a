"""The position of a conversation: the board, and beside it the moves so far and their values."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from duelbook.board import Position, history_of
from duelbook.narration import Turn
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text import sanitize
from duelbook.tui.board import BoardView
from duelbook.tui.subject import OnBoard, Subject
from duelbook.tui.window import plain

STEP_NOTE = (
    "A letter or a digit goes to that part of the move, and Enter takes it. Backspace: choose the first part again."
)


class PositionPanel(Vertical):
    """The board with what stands beside it. It shows a subject as it is when it is told to."""

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self._subject = subject

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield BoardView()
            if self._subject.lists_moves:
                with Vertical(id="beside"):
                    yield plain("Moves", classes="heading")
                    yield VerticalScroll(plain(name="move-list"), id="moves", can_focus=False)
                    yield plain(name="value-text")
        yield plain(name="value-line")

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    @property
    def questions(self) -> MoveQuestions | None:
        """The questions that the board answers, or None while it takes no answers."""
        return self._subject.conversation.questions if self._subject.is_asked() else None

    def show(self) -> None:
        """Show everything as it is now."""
        subject, colours = self._subject, self.app.theme_variables
        if shown := subject.on_board():
            self._show_position(shown)
        if subject.lists_moves:
            self.query_one("#move-list", Static).update(sanitize(subject.move_list()))
            self.query_one("#moves", VerticalScroll).scroll_end(animate=False)
            self.query_one("#value-text", Static).update(sanitize(subject.value_text()))
        line = subject.value_line((colours["first"], colours["second"]))
        self.query_one("#value-line", Static).update(line or "")
        self.query_one("#value-line").display = line is not None

    def _show_position(self, shown: OnBoard) -> None:
        narration, seating, questions = shown.narration, shown.narration.seating, self.questions
        reached, history = history_of(narration.game, shown.moves)
        known = history if reached == shown.state else ()
        position = Position(narration.game, shown.state, known, player_1=seating.seat(0))
        legal = questions.legal if questions else {}
        marks = {name: shown.marks[move] for name, move in legal.items() if move in shown.marks}
        names = seating.name(0), seating.name(1)
        self.board.show(position, names, shown.labels, shown.near, shown.turn, questions, marks)

    def step_note(self) -> str:
        """Return how to go on where the answer that is given does not complete the move."""
        return STEP_NOTE if self.questions and self.questions.answers else ""

    def preview(self, move: str) -> str:
        """Return what this move would do, or an empty text if there is none."""
        shown = self._subject.on_board()
        if shown is None or self.questions is None or move not in self.questions.legal:
            return ""
        narration, state, number = shown.narration, shown.state, self.questions.legal[move]
        preview = narration.preview(Turn(state, number, narration.game.play(state, number), shown.moves))
        careful = "Careful. " if preview.warning else ""
        return f"{careful}{preview.text} {preview.result}".rstrip()
