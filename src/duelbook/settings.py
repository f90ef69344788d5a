"""Settings: dataclasses whose fields are also environment variables, written down once."""

import os
from collections.abc import Mapping
from dataclasses import Field, field, fields
from typing import Any, TypeVar

from duelbook.errors import RefusedError
from duelbook.text import shorten

HIGHEST = 999_999_999  # of any number, unless a setting has a bound of its own
SWITCH = {"yes": True, "on": True, "true": True, "1": True, "no": False, "off": False, "false": False, "0": False}

S = TypeVar("S")


def setting(default: Any, about: str, low: float | None = None, *, secret: bool = False) -> Any:
    """Answer the field of a settings class: what it is for, and the least that a number may be."""
    return field(default=default, metadata={"about": about, "low": low}, repr=not secret)


def read_settings(
    kind: type[S],
    prefix: str,
    environment: Mapping[str, str] | None = None,
    highest: Mapping[str, float] | None = None,
    **flags: Any,
) -> S:
    """Answer the settings: a flag goes before an environment variable, and that before the default."""
    environment = os.environ if environment is None else environment
    given: dict[str, Any] = {}
    for known in fields(kind):  # type: ignore[arg-type] # a dataclass
        value, variable = flags.get(known.name), prefix + known.name.upper()
        given[known.name] = _read(known, variable, environment.get(variable)) if value is None else value
        name = variable if value is None else known.name.replace("_", " ")
        _check(name, known.metadata["low"], given[known.name], (highest or {}).get(known.name, HIGHEST))
    return kind(**given)


def _read(known: "Field[Any]", variable: str, text: str | None) -> Any:
    if text is None or not text.strip():
        return known.default
    kind: type[Any] = type(known.default)
    text = text.strip()
    if kind is bool and text.lower() in SWITCH:
        return SWITCH[text.lower()]
    try:
        if kind is not bool:
            return kind(text)
    except ValueError:
        pass
    valid = "yes or no" if kind is bool else "a number"
    raise RefusedError(f"{variable} must be {valid}, not '{shorten(text)}'")


def _check(name: str, low: float | None, value: Any, high: float) -> None:
    if low is not None and not low <= value <= high:
        raise RefusedError(f"{name} must be from {low} to {high}, not {value}")
