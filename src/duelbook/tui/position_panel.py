"""The position of a conversation: the board, and beside it the moves so far and their values."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from duelbook.narration import Turn
from duelbook.pictures.picture import history_of
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text import sanitize
from duelbook.text_board import Position
from duelbook.tui.board import BoardView
from duelbook.tui.subject import OnBoard, Subject
from duelbook.tui.window import plain


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
        narration, questions = shown.narration, self.questions
        seating, answers = narration.seating, questions.answers if questions else ()
        reached, history = history_of(narration.game, shown.moves)
        position = Position(
            narration.game,
            shown.state,
            (seating.name(0), seating.name(1)),
            history if reached == shown.state else (),
            answers,
            questions.choices if questions else (),
            seating.seat(0),
        )
        marks = {}
        if questions:
            begin = "".join(f"{answer} " for answer in answers)
            marked = {name: shown.marks[move] for name, move in questions.legal.items() if move in shown.marks}
            marks = {name.removeprefix(begin): mark for name, mark in marked.items() if name.startswith(begin)}
        self.board.show(position, shown.labels, shown.near, shown.turn, marks)

    def step_note(self) -> str:
        """Return how to go on where the answer that is given does not complete the move."""
        return self.board.text_board().step_note() if self.questions and self.questions.answers else ""

    def preview(self, answer: str) -> str:
        """Return what the move would do that this answer completes, or an empty text if it completes none."""
        shown = self._subject.on_board()
        move = self.questions.move_after(answer) if self.questions and answer else None
        if shown is None or move is None:
            return ""
        narration, state = shown.narration, shown.state
        preview = narration.preview(Turn(state, move, narration.game.play(state, move), shown.moves))
        careful = "Careful. " if preview.warning else ""
        return f"{careful}{preview.text} {preview.result}".rstrip()
