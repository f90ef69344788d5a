"""Small files in the person's data folder: progress and last choices. No fault of such a file stops a command."""

import json
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from platformdirs import user_data_path

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.files import write_atomic

T = TypeVar("T", bound=msgspec.Struct)


def data_file(name: str) -> Path:
    """Return the path of the file with this name in the data folder."""
    return user_data_path("duelbook") / name


def load(path: Path, kind: type[T]) -> T:
    """Return the content of the file; that of a new file if it is missing or damaged."""
    with suppress(OSError, RefusedError):
        return read(path.read_bytes(), kind)
    return kind()


def save(value: msgspec.Struct, path: Path) -> str:
    """Write the file atomically. Return an empty text, or why it cannot be written, which is no reason to stop."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, (json.dumps(msgspec.to_builtins(value), indent=2) + "\n").encode())
    except OSError as error:
        return f"Your progress is not kept. '{path}' cannot be written: {error.strerror or error}."
    return ""
