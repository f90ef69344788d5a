"""A sweep: the values that an option takes in turn, from a text such as `goal=9..30` or `refresh=all`."""

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.options import Option, OptionText, option_text, options_of
from duelbook.text import did_you_mean, shorten

MAX_VALUES = 1000
RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(\d{1,9}))?")
ALL = "all"
FORMS = "such as goal=9..30, goal=9..30..3 (every third), goal=9,15,21, or refresh=all for all names"


class Sweep(NamedTuple):
    """The values that an option takes."""

    option: str
    values: tuple[OptionText, ...]


def read_sweeps(rules: type[AnyGame], texts: Sequence[str], fixed: Mapping[str, object]) -> tuple[Sweep, ...]:
    """Return the sweeps that the texts describe, or raise RefusedError. `fixed` are the options that do not vary."""
    if not texts:
        raise RefusedError(f"The lab needs at least one --sweep OPTION=VALUES, {FORMS}.")
    known = {option.name: option for option in options_of(rules)}
    sweeps: list[Sweep] = []
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not values:
            raise RefusedError(f"A sweep must be given as OPTION=VALUES, {FORMS}, not '{shorten(text)}'.")
        if name not in known:
            close = did_you_mean(name, known)
            raise RefusedError(f"Unknown option '{shorten(name)}'.{close} Options: {', '.join(known)}.")
        if name in fixed or name in {sweep.option for sweep in sweeps}:
            raise RefusedError(f"Option {name} is given twice.")
        sweeps.append(Sweep(name, _values(known[name], values)))
    return tuple(sweeps)


def _values(option: Option, text: str) -> tuple[OptionText, ...]:
    """Return the values in order, each in the form in which options are written."""
    if found := RANGE.fullmatch(text):
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if low > high or step < 1 or (high - low) // step >= MAX_VALUES:
            raise RefusedError(f"{option.name}={shorten(text)} must go up, in at most {MAX_VALUES} steps.")
        parts: Sequence[int | str] = range(low, high + 1, step)
    elif text == ALL and (names := _names(option)):
        parts = names
    else:
        parts = [part.strip() for part in text.split(";" if option.items else ",")]  # a list has commas of its own
    values = tuple(option_text(option.read(part)) for part in parts)
    if len(set(values)) < len(values):
        raise RefusedError(f"{option.name}={shorten(text)} names a value twice.")
    return values


def _names(option: Option) -> list[str]:
    """Return all values of an option that is one of some names."""
    if option.names_or_file:
        return list(option.names_or_file.names)
    return [str(option_text(member)) for member in option.type] if issubclass(option.type, IntEnum) else []
