"""Presets: rule options under a name. A game lists its own in `presets.toml` beside its rules."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError
from duelbook.game_folder import game_file
from duelbook.options import PRESET, OptionText
from duelbook.text import did_you_mean, sanitize, shorten

FILE = "presets.toml"
BOOK = "book"
NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_PRESET_NAME_CHARACTERS = 40
MAX_LINE_CHARACTERS = 200


class Preset(NamedTuple):
    """Rule options under a name: `--preset fair` plays the game with those of the preset `fair`."""

    name: str
    title: str
    about: str  # one sentence
    options: Mapping[str, OptionText]
    suggested: bool = False  # to who has not chosen: by the book, the game may be over before it has begun


BOOK_RULES = Preset(BOOK, "Book rules", "The rules as the rule book has them.", {})


@dataclass(frozen=True)
class _Entry:
    """A preset in the file, under its name."""

    title: str
    about: str
    options: dict[str, int | str] = field(default_factory=dict)
    suggested: bool = False


@cache
def presets_of(rules: type[AnyGame]) -> Mapping[str, Preset]:
    """Return the presets of a game by name: the rule book's first, then those of its file.

    Raise BrokenGameError if the file cannot be read.
    """
    file = game_file(rules, FILE)
    try:
        return {BOOK: BOOK_RULES, **(_read(file) if file else {})}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RefusedError) as error:
        raise BrokenGameError(f"The game {rules.__name__} is broken: {file}: {error}") from error


def _read(file: Path) -> dict[str, Preset]:
    from duelbook.documents import convert  # loads msgspec, which a game without a preset does not need

    presets: dict[str, Preset] = {}
    for name, value in tomllib.loads(file.read_text(encoding="utf-8")).items():
        if not NAME.fullmatch(name) or len(name) > MAX_PRESET_NAME_CHARACTERS or name == BOOK:
            raise RefusedError(
                f"A preset cannot be named '{shorten(name)}': a name has small letters, digits and single hyphens, and "
                f"'{BOOK}' is that of the rule book's options."
            )
        try:
            entry = convert(value, _Entry)
        except RefusedError as error:
            raise RefusedError(f"[{name}] {error}") from error
        if unknown := value.keys() - {one.name for one in fields(_Entry)}:
            raise RefusedError(f"[{name}] '{shorten(min(unknown))}' is not a known field.")
        if not all(_is_line(text) for text in (entry.title, entry.about)):
            raise RefusedError(f"[{name}] title and about must be one printable line each.")
        presets[name] = Preset(name, entry.title, entry.about, entry.options, entry.suggested)
    return presets


def _is_line(text: str) -> bool:
    return 1 <= len(text) <= MAX_LINE_CHARACTERS and sanitize(text) == text and "\n" not in text


def expand_preset(rules: type[AnyGame], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with those of a preset in place of its name, if there is one. Those given beside it prevail.

    Raise RefusedError if there is no such preset.
    """
    given = dict(options)
    if PRESET not in given:
        return given
    name, presets = given.pop(PRESET), presets_of(rules)
    if name not in presets:
        close = did_you_mean(str(name), presets)
        raise RefusedError(f"Unknown preset '{shorten(str(name))}'; valid: {', '.join(presets)}.{close}")
    return {**presets[name].options, **given}
