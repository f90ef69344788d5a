"""A lock between processes: the system releases it when its holder ends, even by SIGKILL."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOCK_SUFFIX = ".lock"
PART_SUFFIX = ".part"  # of the file that the holder of the lock is writing
POLL_SECONDS = 0.1


@contextmanager
def locked(file: Path, while_waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock. While another process or thread has it, call the function several times a second.

    Where the folder cannot be written, or the system or the disk has no such locks, there is no lock.
    """
    handle: IO[bytes] | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = file.open("wb")
    except OSError:
        pass
    while handle and not _may_continue(file, handle):
        handle = _wait(file, handle, while_waiting)
    try:
        yield
    finally:
        if handle:
            file.unlink(missing_ok=True)
            handle.close()


def remove_abandoned(folder: Path) -> None:
    """Remove the locks of processes that were killed, and what these were writing."""
    with suppress(OSError):
        for file in folder.glob(f"*{LOCK_SUFFIX}"):
            with suppress(FileNotFoundError), file.open("r+b") as handle:
                if _is_held(file, handle):
                    file.with_suffix(PART_SUFFIX).unlink(missing_ok=True)
                    file.unlink()


def _wait(file: Path, handle: IO[bytes], while_waiting: Callable[[], None]) -> IO[bytes] | None:
    """Wait a moment. Return the lock file, which the one that held the lock may have removed and another one made."""
    try:
        while_waiting()
        time.sleep(POLL_SECONDS)
    finally:
        handle.close()
    with suppress(OSError):
        return file.open("wb")
    return None


def _may_continue(file: Path, handle: IO[bytes]) -> bool:
    """Take the lock if it is free. Return False if another process or thread has it."""
    try:
        return _is_held(file, handle)
    except OSError:  # the disk has no locks
        return True


def _is_held(file: Path, handle: IO[bytes]) -> bool:
    """Take the lock if it is free. Return True if this process holds it now, and the file is still there."""
    try:
        import fcntl  # not on every system

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        return True
    except BlockingIOError:
        return False
    with suppress(FileNotFoundError):
        return file.stat().st_ino == os.fstat(handle.fileno()).st_ino
    return False
