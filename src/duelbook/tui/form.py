"""What forms share: the up and down keys go from field to field, and Enter opens a list."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Select

from duelbook.tui.screens import DuelScreen, plain

KEYS = "Up and Down choose a line, Enter opens its list or starts."


class FormSelect(Select[str], inherit_bindings=False):
    """A list to choose from, which only Enter and the space bar open."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Open", show=False)]


class FormScreen(DuelScreen):
    """A form with a button at its end, and a message below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def end_of_form(self) -> ComposeResult:
        """Return the button that starts, what is wrong with the fields, and the keys."""
        with Horizontal(classes="buttons start"):
            yield Button("Start", id="start", variant="primary", compact=True)
        yield plain(name="message")
        yield plain(KEYS, name="keys")
