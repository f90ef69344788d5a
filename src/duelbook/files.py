"""Files that are written atomically: a crash leaves either the old content or all of the new content."""

import errno
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.text import shorten


def full_path(text: str) -> Path:
    """Return the full path of the named file, or raise RefusedError if the text cannot be a path."""
    try:
        return Path(text).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RefusedError(f"'{shorten(text)}' cannot be a file: {reason.rstrip('.')}.") from error


def check_new_file(path: Path, instead: str) -> None:
    """Raise RefusedError if the file exists and is not empty, or its folder does not exist.

    `instead` says what a person can do other than to choose another file.
    """
    try:
        in_use = path.exists() and (not path.is_file() or path.stat().st_size > 0)
    except OSError as error:
        raise RefusedError(f"Cannot save to '{shorten(str(path))}': {error.strerror}.") from error
    if not path.parent.is_dir():
        raise RefusedError(f"Cannot save to '{shorten(str(path))}': {os.strerror(errno.ENOENT)}.")
    if path.is_dir():
        raise RefusedError(f"'{path}' is a folder. Name a file in it.")
    if in_use:
        raise RefusedError(f"'{path}' already exists. Choose another file, or {instead}.")


def free_name(path: Path) -> Path:
    """Return a name beside a damaged file that is not in use, such as `history-damaged-1.sqlite`."""
    number = 1
    while (free := path.with_stem(f"{path.stem}-damaged-{number}")).exists():
        number += 1
    return free


def write_atomic(path: Path, content: bytes) -> None:
    """Write the file atomically."""
    write_parts(path, [content])


def write_private(path: Path, content: bytes) -> None:
    """Write the file atomically, so that at no time another user can read it."""
    write_parts(path, [content], permissions=0o600)


def write_parts(
    path: Path, parts: Iterable[bytes | memoryview], temporary: Path | None = None, permissions: int = 0o666
) -> None:
    """Write the file atomically from parts that need not be in memory at the same time.

    A temporary file with a given name is replaced if it is there. The permissions are those of a new file.
    """
    mode = "wb" if temporary else "xb"
    temporary = temporary or path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(temporary, mode, opener=lambda name, flags: os.open(name, flags, permissions)) as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def append_atomic(file: FileIO, line: bytes) -> int:
    """Append the line and return where it begins. All of it is written or nothing, also on a full disk or by Ctrl-C."""
    begin = end = os.fstat(file.fileno()).st_size
    try:
        while end < begin + len(line):
            end += file.write(line[end - begin :])
    except BaseException:
        if os.fstat(file.fileno()).st_size < begin + len(line):
            os.truncate(file.fileno(), begin)
        raise
    return begin


def sync_folder(folder: Path) -> None:
    """Flush the folder to the disk, so that a rename in it survives a power cut (where the system can do that)."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
