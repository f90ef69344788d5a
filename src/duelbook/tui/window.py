"""What every window of the interface needs: room to draw in. One that is too small only says so."""

from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from duelbook.text import sanitize

MIN_WIDTH, MIN_HEIGHT = 60, 20


def plain(text: str = "", *, name: str | None = None, classes: str | None = None) -> Static:
    """Return a text that is shown as it is."""
    return Static(sanitize(text), id=name, classes=classes, markup=False)


def is_too_small(size: Size) -> bool:
    """Return True if a window of this size cannot show the interface. Then it takes no keys, either."""
    return size.width < MIN_WIDTH or size.height < MIN_HEIGHT


class TooSmall(Static):
    """Says how large a window must be. In one that is too small, its screen or dialog shows nothing else."""

    def __init__(self) -> None:
        super().__init__(id="too-small", markup=False)
        self._focused_before: Widget | None = None  # while the window is too small

    def fit(self, size: Size) -> None:
        """Show or hide all else on the screen, whose window has this size now."""
        screen, too_small = self.screen, is_too_small(size)
        if too_small and not screen.has_class("-too-small"):
            self._focused_before = screen.focused
        screen.set_class(too_small, "-too-small")
        if not too_small and self._focused_before:
            self.call_after_refresh(screen.set_focus, self._focused_before)
            self._focused_before = None
        self.update(f"This window has {size.width}×{size.height} characters. Enlarge it to {MIN_WIDTH}×{MIN_HEIGHT}.")
