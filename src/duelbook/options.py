"""Rule options: their allowed values, read from text, written as text, and drawn for a match."""

import random
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from enum import IntEnum
from functools import cache
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame
from duelbook.text import did_you_mean, fold, shorten

G = TypeVar("G", bound=AnyGame)

OptionText = int | str  # an option as records and the command line hold it

MAX_LISTED = 100  # the largest number among the values that are listed
PRESET = "preset"  # stands among options for those of a preset, so no option may have this name


class Limits(NamedTuple):
    """The range of a whole-number option, or of each number of a list."""

    low: int
    high: int


class NamesOrFile(NamedTuple):
    """The allowed names of a text option; any other value is the path of a file."""

    names: tuple[str, ...]

    def read(self, value: str) -> str:
        """Return a name as it is and a file as its full path, so that a record finds the file from any folder."""
        return value if value in self.names or not self.knows(value) else str(Path(value).resolve())

    def knows(self, value: str) -> bool:
        """Return True if the value is one of the names or an existing file."""
        try:
            return value in self.names or Path(value).is_file()
        except (OSError, ValueError):  # a text that cannot be a path
            return False


class Drawn(NamedTuple):
    """Marks an option that is drawn for each match unless it is given: a shuffle, a deal, the players' words.

    `draw` takes the game with its other options and a random number generator, and returns the value of the option.
    """

    draw: Callable[[Any, random.Random], Any]


class Items(NamedTuple):
    """What a tuple option holds."""

    type: type
    length: int | None  # None for any number of items

    def values(self, limits: Limits | None) -> str:
        """Return the allowed values in words."""
        if self.length == 2:
            return "two values separated by a comma, the first player's first"
        what = "whole numbers" if self.type is int else "values"
        within = f" from {limits.low} to {limits.high}" if limits else ""
        return f"{'' if self.length is None else f'{self.length} '}{what}{within}, separated by commas"

    def fit(self, values: tuple[Any, ...]) -> bool:
        """Return True if the values have the right number and type."""
        return self.length in (None, len(values)) and all(
            isinstance(value, self.type) and not isinstance(value, bool) for value in values
        )


