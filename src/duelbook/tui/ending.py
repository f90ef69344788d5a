"""What can come next: how a match has ended, what decided it, and a button for everything that is offered."""

import time
from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from duelbook.text import sanitize
from duelbook.tui.subject import MatchEnding
from duelbook.tui.window import plain


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
