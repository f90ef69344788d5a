"""A canvas of character cells, which becomes the lines of a widget."""

from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


@lru_cache(maxsize=1024)
def style(foreground: str, background: str, *, bold: bool = False, underline: bool = False) -> Style:
    """Return the style with these colours, written as in CSS."""
    return Style(color=foreground, bgcolor=background, bold=bold, underline=underline)


class Canvas:
    """Cells with a text and a style each. What is drawn outside is left out."""

    def __init__(self, width: int, height: int, ground: Style) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", ground)] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, look: Style) -> None:
        """Write a text from this cell to the right. A wide character takes two cells."""
        if not 0 <= y < self.height:
            return
        for character in text:
            size = cell_len(character)
            if size and x >= 0 and x + size <= self.width:
                self._cells[y][x] = (character, look)
                if size == 2:
                    self._cells[y][x + 1] = ("", look)
            x += size

    def fill(self, x: int, y: int, width: int, height: int, look: Style, text: str = " ") -> None:
        """Fill a rectangle with a character."""
        for line in range(y, y + height):
            self.write(x, line, text * width, look)

    def strip(self, y: int) -> Strip:
        """Return a line; cells of the same style become one segment."""
        segments: list[Segment] = []
        text, last = "", None
        for character, look in self._cells[y]:
            if look is not last and text:
                segments.append(Segment(text, last))
                text = ""
            text, last = text + character, look
        return Strip([*segments, Segment(text, last)], self.width)
