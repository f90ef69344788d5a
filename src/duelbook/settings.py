"""Settings: dataclasses whose fields can also be set by environment variables."""

import os
from collections.abc import Mapping
from dataclasses import Field, field, fields
from enum import StrEnum
from typing import Any, TypeVar

from duelbook.errors import RefusedError, check_range
from duelbook.text import shorten

MAX_NUMBER = 999_999_999  # unless a setting has its own maximum
BOOLEANS = {"yes": True, "on": True, "true": True, "1": True, "no": False, "off": False, "false": False, "0": False}

S = TypeVar("S")


def setting(default: Any, about: str, minimum: float | None = None, *, secret: bool = False) -> Any:
    """Return a field of a settings class with its description and, if it is a number, its minimum."""
    return field(default=default, metadata={"about": about, "minimum": minimum}, repr=not secret)


def read_settings(
    kind: type[S],
    prefix: str,
    environment: Mapping[str, str] | None = None,
    maxima: Mapping[str, float] | None = None,
    **flags: Any,
) -> S:
    """Return the settings, or raise RefusedError. Flags override environment variables, which override defaults."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for known in fields(kind):  # type: ignore[arg-type] # a dataclass
        flag, variable = flags.get(known.name), prefix + known.name.upper()
        value = _read(known, variable, environment.get(variable)) if flag is None else flag
        if known.metadata["minimum"] is not None:
            name = variable if flag is None else known.name.replace("_", " ")
            check_range(name, value, known.metadata["minimum"], (maxima or {}).get(known.name, MAX_NUMBER))
        values[known.name] = value
    return kind(**values)


def _read(known: "Field[Any]", variable: str, text: str | None) -> Any:
    if text is None or not text.strip():
        return known.default
    kind: type[Any] = type(known.default)
    text = text.strip()
    if kind is bool and text.lower() in BOOLEANS:
        return BOOLEANS[text.lower()]
    try:
        if kind is not bool:
            return kind(text.lower() if issubclass(kind, StrEnum) else text)
    except ValueError:
        pass
    valid = "yes or no" if kind is bool else "a whole number" if kind is int else "a number"
    if issubclass(kind, StrEnum):
        valid = " or ".join(kind)
    raise RefusedError(f"{variable} must be {valid}, not '{shorten(text)}'.")
