"""What a match shows after its end: the result, what decided it, and what can be done next."""

import time
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from duelbook.play.next_match import NextStep
from duelbook.text import sanitize
from duelbook.tui.window import plain

STEPS = [step for step in NextStep if step is not NextStep.LEAVE]


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

        def __init__(self, step: NextStep) -> None:
            self.step = step
            super().__init__()

    def compose(self) -> ComposeResult:
        yield plain(name="result")
        yield plain(name="decision")
        with Horizontal(classes="buttons"):
            for step in STEPS:
                yield Button(step.capitalize(), id=f"step-{step.name.lower()}", compact=True)

    def on_mount(self) -> None:
        self.display, self._shown_at = False, 0.0

    def show(self, result: str, offered: list[NextStep], *, lost: bool) -> None:
        """Show the result, whether the only person has lost, and a button for each step that is offered."""
        self.display, self._shown_at = True, time.monotonic()
        self.query_one("#result", Static).update(sanitize(result))
        self.query_one("#result").set_class(lost, "-lost")
        for step in STEPS:
            self._button(step).display = step in offered
        self._button(NextStep.REMATCH).focus()

    def decided(self, text: str) -> None:
        """Show what decided the match."""
        self.query_one("#decision", Static).update(sanitize(text))

    def _button(self, step: NextStep) -> Button:
        return self.query_one(f"#step-{step.name.lower()}", Button)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if time.monotonic() - self._shown_at < self.settle_seconds:
            return
        self.post_message(self.Chosen(NextStep[(event.button.id or "").removeprefix("step-").upper()]))