class Option(NamedTuple):
    """One rule option: its name, type, default, description and allowed values, and how it is drawn, if it is."""

    name: str
    type: type
    default: Any
    about: str
    limits: Limits | None
    names_or_file: NamesOrFile | None
    items: Items | None
    drawn: Drawn | None

    def values(self) -> str:
        """Return the allowed values in words."""
        if self.items:
            return self.items.values(self.limits)
        if self.limits:
            return f"{self.limits.low} to {self.limits.high}"
        if self.names_or_file:
            return f"{', '.join(self.names_or_file.names)} or a file"
        if issubclass(self.type, IntEnum):
            return ", ".join(str(option_text(member)) for member in self.type)
        return "a whole number"

    def choices(self) -> list[str]:
        """Return the values that can be listed, as a person types them; none if there are too many."""
        if self.items:
            return []
        if self.limits:
            return [str(number) for number in range(self.limits.low, min(self.limits.high, MAX_LISTED) + 1)]
        if self.names_or_file:
            return list(self.names_or_file.names)
        return [str(option_text(member)) for member in self.type] if issubclass(self.type, IntEnum) else []

    def read(self, value: Any) -> Any:
        """Return the typed value of an option that is given as text or already typed."""
        if self.type is int:
            return self._whole_number(value)
        if issubclass(self.type, IntEnum):
            return self._member(value)
        if self.items and isinstance(value, str | list | tuple):
            values = value.split(",") if value and isinstance(value, str) else value
            return tuple(map(self._whole_number, values) if self.items.type is int else values)
        if self.names_or_file and isinstance(value, str):
            return self.names_or_file.read(value)
        return value

    def check(self, value: Any) -> None:
        """Raise RefusedError if the value has the wrong type or is outside the limits."""
        wrong = not isinstance(value, self.type) or isinstance(value, bool)
        if not wrong and self.items:
            wrong = not self.items.fit(value)
        if wrong or (self.names_or_file and not self.names_or_file.knows(value)):
            text = option_text(value) if isinstance(value, tuple) else repr(value)
            there = " that exists" if self.names_or_file else ""
            raise RefusedError(f"{self.name} cannot be {shorten(str(text))}; valid: {self.values()}{there}.")
        if self.limits:
            for number in value if self.items else (value,):
                check_range(self.name, number, *self.limits)

    def _whole_number(self, value: Any) -> Any:
        if not isinstance(value, str):
            return whole(value)
        if not re.fullmatch("-?[0-9]{1,9}", value.strip()):
            if self.limits and re.fullmatch("-?[0-9]+", value.strip()):
                raise RefusedError(
                    f"{self.name} must be from {self.limits.low} to {self.limits.high}, not {shorten(value)}."
                )
            raise RefusedError(f"{self.name} must be a whole number, not '{shorten(value)}'.")
        return int(value)

    def _member(self, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        for member in cast(type[IntEnum], self.type):
            if option_text(member) == fold(value):
                return member
        raise RefusedError(f"{self.name} cannot be '{shorten(value)}'; valid: {self.values()}.")


def whole(value: Any) -> Any:
    """Return a whole number of any type, such as NumPy's, as an int, and any other value unchanged."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def option_text(value: Any) -> OptionText:
    """Return a typed value as text or a number: `Deadlock.DRAW` becomes `draw`."""
    if isinstance(value, IntEnum):
        return value.name.lower().replace("_", "-")
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if not isinstance(value, int | str):
        raise RefusedError(
            f"An option cannot be {shorten(repr(value))}: it must be a number, a text or an enum member."
        )
    return value


@cache
def options_of(rules: type[AnyGame]) -> tuple[Option, ...]:
    """Return the options of a game, in order, from the fields of its class."""
    hints = get_type_hints(rules, include_extras=True)
    return tuple(_option(field.name, field.default, hints[field.name]) for field in fields(rules) if field.init)


def _option(name: str, default: Any, hint: Any) -> Option:
    kind, *notes = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    found = {type(note): note for note in notes}
    plain, inside = getattr(kind, "__origin__", kind), get_args(kind)
    return Option(
        name,
        plain,
        None if default is MISSING else default,
        found.get(str, ""),
        found.get(Limits),
        found.get(NamesOrFile),
        Items(inside[0], None if Ellipsis in inside else len(inside)) if plain is tuple and inside else None,
        found.get(Drawn),
    )


def check_texts(rules: type[AnyGame]) -> None:
    """Raise RefusedError unless the game can be made from texts, as records and the service hold them.

    Each option needs a default that can be written and read.
    """
    for option in options_of(rules):
        if option.name == PRESET:
            raise RefusedError(f"An option of {rules.__name__} cannot be named {PRESET}: that selects a preset.")
        try:
            same = option.default is not None and option.read(str(option_text(option.default))) == option.default
        except RefusedError:
            same = False
        if not same:
            raise RefusedError(
                f"The option {option.name} of {rules.__name__} needs a default that can be written as text: "
                "a whole number, a member of an IntEnum, a pair of texts, or a list of whole numbers."
            )
    write_options(rules())


def check_options(game: AnyGame) -> None:
    """Raise RefusedError if an option of the game has the wrong type or is outside its limits."""
    for option in options_of(type(game)):
        option.check(getattr(game, option.name))


def read_options(rules: type[AnyGame], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options that are given as text or typed as arguments for the game's constructor."""
    known = {option.name: option for option in options_of(rules)}
    for name in options:
        if name not in known:
            close = did_you_mean(name.replace("_", "-"), [one.replace("_", "-") for one in known]).replace("-", "_")
            raise RefusedError(f"Unknown option '{shorten(name)}'.{close} Options: {', '.join(known)}.")
    return {name: known[name].read(value) for name, value in options.items()}


def write_options(game: AnyGame) -> dict[str, OptionText]:
    """Return all options of a game as texts and whole numbers."""
    return {option.name: option_text(getattr(game, option.name)) for option in options_of(type(game))}


def changed_options(game: AnyGame) -> list[str]:
    """Return the names of the options that differ from the rule book; those that are drawn or chosen do not count."""
    drawn = drawn_options(type(game))
    options = [option for option in options_of(type(game)) if option.name not in drawn]
    return [option.name for option in options if getattr(game, option.name) != option.default]


def drawn_options(rules: type[AnyGame], given: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of the options that are drawn for each match: those marked as drawn that are not given."""
    return tuple(option.name for option in options_of(rules) if option.drawn and option.name not in given)


def draw(game: G, rng: random.Random, names: Collection[str] | None = None) -> G:
    """Return the game with these options drawn; by default all that are marked as drawn.

    They are drawn in the order of the fields, so a later one may depend on an earlier one.
    """
    for option in options_of(type(game)):
        if option.drawn and (names is None or option.name in names):
            changes: dict[str, Any] = {option.name: option.drawn.draw(game, rng)}
            game = replace(game, **changes)
    return game


def pairs_text(game: AnyGame, names: Iterable[str]) -> str:
    """Return these options of the game as they are given: `row=3,1,2`."""
    return ", ".join(f"{name}={option_text(getattr(game, name))}" for name in names)


def option_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Return options that are given as `KEY=VALUE`, each only once."""
    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise RefusedError(f"An option must be given as KEY=VALUE, not '{shorten(text)}'.")
        if key.strip() in pairs:
            raise RefusedError(f"Option {shorten(key)} is given twice.")
        pairs[key.strip()] = value.strip()
    return pairs
