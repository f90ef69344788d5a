"""A page of HTML elements with escaped text, short labels for agents, and one format for every kind of number."""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path
from string import ascii_letters, digits

from duelbook.text import percentage

MINUS = "−"
NO_VALUE = "–"
MAX_LABEL_CHARACTERS = 15  # of an agent's name in plots and cross tables
NEAR_CHARACTERS = 3  # a label starts at the beginning of a word that is at most this far back


def tag(name: str, /, *parts: str, **attributes: object) -> str:
    """Return an element around parts that are markup. `class_` and `aria_label` give `class` and `aria-label`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(parts)}</{name}>" if parts else f"<{name}{written}/>"


def text(value: object) -> str:
    return escape(str(value))


def short_labels(names: Collection[str]) -> dict[str, str]:
    """Return a short label for each name. No two are the same, and they do not depend on the order of the names."""
    labels = {name: _ends(name) for name in sorted(names)}
    if _differ(labels):
        return labels
    labels |= _apart([name for name in labels if len(name) > MAX_LABEL_CHARACTERS])
    if _differ(labels):
        return labels
    return {name: f"{at} {label}"[:MAX_LABEL_CHARACTERS] for at, (name, label) in enumerate(labels.items(), 1)}


def _differ(labels: dict[str, str]) -> bool:
    return len({*labels.values()}) == len(labels)


def _ends(name: str) -> str:
    """Return the name, or both ends of a long one: commands often differ in their arguments."""
    half = MAX_LABEL_CHARACTERS // 2
    return name if len(name) <= MAX_LABEL_CHARACTERS else f"{name[: half - 1]}…{name[-half:]}"


def _apart(names: Sequence[str], places: tuple[int, ...] = ()) -> dict[str, str]:
    """Return the part of each name where they first differ; for names that agree there, also the next difference."""
    labels: dict[str, str] = {}
    further = (*places, _difference(names))[-2:]
    cut = partial(_pieces, further)
    for label, group in groupby(sorted(names, key=cut), cut):
        alike = list(group)
        settled = len(alike) == 1 or further == places
        labels |= dict.fromkeys(alike, label) if settled else _apart(alike, further)
    return labels


def _difference(names: Sequence[str]) -> int:
    """Return where the names first differ, or where that word starts if it is near."""
    low, high = min(names), max(names)
    place = next((at for at, pair in enumerate(zip(low, high, strict=False)) if len({*pair}) > 1), len(low))
    into_word = len(low[:place]) - len(low[:place].rstrip(ascii_letters + digits))
    return place - into_word if into_word <= NEAR_CHARACTERS else place


def _pieces(places: tuple[int, ...], name: str) -> str:
    """Return the parts of the name at these places, or its end if it is too short."""
    room = MAX_LABEL_CHARACTERS // len(places) - 1
    pieces = [("…" if place else "") + (name[place : place + room] or name[-room:]) for place in places]
    label = "".join(pieces)
    return label if places[-1] + room >= len(name) else f"{label[: MAX_LABEL_CHARACTERS - 1]}…"


def page(heading: str, *parts: str) -> str:
    """Return a page with this heading and these parts, as HTML that is also well-formed XML."""
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", text(heading)),
        tag("style", style),
    )
    body = tag("body", tag("h1", text(heading)), *parts)
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def figure(caption: str, picture: str) -> str:
    return tag("figure", tag("figcaption", text(caption)), picture)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str | None = None) -> str:
    """Return a table whose first column names the row. The cells are markup."""
    head = tag("tr", *(tag("th", text(name), scope="col") for name in heads))
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(cell if cell.startswith("<td ") else tag("td", cell) for cell in row[1:]),
        )
        for row in rows
    ]
    element = tag("table", tag("caption", text(caption)), tag("thead", head), tag("tbody", *body), class_=kind)
    return tag("div", element, class_="wide", role="region", tabindex="0", aria_label=caption)


def signed(value: float) -> str:
    """Return a rating: +120 or −35."""
    whole = round(value)
    return f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole)}"


def percent(part: float | None, whole: float = 1) -> str:
    """Return a share with one digit. Only nothing at all is 0.0 %, and only everything is 100.0 %."""
    if part is None or not whole:
        return NO_VALUE
    return percentage(part / whole, digits=1).replace("%", " %")


def points(value: float) -> str:
    """Return points: 3 or 3.5."""
    return f"{value:,.1f}".removesuffix(".0")
