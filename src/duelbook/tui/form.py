"""What forms share: the up and down keys go from field to field, and Enter opens a list."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Select

from duelbook.tui.window import plain

KEYS = "Up and Down choose a line, Enter opens its list or starts."


class FormSelect(Select[str], inherit_bindings=False):
    """A list to choose from, which only Enter and the space bar open."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Open", show=False)]


class FormFields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """The fields, which scroll to the one that has the focus. The arrow keys never scroll them otherwise."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]


def form_of(lines: Iterable[Widget]) -> ComposeResult:
    """Return a form: its lines, a button at their end, and a message below it, which stays in view."""
    with FormFields(id="form"):
        yield from lines
        with Horizontal(classes="buttons start"):
            yield Button("Start", id="start", variant="primary", compact=True)
    yield plain(name="message", classes="of-form")
    yield plain(KEYS, name="keys", classes="of-form")
