"""Pages of text: lines with a style, and tables whose columns are as wide as what stands in them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duelbook.text import width_of

HEADING, NOTE = "cyan", "dim"  # styles of lines


class StyledLine(NamedTuple):
    """A line of a page, and its style where there are colours."""

    text: str = ""
    style: str = ""


def column_widths(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Return how wide the columns of a table are."""
    return [max(map(width_of, column)) for column in zip(headings, *rows, strict=True)]


def table_width(widths: Sequence[int]) -> int:
    """Return how wide a table with such columns is."""
    return sum(widths) + 2 * (len(widths) - 1)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[StyledLine]:
    """Return the lines of a table. Plain text in columns is easy to read aloud and to cut apart."""
    widths = column_widths(headings, rows)
    for number, row in enumerate([headings, *rows]):
        cells = [
            cell.rjust(width) if cell[:1].isdecimal() and len(cell) < 6 else cell + " " * (width - width_of(cell))
            for cell, width in zip(row, widths, strict=True)
        ]
        yield StyledLine("  ".join(cells).rstrip(), NOTE if number == 0 else "")
