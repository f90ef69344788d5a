"""Small files in the person's data folder: progress and last choices. No fault of such a file stops a command.

A damaged one is kept under another name, and a new one begun.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from platformdirs import user_data_path

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.files import free_name, write_atomic

T = TypeVar("T", bound=msgspec.Struct)


def data_file(name: str) -> Path:
    """Return the path of the file with this name in the data folder."""
    return user_data_path("duelbook") / name


def load(path: Path, kind: type[T]) -> T:
    """Return the content of the file; that of a new file if it is missing or damaged."""
    with suppress(OSError, RefusedError):
        return read(path.read_bytes(), kind)
    return kind()


def save(value: msgspec.Struct, path: Path, what: str = "Your progress") -> str:
    """Write the file atomically. Return an empty text, or a sentence if it cannot be written or was damaged before."""
    note = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if _is_damaged(path, type(value)):
            kept = free_name(path)
            path.rename(kept)
            note = f"'{path}' was damaged. It is kept as {kept.name}, and a new one begins."
        write_atomic(path, (json.dumps(msgspec.to_builtins(value), indent=2) + "\n").encode())
    except OSError as error:
        return f"{what} is not kept. '{path}' cannot be written: {error.strerror or error}."
    return note


def _is_damaged(path: Path, kind: type[msgspec.Struct]) -> bool:
    """Return True if there is something else in the file than what belongs there."""
    try:
        read(path.read_bytes(), kind)
    except RefusedError:
        return True
    except OSError:
        pass
    return False
