"""What every window of the interface needs: room to draw in. One that is too small only says so."""

from typing import TypeVar

from textual import events
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from duelbook.text import sanitize

MIN_WIDTH, MIN_HEIGHT = 60, 20
T = TypeVar("T")


def plain(text: str = "", *, name: str | None = None, classes: str | None = None) -> Static:
    """Return a text that is shown as it is."""
    return Static(sanitize(text), id=name, classes=classes, markup=False)


def is_too_small(size: Size) -> bool:
    """Return True if a window of this size cannot show the interface. Then it takes no keys, either."""
    return size.width < MIN_WIDTH or size.height < MIN_HEIGHT


class SizedScreen(Screen[T]):
    """A screen or a dialog. It begins with `too_small()`, which is all that is shown in a window that is too small."""

    def __init__(self) -> None:
        super().__init__()
        self._focused_before: Widget | None = None  # while the window is too small

    @staticmethod
    def too_small() -> Static:
        return plain(name="too-small")

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        too_small = is_too_small(event.size)
        if too_small and not self.has_class("-too-small"):
            self._focused_before = self.focused
        self.set_class(too_small, "-too-small")
        if not too_small and self._focused_before:
            self.call_after_refresh(self.set_focus, self._focused_before)
            self._focused_before = None
        self.query_one("#too-small", Static).update(
            f"This window has {width}×{height} characters. Enlarge it to {MIN_WIDTH}×{MIN_HEIGHT}."
        )
