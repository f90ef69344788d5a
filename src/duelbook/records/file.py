"""Records in files: one JSON document each, read with distrust, written whole or not at all."""

import errno
import json
import os
from pathlib import Path

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.files import write_atomic
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Record, RecordError
from duelbook.text import shorten

LARGEST = 4_000_000  # bytes; real records are far smaller


def file_named(text: str) -> Path:
    """Answer the full path of the file that somebody names; refuse what cannot be one."""
    try:
        return Path(text).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise RecordError(f"'{shorten(text)}' cannot be a file: {_why(error)}") from error


def check_new(path: Path) -> None:
    """Refuse to write over a file that is there already."""
    try:
        taken = path.exists() and (not path.is_file() or path.stat().st_size > 0)
    except OSError as error:
        raise RecordError(f"cannot save to '{shorten(str(path))}': {_why(error)}") from error
    if not path.parent.is_dir():
        raise RecordError(f"cannot save to '{shorten(str(path))}': {os.strerror(errno.ENOENT)}")
    if taken:
        raise RecordError(f"'{path}' exists already; give another name, or go on with it by --resume")


def save(record: Record, path: Path) -> None:
    """Write the record so that a crash leaves either the older file or the whole new one."""
    try:
        write_atomic(path, (json.dumps(to_json(record), indent=2) + "\n").encode())
    except OSError as error:
        raise RecordError(f"cannot save to '{shorten(str(path))}': {_why(error)}") from error


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def load(path: Path) -> Record:
    """Answer the record in the file, replayed and checked, or refuse it in a line that names the place."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise RecordError(f"larger than {LARGEST} bytes, so no record")
        return from_json(parse(raw))
    except OSError as error:
        raise RecordError(f"{shorten(str(path))}: {_why(error)}") from error
    except RefusedError as error:
        raise RecordError(f"{path}: {error}") from error
