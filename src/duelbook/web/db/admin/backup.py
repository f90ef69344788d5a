"""The backup of an SQLite store: a file with its state at one moment, made while the service runs."""

import os
import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.files import sync_folder
from duelbook.web.db.admin.check import Inconsistency, changed_moves
from duelbook.web.db.database import (
    BUSY_MILLISECONDS,
    database_url,
    is_sqlite,
    open_database,
    sqlite_file,
)
from duelbook.web.db.errors import error_reason
from duelbook.web.db.schema import NEWEST, version

SQLITE_SUFFIXES = ("", "-journal", "-wal", "-shm")  # of the files that SQLite may create for one database


def backup(url: str, file: Path) -> tuple[str, list[Inconsistency]]:
    """Copy the store into a new file, which appears once it is complete.

    Return the version of its schema, and the matches in it whose moves are not those that were acknowledged.
    """
    parsed = database_url(url)
    if not is_sqlite(parsed):
        raise RefusedError("db backup is for SQLite. For PostgreSQL use pg_dump.")
    if file.exists() or file.is_symlink():
        raise RefusedError(f"{file} already exists. Name a new file for the backup.")
    with open_database(parsed) as connection:
        found = version(connection)
    if found is None:
        raise RefusedError(f"There is nothing to back up in {parsed.database}: the database is empty.")
    part = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        _copy(sqlite_file(parsed), part)
        with open_database(parsed.set(database=str(part), query={})) as connection:
            findings = list(changed_moves(connection)) if found == NEWEST else []
        os.rename(part, file)
        sync_folder(file.parent)
    except (sqlite3.Error, OSError) as error:
        raise RefusedError(f"The backup {file} cannot be written: {error_reason(error)}.") from error
    finally:
        for suffix in SQLITE_SUFFIXES:
            part.with_name(part.name + suffix).unlink(missing_ok=True)
    return found, findings


def _copy(source: Path, part: Path) -> None:
    """Copy the database in one step, which sees one state of it and blocks no writer."""
    part.touch(mode=0o600, exist_ok=False)
    with (
        closing(sqlite3.connect(source, timeout=BUSY_MILLISECONDS / 1000)) as old,
        closing(sqlite3.connect(part, isolation_level=None)) as new,
    ):
        old.backup(new)
        (found,) = new.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise RefusedError(f"The store {source} is damaged, so no backup was made. Run: duelbook db check")
        new.execute("PRAGMA journal_mode=DELETE")  # a single file that can be read anywhere
    shutil.copymode(source, part)
    with part.open("rb") as written:
        os.fsync(written.fileno())
