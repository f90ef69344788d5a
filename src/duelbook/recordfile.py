"""Records in files: one JSON document each, read with distrust, written whole or not at all."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from duelbook.game import RefusedError
from duelbook.record import Record, RecordError
from duelbook.recordjson import from_json, to_json

LARGEST = 4_000_000  # bytes; real records are far smaller


def save(record: Record, path: Path) -> None:
    """Write the record so that a crash leaves either the older file or the whole new one."""
    target = path.resolve()  # a link stays one
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        try:
            with temporary.open("x", encoding="utf-8") as file:
                file.write(json.dumps(to_json(record), indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _settle(target.parent)
    except OSError as error:
        raise RecordError(f"cannot save to '{path}': {error.strerror}") from error


def _settle(folder: Path) -> None:
    """Make a renaming in the folder outlast a power cut, where the system knows how."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def load(path: Path) -> Record:
    """Answer the record in the file, replayed and checked, or refuse it in a line that names the place."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise RecordError(f"larger than {LARGEST} bytes, so no record")
        return from_json(parse(raw))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from error
    except RefusedError as error:
        raise RecordError(f"{path}: {error}") from error


def parse(raw: bytes) -> Any:
    """Answer the JSON value in the bytes, stricter than the json module is by itself."""
    try:
        return json.loads(raw.decode(), object_pairs_hook=_no_name_twice, parse_constant=_no_constant)
    except RecordError:
        raise
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1}: not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise RecordError("not a record: a number or a nesting beyond all measure") from error


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for name, value in pairs:
        if name in seen:
            raise RecordError(f"{name}: given twice")
        seen[name] = value
    return seen


def _no_constant(name: str) -> None:
    raise RecordError(f"{name} is not a JSON number")
