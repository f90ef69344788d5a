"""SVG as text: elements whose contents are escaped, and drawings that have a size."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from duelbook.text import sanitize

SANS = "Inter, 'Avenir Next', 'Segoe UI', Roboto, system-ui, sans-serif"
SERIF = "Gelasio, 'Iowan Old Style', Palatino, Georgia, serif"
MONO = "'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace"
WIDE_LETTERS, NARROW_LETTERS = "WM@%mwÆŒæœ", "iljft.,:;'!|()[] "
WIDE_EM, NARROW_EM, CAPITAL_EM, LETTER_EM, OTHER_EM = 1.05, 0.4, 0.78, 0.64, 1.0  # hardly ever less than in the fonts
LAST_LATIN = 0x24F
NOTEBOOK_WIDTH = 400.0  # of a drawing in a notebook, in pixels

Anchor = Literal["start", "middle", "end"]
Attribute = str | float | None
Attributes = dict[str, Any]  # attributes that several elements share


class Drawing(NamedTuple):
    """SVG elements, and the room that they take from the origin on."""

    width: float
    height: float
    markup: str

    def at(self, x: float, y: float, scale: float = 1.0) -> str:
        """Return the elements, moved and scaled."""
        resized = f" scale({scale:.4g})" if scale != 1.0 else ""
        return element("g", self.markup, transform=f"translate({number(x)} {number(y)}){resized}")

    def _repr_svg_(self) -> str:
        """Return the drawing as notebooks show it."""
        scale = min(1.0, NOTEBOOK_WIDTH / self.width)
        return Drawing(self.width * scale, self.height * scale, self.at(0, 0, scale)).document()

    def document(self, title: str = "") -> str:
        """Return the drawing as an SVG document."""
        about = element("title", escape(sanitize(title), quote=False)) if title else ""
        return element(
            "svg",
            about,
            self.markup,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            width=self.width,
            height=self.height,
            role="img",
        )


def element(name: str, *children: str, **attributes: Attribute) -> str:
    """Return an element. Children are SVG; attributes are escaped, and those that are None are left out."""
    written = "".join(
        f' {_attribute(key)}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


@cache
def _attribute(key: str) -> str:
    """Return the name of an attribute as SVG spells it."""
    return key.replace("__", ":").replace("_", "-")


def number(value: float) -> str:
    """Return a number as short as it can be written, to a hundredth."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rect(
    x: float, y: float, width: float, height: float, radius: float = 0, fill: str = "none", **more: Attribute
) -> str:
    """Return a rectangle."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, **more)


def path(d: str, fill: str = "none", **more: Attribute) -> str:
    """Return a path."""
    return element("path", d=d, fill=fill, **more)


def label(
    content: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    anchor: Anchor = "middle",
    family: str = SANS,
    **more: Attribute,
) -> str:
    """Return a line of text whose middle is at the height `y`. The text is sanitized and escaped."""
    return element(
        "text",
        escape(sanitize(content.replace("\n", " ")), quote=False),
        x=x,
        y=y + 0.355 * size,
        font_size=size,
        font_family=family,
        font_weight=700 if family == SERIF else 400 if family == MONO else 600,
        fill=fill,
        text_anchor=anchor,
        xml__space="preserve",
        **more,
    )


def text_width(text: str, size: float) -> float:
    """Return about how wide a line of text is; hardly any text is wider."""
    return size * sum(map(_em, text))


def _em(character: str) -> float:
    if character in WIDE_LETTERS:
        return WIDE_EM
    if character in NARROW_LETTERS:
        return NARROW_EM
    if ord(character) > LAST_LATIN:
        return OTHER_EM
    return CAPITAL_EM if character.isupper() else LETTER_EM


def cut(text: str, width: float, size: float) -> str:
    """Return the text, or its beginning if it is wider than this."""
    if text_width(text, size) <= width:
        return text
    fits = sum(so_far <= width - size for so_far in accumulate(size * _em(character) for character in text))
    return f"{text[:fits].rstrip()}…"


def wrap(text: str, width: float, size: float, max_lines: int) -> list[str]:
    """Return the text in lines of at most this width; what is too much is cut off."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], " ".join(lines[max_lines - 1 :])]
    return [cut(line, width, size) for line in lines]


def column(parts: Sequence[Drawing], gap: float) -> Drawing:
    """Return drawings below each other, each in the middle of the widest."""
    width = max((part.width for part in parts), default=0.0)
    tops = accumulate((part.height + gap for part in parts), initial=0.0)
    markup = "".join(part.at((width - part.width) / 2, top) for part, top in zip(parts, tops, strict=False))
    return Drawing(width, max(0.0, sum(part.height + gap for part in parts) - gap), markup)


def row(parts: Sequence[Drawing], gap: float) -> Drawing:
    """Return drawings beside each other, each in the middle of the tallest."""
    height = max((part.height for part in parts), default=0.0)
    lefts = accumulate((part.width + gap for part in parts), initial=0.0)
    markup = "".join(part.at(left, (height - part.height) / 2) for part, left in zip(parts, lefts, strict=False))
    return Drawing(max(0.0, sum(part.width + gap for part in parts) - gap), height, markup)


def grid(parts: Iterable[Drawing], columns: int, gap: float) -> Drawing:
    """Return drawings in rows of so many; a last row that is not full is in the middle."""
    drawn = list(parts)
    return column([row(drawn[start : start + columns], gap) for start in range(0, len(drawn), columns)], gap)
