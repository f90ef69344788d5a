"""Text in the columns of a terminal: how wide it is, and lines broken between words."""

import os
import re
from textwrap import wrap
from typing import TextIO

from duelbook.text import ELLIPSIS, FILLER, filled, width_of

COLUMN = re.compile(r" *\S+(?: \S+)*  +")  # the first column of a list, with the spaces after it


def columns_of(stream: TextIO) -> int | None:
    """Return the width of the terminal that the stream writes to, or None if it is not a terminal."""
    if not stream.isatty():
        return None
    given = os.environ.get("COLUMNS", "")
    try:
        return int(given) if given.isdecimal() and int(given) else os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def as_encoded(text: str, stream: TextIO) -> str:
    """Return the text as the stream writes it: one that takes only ASCII may need more characters."""
    if text.isascii():
        return text
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, getattr(stream, "errors", None) or "replace").decode(encoding, "replace")


def cut(text: str, width: int, stream: TextIO) -> str:
    """Return the text, or its beginning and an ellipsis if it is wider."""
    if width_of(text) <= width:
        return text
    end = as_encoded(ELLIPSIS, stream)
    room, columns = max(0, width - len(end)), filled(text)
    return columns[: room - (columns[room] == FILLER)].replace(FILLER, "") + end


def wrapped(text: str, width: int | None) -> str:
    """Return the text with lines that are wider broken between words."""
    if width is None:
        return text
    return "\n".join(line if width_of(line) <= width else _broken(line, width) for line in text.split("\n"))


def _broken(line: str, width: int) -> str:
    """Return a long line as several. Those that follow are indented as it is, or as the second column of a list.

    A command is not broken, so that it can be copied. A space at the end stays, since it may be that of a prompt.
    """
    text, colon, command = line.partition(": duelbook ")
    if colon:
        return f"{_broken(text + ':', width)}\nduelbook {command}"
    column = COLUMN.match(line)
    indent = " " * (column.end() if column and column.end() <= width // 2 else len(line) - len(line.lstrip()))
    lines = wrap(
        *(filled(line), width),
        initial_indent="",
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return "\n".join(lines).replace(FILLER, "") + (" " if line.endswith(" ") else "")
