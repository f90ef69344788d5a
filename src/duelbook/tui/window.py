"""What every window of the interface needs: texts as they are, and room to draw in."""

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


class TooSmall(Widget):
    """Covers its screen or dialog in a window that is too small, and says how large it must be."""

    def render(self) -> str:
        """Return the text."""
        size = self.app.size
        return f"This window has {size.width}×{size.height} characters. Enlarge it to {MIN_WIDTH}×{MIN_HEIGHT}."
