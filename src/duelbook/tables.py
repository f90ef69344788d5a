"""Results as tables: a pandas DataFrame if pandas is installed, else rows; and as HTML, for notebooks."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any

Row = dict[str, Any]  # the cells of a row by the name of their column

MAX_SHOWN_ROWS = 60  # of a table in HTML
NO_VALUE = "–"


def data_frame(rows: Iterable[Row]) -> Any:
    """Return the rows as a DataFrame if pandas is installed, else as a list of dictionaries."""
    if find_spec("pandas") is None:
        return list(rows)
    from pandas import DataFrame

    return DataFrame(list(rows))


def html_table(rows: Sequence[Row], caption: str = "") -> str:
    """Return the rows as an HTML table, with the names of the columns as its heads. The cells are escaped.

    Only the first rows of a long table are shown.
    """
    if not rows:
        return paragraph(caption)
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows[:MAX_SHOWN_ROWS])
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    more = paragraph(f"… and {len(rows) - MAX_SHOWN_ROWS:,} more rows") if len(rows) > MAX_SHOWN_ROWS else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    shown = escape(cell_text(value))
    return f'<td style="text-align:left">{shown}</td>' if isinstance(value, str) else f"<td>{shown}</td>"


def cell_text(value: object) -> str:
    """Return a cell as text: numbers with at most four digits after the point, None as a dash, False as nothing."""
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:z.4f}".rstrip("0").rstrip(".")
    return f"{value:,}" if isinstance(value, int) else str(value)


def paragraph(text: str) -> str:
    """Return the text as a paragraph, or nothing if there is none."""
    return f"<p>{escape(text)}</p>" if text else ""


def html_picture(svg: str, about: str, width: int = 360) -> str:
    """Return an SVG document as an image, so that its names stay apart from those of other pictures."""
    data = b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(about)}" width="{width}">'


def side_by_side(*parts: str) -> str:
    """Return parts beside each other, and below where there is no room."""
    shown = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{shown}</div>'
