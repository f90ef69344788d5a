"""The one strict reader of documents from outside."""

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

import msgspec
import pytest

from duelbook.documents import parse, read
from duelbook.errors import RefusedError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Part(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    colour: Colour | None = None


class Pair(NamedTuple):
    number: int
    colour: Colour


class Whole(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    ply: Annotated[int, msgspec.Meta(ge=0, le=10)] | None = None
    seat: Literal["first", "second"] = "first"
    options: dict[str, int | str] = {}
    parts: list[Part] = []
    pair: Pair | None = None


def test_a_document_becomes_a_value_of_the_type() -> None:
    raw = b'{"game": "charge", "ply": 3, "options": {"goal": 21}, "parts": [{"name": "a", "colour": "red"}]}'
    assert read(raw, Whole) == Whole("charge", 3, options={"goal": 21}, parts=[Part("a", Colour.RED)])


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("{}", "game is missing."),
        ("[]", "The document must be an object, not a list."),
        ('{"game": 1}', "game must be text, not a whole number."),
        ('{"game": true}', "game must be text, not true or false."),
        ('{"game": "x", "ply": 11}', "ply must be a whole number of at most 10."),
        ('{"game": "x", "ply": 1.5}', "ply must be a whole number or null, not a number."),
        ('{"game": "x", "seat": "third"}', "seat cannot be 'third'; valid: first, second."),
        (
            '{"game": "x", "parts": [{"name": "a", "colour": "green"}]}',
            "parts[0].colour cannot be 'green'; valid: red, blue.",
        ),
        ('{"game": "x", "pair": [1, "green"]}', "pair[1] cannot be 'green'; valid: red, blue."),
        ('{"game": "x", "parts": [{}]}', "parts[0].name is missing."),
        ('{"game": "x", "other": 1}', "'other' is not a known field."),
        ('{"game": "x", "options": {"a": 1.5}}', "options[...] must be a whole number or text, not a number."),
    ],
)
def test_what_does_not_fit_the_type_is_named_with_what_is_allowed(raw: str, message: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read(raw.encode(), Whole)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"a": 1, "a": 2}', "'a' is given twice."),
        (b"NaN", "NaN is not a JSON number."),
        (b"1e999", "The number 1e999 is too large."),
        (b"9" * 5000, "The JSON holds a number that is too large."),
        (b"[" * 100_000, "The JSON is nested too deeply."),
        (b"\xff", "Byte 1 is not UTF-8 text."),
        (b'"\\ud800"', "The JSON holds half of a surrogate pair."),
        (b"{", "Line 1 is not JSON (Expecting property name enclosed in double quotes)."),
    ],
)
def test_what_is_not_strict_json_is_an_error_of_one_sentence(raw: bytes, message: str) -> None:
    with pytest.raises(RefusedError) as caught:
        parse(raw)
    assert str(caught.value) == message
