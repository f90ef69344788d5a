"""The file of an SQLite database: whether it is still the one that the service opened, and has room to grow.

SQLite keeps writing to a file that was removed or replaced; what it writes there is lost with the process.
"""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from duelbook.web.db.errors import NO_SPACE, StoreUnavailableError

MIN_FREE_BYTES = 1024 * 1024  # on the disk
MIN_FREE_PAGES = 2  # below the maximum size of the file
LOG_SUFFIXES = ("-wal", "-shm")  # of the write-ahead log and its index
REPLACED = (
    "The database file was removed or replaced while the service was running. "
    "The operator must put it back or restart the service."
)

Identity = tuple[int, int] | None


class SqliteFile:
    """The file and its write-ahead log. Checked in the threads of the store: a check costs a few microseconds."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._known: Identity = None
        self._log: list[Identity] = []
        self._log_of: Any = None  # the connection whose log is known

    def check(self) -> None:
        """Raise StoreUnavailableError if the file is not the one that was there at the first check."""
        found = _identity(self._path)
        if self._known is None:
            self._known = found
        elif found != self._known:
            raise StoreUnavailableError(f"{self._path} was removed or replaced", REPLACED)

    def check_log(self, connection: Any) -> None:
        """Raise StoreUnavailableError if the log is not the one that this connection has written to."""
        if connection is self._log_of and self._log != self._find_log():
            raise StoreUnavailableError(f"the write-ahead log of {self._path} was removed or replaced", REPLACED)

    def check_written(self, connection: Any) -> None:
        """Raise StoreUnavailableError if this connection may have written to a file or a log that is gone.

        A log stays for as long as a connection to it is open; a new connection may find a new one.
        """
        self.check()
        self.check_log(connection)
        if connection is not self._log_of:
            self._log, self._log_of = self._find_log(), connection

    def _find_log(self) -> list[Identity]:
        return [_identity(self._path + suffix) for suffix in LOG_SUFFIXES]


def space_error(connection: Connection) -> StoreUnavailableError | None:
    """Return the error that writes will soon meet: the disk is full, or the file has reached its maximum size."""
    path = connection.engine.url.database
    if connection.dialect.name != "sqlite" or not path:
        return None
    used, free, most = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
        for name in ("page_count", "freelist_count", "max_page_count")
    )
    disk = os.statvfs(Path(path).absolute().parent)
    if disk.f_bavail * disk.f_frsize >= MIN_FREE_BYTES and most - used + free >= MIN_FREE_PAGES:
        return None
    return StoreUnavailableError(f"there is no space left for {path}", NO_SPACE)


def _identity(path: str) -> Identity:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
