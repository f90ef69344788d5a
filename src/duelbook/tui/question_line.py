"""The line below the board: what is asked, and a field in which moves and commands can be typed."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from duelbook.text import sanitize
from duelbook.tui.window import plain

MAX_TYPED_CHARACTERS = 200
PLACEHOLDER = "(Tab to type)"


class QuestionLine(Horizontal):
    """A question with a field for the answer. It is hidden while nothing is asked."""

    def __init__(self) -> None:
        super().__init__(id="asked")

    def compose(self) -> ComposeResult:
        yield plain(name="question")
        yield Input(
            id="typed",
            compact=True,
            select_on_focus=False,
            max_length=MAX_TYPED_CHARACTERS,
            placeholder=PLACEHOLDER,
        )

    @property
    def field(self) -> Input:
        """The field."""
        return self.query_one(Input)

    @property
    def has_keys(self) -> bool:
        """True while the keys go to the field."""
        return self.field.has_focus

    def ask(self, question: str) -> None:
        """Show the question; an empty text hides the line."""
        self.display = bool(question)
        self.query_one("#question", Static).update(sanitize(question))

    def type(self, text: str) -> None:
        """Go to the field, and write the text where its cursor is."""
        self.screen.set_focus(self.field)
        self.field.replace(text, *self.field.selection)

    def clear(self) -> None:
        """Forget what is typed."""
        self.field.clear()

    def correct(self, text: str) -> None:
        """Go to the field with a text that was refused, to be corrected or typed over."""
        self.field.value = text
        self.field.select_all()
        self.screen.set_focus(self.field)
