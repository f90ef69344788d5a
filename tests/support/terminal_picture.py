"""A terminal as an SVG picture."""

import re
from io import StringIO

from rich.console import Console
from rich.text import Text


def terminal_picture(screen: str, width: int = 76) -> str:
    """Return what is on the screen, with its colours, as a picture that loads nothing from other hosts."""
    console = Console(record=True, width=width, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen.rstrip()))
    return without_fonts(console.export_svg(title="duelbook", unique_id="duelbook"))


def without_fonts(svg: str) -> str:
    """Return the picture without the fonts that it would load from other hosts."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
