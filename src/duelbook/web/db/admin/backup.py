"""A backup: the file of an SQLite store as it is at one moment, while the service goes on."""

import os
import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.files import settle
from duelbook.web.db.engine import BUSY_MILLISECONDS, database_url, is_sqlite
from duelbook.web.db.opening import file_of, opened, reason
from duelbook.web.db.schema import version

ASIDE = ("", "-journal", "-wal", "-shm")  # the files that SQLite may make of one


def backup(url: str, file: Path) -> str:
    """Copy the store into a new file, which is there once it is whole; answer the version of its schema."""
    parsed = database_url(url)
    if not is_sqlite(parsed):
        raise RefusedError("db backup is for SQLite; PostgreSQL has pg_dump")
    if file.exists() or file.is_symlink():
        raise RefusedError(f"{file} exists already; a backup goes into a new file")
    with opened(parsed) as connection:
        found = version(connection)
    if found is None:
        raise RefusedError(f"there is nothing to back up in {parsed.database}: it is at no schema")
    part = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        _copy(file_of(parsed), part)
        os.rename(part, file)
        settle(file.parent)
    except (sqlite3.Error, OSError) as error:
        raise RefusedError(f"the backup {file} cannot be made: {reason(error)}") from error
    finally:
        for suffix in ASIDE:
            part.with_name(part.name + suffix).unlink(missing_ok=True)
    return found


def _copy(source: Path, part: Path) -> None:
    """Copy the database in one step, which sees one state of it and keeps nobody from writing."""
    part.touch(mode=0o600, exist_ok=False)
    with (
        closing(sqlite3.connect(source, timeout=BUSY_MILLISECONDS / 1000)) as old,
        closing(sqlite3.connect(part, isolation_level=None)) as new,
    ):
        old.backup(new)
        (found,) = new.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise RefusedError(f"the store {source} is damaged, and a copy of it would be, too")
        new.execute("PRAGMA journal_mode=DELETE")  # one file that can be read from anywhere
    shutil.copymode(source, part)
    with part.open("rb") as written:
        os.fsync(written.fileno())
