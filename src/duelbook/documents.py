"""JSON documents from outside: the one strict reader for all of them.

`parse` reads bytes more strictly than the json module does. `read` also checks the value against a type: a
`msgspec.Struct`, or anything else that msgspec converts to. Declare Structs with `forbid_unknown_fields=True`.
"""

import json
import re
from enum import EnumType
from math import isfinite
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from duelbook.errors import RefusedError
from duelbook.text import shorten

T = TypeVar("T")

TYPE_NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
BOUNDS = (  # patterns for msgspec's wording of a limit, and the plain wording
    (r"(text) of length <= (\d+)", r"\1 of at most \2 characters"),
    (r"of length <= (\d+)", r"of at most \1 entries"),
    (r"of length >= (\d+)", r"of at least \1 entries"),
    (r"<= (\S+)", r"of at most \1"),
    (r">= (\S+)", r"of at least \1"),
    (r"< (\S+)", r"below \1"),
    (r"> (\S+)", r"above \1"),
    (r"(\d)\.0\b", r"\1"),
)

PATTERN = re.compile(r"matching regex '\^?(?:\[(?P<signs>[^]]+)\]\{(?P<least>\d+),(?P<most>\d+)\})?.*'")
SIGNS = {"A-Za-z": "letters", "0-9": "digits", "-": "hyphens", "_": "underscores"}  # of a pattern, and their names


class NotFiniteError(RefusedError):
    """The JSON is well formed, but holds a number that is too large for a float."""


def parse(raw: bytes) -> Any:
    """Return the JSON value in the bytes, or raise RefusedError with the place of the fault."""
    try:
        text = raw.decode()
        value = DECODER.decode(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except RefusedError:
        raise
    except UnicodeEncodeError as error:
        raise RefusedError("The JSON holds half of a surrogate pair.") from error
    except UnicodeDecodeError as error:
        raise RefusedError(f"Byte {error.start + 1} is not UTF-8 text.") from error
    except json.JSONDecodeError as error:
        raise RefusedError(f"Line {error.lineno} is not JSON ({error.msg}).") from error
    except RecursionError as error:
        raise RefusedError("The JSON is nested too deeply.") from error
    except ValueError as error:
        raise RefusedError("The JSON holds a number that is too large.") from error


def read(raw: bytes, kind: type[T]) -> T:
    """Return the document in the bytes as a value of that type, or raise RefusedError."""
    return convert(parse(raw), kind)


def convert(value: Any, kind: type[T]) -> T:
    """Return the parsed JSON value as a value of that type, or raise RefusedError naming the field."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise RefusedError(_sentence(str(error), kind)) from error


def _sentence(message: str, kind: Any) -> str:
    """Return msgspec's message in plain English: which field is wrong, and what it must be."""
    what, _, place = message.partition(" - at ")
    field = place.strip("`").removeprefix("$").lstrip(".")
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"{_joined(field, missing[1])} is missing."
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what, re.DOTALL):
        return f"'{shorten(_joined(field, unknown[1]))}' is not a known field."
    if expected := re.fullmatch(r"Expected (.*?), got (.*)", what):
        what = f"must be {_in_words(expected[1])}, not {_in_words(expected[2])}"
    elif expected := re.fullmatch(r"Expected (.*)", what):
        what = f"must be {_in_words(expected[1])}"
    elif invalid := re.fullmatch(r"Invalid (?:enum )?value (.*)", what):
        allowed = ", ".join(map(str, _allowed(kind, field)))
        what = f"cannot be {shorten(invalid[1])}" + (f"; valid: {allowed}" if allowed else "")
    return f"{field or 'The document'} {what}."


def _allowed(kind: Any, place: str) -> list[Any]:
    """Return the values of the enumeration, the literal or the tags of the union at this place of the type."""
    tags = [one.__struct_config__ for one in get_args(kind) if hasattr(one, "__struct_config__")]
    if place in [config.tag_field for config in tags]:
        return [config.tag for config in tags]
    for name in re.findall(r"[^.\[\]]+", place):
        named = [one for one in (kind, *get_args(kind)) if hasattr(one, "__annotations__")]
        if name.isdigit() and named and issubclass(named[0], tuple):  # a named tuple, which is a list in JSON
            kind = list(get_type_hints(named[0]).values())[int(name)]
        else:
            found = (get_type_hints(one).get(name) for one in named)
            kind = next(filter(None, found), None) or (None, *get_args(kind))[-1]
    choices = [one for one in (kind, *get_args(kind)) if get_origin(one) is Literal or isinstance(one, EnumType)]
    return [value for one in choices for value in (get_args(one) or [member.value for member in one])]


def _joined(place: str, field: str) -> str:
    return f"{place}.{field}" if place else field


def _in_words(expected: str) -> str:
    """Return `int | null` as `a whole number or null`, and a bound or a pattern in words."""
    words = re.sub(r"`([a-z]+)`", lambda name: TYPE_NAMES.get(name[1], name[1]), expected)
    parts = re.sub(r"`([^`]*)`", lambda names: " or ".join(TYPE_NAMES.get(n, n) for n in names[1].split(" | ")), words)
    parts = PATTERN.sub(_pattern_in_words, parts)
    for bound, in_words in BOUNDS:
        parts = re.sub(bound, in_words, parts)
    return parts.strip()


def _pattern_in_words(pattern: re.Match[str]) -> str:
    """Return `[0-9]{1,20}` as `of 1 to 20 digits`. Nobody but a programmer can read a pattern itself."""
    rest = pattern["signs"] or ""
    names: list[str] = []
    for sign, name in SIGNS.items():  # ranges first, since they contain a hyphen
        if sign in rest:
            rest, names = rest.replace(sign, ""), [*names, name]
    if not names:
        return "of another form"
    listed = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"of {pattern['least']} to {pattern['most']} {listed}"


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for name, value in pairs:
        if name in seen:
            raise RefusedError(f"'{shorten(name)}' is given twice.")
        seen[name] = value
    return seen


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise NotFiniteError(f"The number {shorten(text)} is too large.")
    return number


def _no_constant(name: str) -> None:
    raise RefusedError(f"{name} is not a JSON number.")


DECODER = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_float=_finite, parse_constant=_no_constant)
