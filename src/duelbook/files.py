"""Files and lines that are written whole or not at all."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path


def write_atomic(path: Path, content: bytes) -> None:
    """Write the file so that a crash at any moment leaves either the older content or the whole new one."""
    write_parts(path, [content])


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write the file whole or not at all, of parts that need not be in memory at once."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    settle(path.parent)


def append_whole(file: FileIO, line: bytes) -> None:
    """Append the line, or nothing of it where there is no room for all."""
    end = os.fstat(file.fileno()).st_size
    try:
        while line:
            line = line[file.write(line) :]
    except OSError:
        os.truncate(file.fileno(), end)
        raise


def settle(folder: Path) -> None:
    """Make a renaming in the folder outlast a power cut, where the system can."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
