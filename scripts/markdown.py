"""Markdown that several generated pages are made of."""

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def sections(text: str) -> dict[str, str]:
    """Return the parts of a page by heading of the second level; what stands before the first has an empty heading."""
    parts = re.split(r"^## (.*)$", text.partition("\n")[2], flags=re.MULTILINE)
    return {heading: body.strip("\n") for heading, body in zip(["", *parts[1::2]], parts[::2], strict=True)}


def demoted(text: str) -> str:
    """Return the text with every heading one level lower."""
    return re.sub("^#", "##", text, flags=re.MULTILINE)
