"""A screen with a position in which a move is asked for: the board, the question, and a line to type in."""

from collections.abc import Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player
from duelbook.narration import AnyNarration, Turn
from duelbook.pictures.picture import history_of
from duelbook.terminal.commands import command_word
from duelbook.text_board import Position
from duelbook.tui.board import BoardView
from duelbook.tui.questions import MoveQuestions
from duelbook.tui.screens import DuelScreen, Page, plain, rules_page

MAX_TYPED_CHARACTERS = 200
LINE_END = "\n"
COMMANDS = ("help", "hint", "values", "undo", "moves", "resign", "rules", "next", "back", "skip", "answer", "play")


class PositionScreen(DuelScreen):
    """The board, what was said last, and the question for a move if there is one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "hint", "Hint"),
        Binding("f5", "moves", "Moves", show=False),
        Binding("f7", "rules", "Rules"),
        Binding("backspace", "take_back_answer", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.questions: MoveQuestions | None = None  # None while nobody is asked
        self.marks: Mapping[Move, str] = {}  # values of moves

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield BoardView()
            with Vertical(id="beside"):
                yield from self.beside()
        yield plain(name="value-line")
        yield plain(name="message")
        with Horizontal(id="asked"):
            yield plain(name="question")
            yield Input(
                id="typed",
                compact=True,
                select_on_focus=False,
                max_length=MAX_TYPED_CHARACTERS,
                placeholder="or Tab, and type a move or a word",
            )

    def beside(self) -> ComposeResult:
        """Return what stands beside the board in a wide window."""
        yield from ()

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

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

    # Answers

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        self.give_answer(event.answer)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Show what the move that is pointed at would do."""
        move = self.questions.move_after(event.answer) if self.questions and event.answer else None
        if move is None:
            self.show_message()
            return
        narration, state, moves = self.narration_and_state()
        preview = narration.preview(Turn(state, move, narration.game.play(state, move), moves))
        careful = "Careful. " if preview.warning else ""
        task = self.lasting_text()
        self.say("message", f"{task}{task and LINE_END}{careful}{preview.text} {preview.result}".rstrip())

    def lasting_text(self) -> str:
        """Return what stays in view while moves are pointed at."""
        return ""

    def show_message(self) -> None:
        """Show again what was said last."""

    def on_board_view_typed(self, event: BoardView.Typed) -> None:
        if self.questions:
            typed = self.query_one("#typed", Input)
            self.set_focus(typed)
            typed.insert_text_at_cursor(event.text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.value = ""
        self.set_focus(self.board)
        word = command_word(text, lambda: self.questions.choices if self.questions else ())
        narration, state, _ = self.narration_and_state()
        if word == "quit":
            self.leave()
        elif word == "rules full":
            self.app.push_screen(rules_page(narration.game, full=True))
        elif word == "save" or word.startswith("save "):
            self.save(text[len("save") :].strip().strip("\"'"))
        elif word in narration.commands():
            self.say("message", narration.commands()[word].answer(state))
        elif word in COMMANDS and hasattr(self, f"action_{word}"):
            getattr(self, f"action_{word}")()
        elif text:
            self.give_answer(text)

    def save(self, file: str) -> None:
        """Save the match as a record; only a match can be saved."""
        self.say("message", "Only a match can be saved.")

    def action_leave(self) -> None:
        typed = self.query_one("#typed", Input)
        if typed.has_focus:
            typed.value = ""
            self.board.focus()
        else:
            self.leave()

    def leave(self) -> None:
        """Go back to the screen before."""
        self.app.pop_screen()

    def give_answer(self, text: str) -> None:
        """Take an answer to the question. A wrong one is told, and changes nothing."""
        if self.questions is None:
            return
        try:
            move = self.questions.answer(text)
        except RefusedError as error:
            self.say("message", str(error))
            return
        if move is None:
            self.redraw()
        else:
            self.questions = None
            self.play_move(move)

    def action_take_back_answer(self) -> None:
        if self.questions and self.questions.take_back():
            self.redraw()

    def action_moves(self) -> None:
        narration, state, _ = self.narration_and_state()
        self.app.push_screen(Page(narration.legal(state)))

    def help_lines(self) -> list[str]:
        words = [word for word in COMMANDS if hasattr(self, f"action_{word}")]
        return [
            "On the board: the arrows and Enter, the mouse, or the digit or letter of a move.",
            "Tab or any other character goes to the line below the board. Type a move there, or one of:",
            f"  {', '.join((*words, *self.narration_and_state()[0].commands(), 'rules full', 'save FILE', 'quit'))}",
        ]

    def action_rules(self) -> None:
        self.app.push_screen(rules_page(self.narration_and_state()[0].game))
