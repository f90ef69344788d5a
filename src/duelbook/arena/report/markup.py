"""Markup and figures, so that no text of others becomes markup and every number reads alike."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from html import escape
from itertools import groupby
from string import ascii_letters, digits

MINUS = "−"
NOTHING = "–"
LONGEST_NAME = 15  # characters of an agent's name in plots and cross tables
NEAR = 3  # characters


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


def briefs(names: Collection[str]) -> dict[str, str]:
    """Answer a short label for each name, no two alike, and the same whatever their order."""
    labels = {name: _ends(name) for name in sorted(names)}
    if _differ(labels):
        return labels
    labels |= _apart([name for name in labels if len(name) > LONGEST_NAME])
    if _differ(labels):
        return labels
    return {name: f"{at} {label}"[:LONGEST_NAME] for at, (name, label) in enumerate(labels.items(), 1)}


def _differ(labels: dict[str, str]) -> bool:
    return len({*labels.values()}) == len(labels)


def _ends(name: str) -> str:
    """Answer the name, of a long one both ends: programs differ in what they are given."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _apart(names: Sequence[str], places: tuple[int, ...] = ()) -> dict[str, str]:
    """Answer what the names have where they differ first, and those that are alike there, where these differ next."""
    labels: dict[str, str] = {}
    further = (*places, _difference(names))[-2:]
    cut = partial(_pieces, further)
    for label, group in groupby(sorted(names, key=cut), cut):
        alike = list(group)
        settled = len(alike) == 1 or further == places
        labels |= dict.fromkeys(alike, label) if settled else _apart(alike, further)
    return labels


def _difference(names: Sequence[str]) -> int:
    """Answer where the names differ first, or where the word begins, if that is near."""
    low, high = min(names), max(names)
    place = next((at for at, pair in enumerate(zip(low, high, strict=False)) if len({*pair}) > 1), len(low))
    begun = len(low[:place]) - len(low[:place].rstrip(ascii_letters + digits))
    return place - begun if begun <= NEAR else place


def _pieces(places: tuple[int, ...], name: str) -> str:
    """Answer what the name has at these places, or its end where it is over before."""
    room = LONGEST_NAME // len(places) - 1
    pieces = [("…" if place else "") + (name[place : place + room] or name[-room:]) for place in places]
    shown = "".join(pieces)
    return shown if places[-1] + room >= len(name) else f"{shown[: LONGEST_NAME - 1]}…"


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
