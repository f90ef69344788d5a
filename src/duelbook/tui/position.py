"""A screen with a position in which a move is asked for: the board, the question, and a line to type in."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Input

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player
from duelbook.narration import AnyNarration, Turn
from duelbook.pictures.picture import history_of
from duelbook.play.commands import HELP, SAVE, read_command
from duelbook.play.typed_moves import MoveQuestions
from duelbook.study.hints import HintStep
from duelbook.text_board import Position
from duelbook.tui.board import BoardView
from duelbook.tui.dialogs import PageDialog, rules_page
from duelbook.tui.key_help import Sections
from duelbook.tui.screens import DuelScreen
from duelbook.tui.window import plain

MAX_TYPED_CHARACTERS = 200
HINTING = "Looking for a hint"
PLACEHOLDER = "(Tab to type)"
ESCAPE_NOTE = "Esc: back to the board."
ON_THE_BOARD = {
    "arrows, Enter": "go to a move and play it, as with the mouse",
    "digit, letter": "play the move that is this digit or letter; go to it if a part of the move is chosen already",
    "Tab, other text": "go to the line below the board, which takes moves and the words below",
}
WORDS = HELP | {
    "values": "the value of every move",
    "next": "the next step or puzzle",
    "skip": "the next step",
    "back": "the step before",
    "answer": "give up, and see the answer",
    "play": "play a match",
}


class PositionScreen(DuelScreen):
    """The board, what was said last, and the question for a move if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "hint", "Hint", tooltip="get a hint: first a nudge, then the move, then why"),
        Binding("f5", "moves", "Moves", show=False, tooltip="list the legal moves"),
        Binding("f7", "rules", "Rules", tooltip="read the rules"),
        Binding("backspace", "take_back_answer", show=False, tooltip="choose the part before again"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.questions: MoveQuestions | None = None  # None while nobody is asked
        self.marks: Mapping[Move, str] = {}  # values of moves
        self.exercise = ""  # what the person is to find, which stays in view
        self.said = ""  # what was said last

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield BoardView()
            if beside := list(self.beside()):
                yield Vertical(*beside, id="beside")
        yield plain(name="value-line")
        yield plain(name="message")
        with Horizontal(id="asked"):
            yield plain(name="question")
            yield Input(
                id="typed",
                compact=True,
                select_on_focus=False,
                max_length=MAX_TYPED_CHARACTERS,
                placeholder=PLACEHOLDER,
            )

    def beside(self) -> Iterable[Widget]:
        """Return what stands beside the board in a wide window."""
        return ()

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    @property
    def line(self) -> Input:
        """The line below the board."""
        return self.query_one("#typed", Input)

    # The position

    def show_position(
        self,
        game: AnyGame,
        state: Any,
        moves: tuple[Move, ...] | list[Move],
        near: Player,
        turn: Player | None,
        labels: tuple[str, str] | None = None,
    ) -> None:
        """Show a position that these moves led to, if they did, and the question.

        `labels` are the players' names with what belongs to them, by seat.
        """
        asked, seating = self.questions, self.narration_and_state()[0].seating
        names = (seating.name(0), seating.name(1))
        reached, history = history_of(game, moves)
        position = Position(
            game,
            state,
            names,
            history if reached == state else (),
            asked.answers if asked else (),
            asked.choices if asked else (),
            seating.seat(0),
        )
        marks = {}
        if asked and self.marks:
            marked = {name: self.marks[move] for name, move in asked.legal.items() if move in self.marks}
            begin = "".join(f"{answer} " for answer in asked.answers)
            marks = {name.removeprefix(begin): mark for name, mark in marked.items() if name.startswith(begin)}
        self.board.show(position, labels or names, near, turn, marks)
        self.say("question", asked.question if asked else "")
        self.query_one("#asked").display = asked is not None

    def redraw(self) -> None:
        """Show the position again."""
        raise NotImplementedError

    def play_move(self, move: Move) -> None:
        """Play a legal move that the person has chosen."""
        raise NotImplementedError

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        """Return the narration, the state in which the person is asked, and the moves before it."""
        raise NotImplementedError

    # What is said

    def show_message(self, now: str = "") -> None:
        """Show the task, and below it what is said now: by default what was said last, and how to answer in steps."""
        said = (now,) if now else (self.said, self._step_note())
        self.say("message", "\n".join(filter(None, (self.exercise, *said))))

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.show_message(text)

    def show_hint(self, step: HintStep) -> None:
        """Show a step of help, and the key that gives the next one."""
        self.said = f"{step.text} {step.note.replace('Type hint', 'Press F2')}".rstrip()
        self.show_message()

    def _step_note(self) -> str:
        """Return how to go on where the answer that is given does not complete the move."""
        return self.board.text_board().step_note() if self.questions and self.questions.answers else ""

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Show what the move that is pointed at would do."""
        move = self.questions.move_after(event.answer) if self.questions and event.answer else None
        if move is None:
            self.show_message()
            return
        narration, state, moves = self.narration_and_state()
        preview = narration.preview(Turn(state, move, narration.game.play(state, move), moves))
        careful = "Careful. " if preview.warning else ""
        self.show_message(f"{careful}{preview.text} {preview.result}".rstrip())

    # Answers

    def ask(self) -> None:
        """Ask for a move, from the first question on. Nothing is typed yet."""
        narration, state, _ = self.narration_and_state()
        self.questions = MoveQuestions(narration, state)
        self.line.clear()

    def on_board_view_piece_pressed(self, event: BoardView.PiecePressed) -> None:
        try:
            self.give_answer(event.answer)
        except RefusedError as error:
            self.show_message(f"{error} {self._step_note()}".rstrip())

    def give_answer(self, text: str) -> None:
        """Take an answer to the question. A wrong one changes nothing, and raises RefusedError."""
        if self.questions is None:
            return
        try:
            move = self.questions.answer(text, self.commands())
        except RefusedError as error:
            raise RefusedError(str(error)) from error
        if move is None:
            self.line.clear()
            self.redraw()
        else:
            self.questions = None
            self.play_move(move)

    def action_take_back_answer(self) -> None:
        if self.questions and self.questions.take_back():
            self.redraw()

    # The line below the board

    def on_board_view_text_typed(self, event: BoardView.TextTyped) -> None:
        if self.questions:
            self.set_focus(self.line)
            self.line.replace(event.text, *self.line.selection)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line, and go back to the board. A wrong line stays, to be corrected or typed over."""
        event.input.clear()
        self.set_focus(self.board)
        try:
            self._take_line(event.value.strip())
        except RefusedError as error:
            is_step = self.questions and self.questions.answers
            self.show_message(f"{error} {ESCAPE_NOTE if is_step else ''}".rstrip())
            event.input.value = event.value
            event.input.select_all()
            self.set_focus(event.input)

    def _take_line(self, text: str) -> None:
        commands = self.commands()
        found = read_command(text, commands, lambda: self.questions.choices if self.questions else ())
        if found is None:
            if text:
                self.give_answer(text)
            return
        name, file = found
        if name == SAVE:
            self.save(file)
        else:
            commands[name]()

    def commands(self) -> dict[str, Callable[[], None]]:
        """Return the words that can be typed, as in the line dialogue, and what they do."""
        narration, state, _ = self.narration_and_state()
        return {
            "help": self.action_help,
            "rules": self.action_rules,
            "rules full": lambda: self._show_page(rules_page(narration.game, full=True)),
            "board": lambda: self._show_page(PageDialog(narration.board(state))),
            "moves": self.action_moves,
            "hint": self.action_hint,
            "undo": self.action_undo,
            "quit": self.leave,
            **{name: partial(self._answer_command, name) for name in narration.commands()},
        }

    def _show_page(self, page: PageDialog) -> None:
        self.app.push_screen(page)

    def _answer_command(self, name: str) -> None:
        """Show what a command says that only this game has."""
        narration, state, _ = self.narration_and_state()
        self.show_message(narration.commands()[name].answer(state))

    def save(self, file: str) -> None:
        """Save the match as a record, where there is one, or raise RefusedError."""

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what only an answer that is given makes possible."""
        return action != "take_back_answer" or bool(self.questions and self.questions.answers)

    def action_hint(self) -> None:
        """Give a hint, or the next one."""
        raise NotImplementedError

    def action_undo(self) -> None:
        """Take back the last answer."""
        if self.questions and self.questions.take_back():
            self.redraw()
        else:
            self.show_message("You have no answer to take back.")

    def action_moves(self) -> None:
        narration, state, _ = self.narration_and_state()
        self._show_page(PageDialog(narration.legal(state)))

    def action_rules(self) -> None:
        self._show_page(rules_page(self.narration_and_state()[0].game))

    def action_leave(self) -> None:
        """Go back one step: from the line to the board, from an answer to the question before, or from the screen."""
        if self.line.has_focus:
            self.line.clear()
            self.board.focus()
            self.show_message()
        elif self.questions and self.questions.take_back():
            self.redraw()
        else:
            self.leave()

    def leave(self) -> None:
        """Go back to the screen before."""
        self.app.pop_screen()

    def more_help(self) -> Sections:
        if self.questions is None:  # nobody is asked, so nothing can be typed
            return {}
        own = {name: command.about for name, command in self.narration_and_state()[0].commands().items()}
        names = ("save FILE" if name == SAVE else name for name in self.commands())
        return {
            "Board": ON_THE_BOARD,
            "Words": {name: (WORDS | own)[name] for name in names},
        }
