"""What is asked at a board: the line to type in, a question to answer with yes or no, and what can come next."""

import time
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from duelbook.play.conversation import Conversation
from duelbook.play.events import Asked, Event, Typed
from duelbook.text import sanitize
from duelbook.tui.dialogs import Confirmation
from duelbook.tui.subject import MatchEnding
from duelbook.tui.window import plain

CONFIRMED = (Asked.CONFIRM, Asked.OFFER)
MAX_TYPED_CHARACTERS = 200


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
            placeholder="(Tab to type)",
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


class OpenQuestion:
    """A question that is answered by yes or no. The dialog stands as long as the question is open."""

    def __init__(self, screen: Screen[None], conversation: Conversation, send: Callable[[Event], None]) -> None:
        self._screen, self._conversation, self._send = screen, conversation, send
        self._dialog: Confirmation | None = None

    def update(self) -> None:
        """Open the dialog if there is such a question, and close it if the question is gone."""
        asked = self._conversation.asked
        question = asked if asked and asked.kind in CONFIRMED else None
        if self._dialog and (question is None or question.text != self._dialog.question):
            if self._screen.app.screen is self._dialog:
                self._dialog.dismiss(None)
            self._dialog = None
        if question is None or self._dialog:
            return

        def answered(yes: bool | None) -> None:
            if yes is not None and self._conversation.asked == question:
                self._dialog = None
                self._send(Typed("y" if yes else "n"))

        self._dialog = Confirmation(question.text)
        self._screen.app.push_screen(self._dialog, answered)

    def confirm(self, text: str, then: Callable[[], None]) -> None:
        """Ask whether the person really wants something, and do it then."""
        self._screen.app.push_screen(Confirmation(text), lambda yes: then() if yes else None)


class EndingPanel(Vertical):
    """The panel, which takes the place of the question. The arrow keys go from button to button.

    A key that was meant for the match, just before it ended, chooses nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]
    settle_seconds: ClassVar[float] = 0.7

    class Chosen(Message):
        """The person has chosen what to do next."""

        def __init__(self, answer: str) -> None:
            self.answer = answer
            super().__init__()

    def __init__(self) -> None:
        super().__init__(id="ending")
        self._offers: Mapping[str, str] = {}
        self._shown_at = 0.0

    def compose(self) -> ComposeResult:
        yield plain(name="result")
        yield plain(name="decision")
        yield Horizontal(classes="buttons")

    def on_mount(self) -> None:
        self.display = False

    def show(self, ending: MatchEnding | None, offers: Mapping[str, str]) -> None:
        """Show how the match has ended, if there is one, and a button for each answer that is offered."""
        self.display = bool(ending or offers)
        text, decision, is_lost = ending or MatchEnding("", "", False)
        for name, shown in (("result", text), ("decision", decision)):
            widget = self.query_one(f"#{name}", Static)
            widget.update(sanitize(shown))
            widget.display = bool(shown)
        self.query_one("#result").set_class(is_lost, "-lost")
        if offers != self._offers:
            self._offers = offers
            self._show_buttons()

    def _show_buttons(self) -> None:
        self._shown_at = time.monotonic()
        row = self.query_one(Horizontal)
        row.remove_children()
        row.mount(*[Button(sanitize(label), name=answer, compact=True) for answer, label in self._offers.items()])
        self.call_after_refresh(self._focus_first)

    def _focus_first(self) -> None:
        if buttons := self.query(Button):
            buttons.first().focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Choose what the button stands for."""
        event.stop()
        if time.monotonic() - self._shown_at >= self.settle_seconds:
            self.post_message(self.Chosen(event.button.name or ""))
