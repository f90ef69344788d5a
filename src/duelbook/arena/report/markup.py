"""Markup and figures, so that no text of others becomes markup and every number reads alike."""

from collections.abc import Iterable, Sequence
from html import escape

MINUS = "−"
NOTHING = "–"
LONGEST_NAME = 15  # characters of an agent's name in plots and cross tables


def tag(name: str, /, *parts: str, **attributes: object) -> str:
    """Answer an element around parts that are markup already; `class_` and `x_1` stand for `class` and `x-1`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(parts)}</{name}>" if parts else f"<{name}{written}/>"


def text(value: object) -> str:
    return escape(str(value))


def brief(name: str) -> str:
    """Answer the name, of a long one both ends: programs differ in what they are given."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str | None = None) -> str:
    """Answer a table whose first column names the row; the cells of rows are markup."""
    head = tag("tr", *(tag("th", text(name), scope="col") for name in heads))
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(cell if cell.startswith("<td ") else tag("td", cell) for cell in row[1:]),
        )
        for row in rows
    ]
    whole = tag("table", tag("caption", text(caption)), tag("thead", head), tag("tbody", *body), class_=kind)
    return tag("div", whole, class_="wide", role="region", tabindex="0", aria_label=caption)


def signed(value: float) -> str:
    """Answer a rating: +120 or −35."""
    whole = round(value)
    return f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole)}"


def percent(part: float | None, whole: float = 1) -> str:
    return NOTHING if part is None or not whole else f"{100 * part / whole:.1f} %"


def points(value: float) -> str:
    """Answer 3, or 3.5."""
    return f"{value:,.1f}".removesuffix(".0")


def duration(seconds: float) -> str:
    """Answer how long a move takes, in a unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.0f} µs"
