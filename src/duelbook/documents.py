"""JSON from outside, read stricter than the json module does by itself."""

import json
from typing import Any

from duelbook.errors import RefusedError
from duelbook.text import shorten


def parse(raw: bytes) -> Any:
    """Answer the JSON value in the bytes, or refuse them with the place."""
    try:
        text = raw.decode()
        value = DECODER.decode(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except RefusedError:
        raise
    except UnicodeEncodeError as error:
        raise RefusedError("half of a character: a surrogate without the other one") from error
    except UnicodeDecodeError as error:
        raise RefusedError(f"byte {error.start + 1}: not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise RefusedError(f"line {error.lineno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise RefusedError("a number or a nesting beyond all measure") from error


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for name, value in pairs:
        if name in seen:
            raise RefusedError(f"{shorten(name)}: given twice")
        seen[name] = value
    return seen


def _no_constant(name: str) -> None:
    raise RefusedError(f"{name} is not a JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=_no_name_twice, parse_constant=_no_constant)
