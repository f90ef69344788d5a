"""The file of an SQLite database: whether it is still the one that the service opened, and has room to grow.

SQLite keeps writing to a file that was removed or replaced; what it writes there is lost with the process. Nor does it
notice that the file was overwritten, and mixes both contents.
"""

import os
import threading
import time
import weakref
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
OVERWRITTEN = (
    "The database file was overwritten while the service was running. The operator must stop the service, "
    "remove the -wal and -shm files beside the file, restore it again, and start the service."
)

# Of the header of the file
HEADER_BYTES = 100
FORMAT = slice(18, 20)  # 2, 2 while there is a write-ahead log, which a backup does not have: it is 1, 1 there
USER_VERSION = slice(60, 64)
MAX_USER_VERSION = 2**31 - 1
REREAD_SECONDS = 0.01  # after which a header is complete that was being written

Identity = tuple[int, int] | None


class SqliteFile:
    """The file and its write-ahead log. Checked in the threads of the store: a check costs a few microseconds."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._known: Identity = None
        self._opening = threading.Lock()
        self._descriptor = -1  # once the file is known
        self._mark = b""  # grows with the state of the file
        self._overwritten = False
        self._log: list[Identity] = []
        self._log_of: Any = None  # the connection whose log is known

    def check(self) -> None:
        """Raise StoreUnavailableError if the file is not the one that was there at the first check."""
        if self._known is None:
            self._open()
        if _identity(self._path) != self._known:
            raise StoreUnavailableError(f"{self._path} was removed or replaced", REPLACED)
        if self._is_overwritten():
            raise StoreUnavailableError(f"{self._path} was overwritten", OVERWRITTEN)

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

    def _open(self) -> None:
        """Open the file until nobody uses it any more: to close it would drop the locks that SQLite has on it."""
        with self._opening:
            if self._known is None:
                self._descriptor = os.open(self._path, os.O_RDONLY)
                weakref.finalize(self, os.close, self._descriptor)
                found = os.fstat(self._descriptor)
                self._known = found.st_dev, found.st_ino

    def _is_overwritten(self) -> bool:
        """Return True if the file has ever held an older state than before. SQLite itself only writes newer ones.

        A copy that is newer than what the file holds is no danger: the log has all that was changed since then.
        """
        known = self._mark  # read before the file, since other threads do the same
        found = self._read_mark()
        if found < known:
            time.sleep(REREAD_SECONDS)
            found = self._read_mark()
        if found < known:
            self._overwritten = True
        else:
            self._mark = found
        return self._overwritten

    def _read_mark(self) -> bytes:
        header = os.pread(self._descriptor, HEADER_BYTES, 0)
        return header[FORMAT] + header[USER_VERSION]

    def _find_log(self) -> list[Identity]:
        return [_identity(self._path + suffix) for suffix in LOG_SUFFIXES]


def mark_uptime(connection: Connection, seconds: float) -> None:
    """Write the uptime into the header of an SQLite file, so that an older state of the file is recognized."""
    if connection.dialect.name == "sqlite":
        mark = min(int(seconds), MAX_USER_VERSION)
        if mark > connection.exec_driver_sql("PRAGMA user_version").scalar_one():
            connection.exec_driver_sql(f"PRAGMA user_version={mark}")


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
