"""Records in files: one JSON document each, checked when read, written atomically."""

import json
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.files import check_new_file, write_atomic
from duelbook.records.record import Record, RecordError
from duelbook.text import shorten

MAX_FILE_BYTES = 4_000_000  # real records are far smaller


def check_new(path: Path) -> None:
    """Raise RefusedError if the file exists and is not empty, or its folder does not exist."""
    check_new_file(path, "continue that game with --resume")


def save_record(record: Record, path: Path | str) -> None:
    """Write the record atomically, or raise RecordError."""
    from duelbook.records.document import to_json  # here and below, so that a game starts sooner

    try:
        write_atomic(Path(path), (json.dumps(to_json(record), indent=2) + "\n").encode())
    except OSError as error:
        raise RecordError(f"Cannot save to '{shorten(str(path))}': {error.strerror}.") from error


def load_record(path: Path | str) -> Record:
    """Return the record in the file, or raise RecordError in one line. The moves are replayed and checked."""
    from duelbook.documents import parse
    from duelbook.records.document import from_json

    try:
        with Path(path).open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
        if len(raw) > MAX_FILE_BYTES:
            raise RecordError(f"The file is larger than {MAX_FILE_BYTES} bytes, so it is not a record.")
        return from_json(parse(raw))
    except OSError as error:
        raise RecordError(f"{shorten(str(path))}: {error.strerror}.") from error
    except RefusedError as error:
        raise RecordError(f"{path}: {error}") from error
