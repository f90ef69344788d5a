"""The seats that this person has in matches of services: their tokens, in one file that nobody else can read.

The token of a seat is all that is needed to play on it, so it is neither shown nor sent to another server.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
from platformdirs import user_data_path

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.files import write_private
from duelbook.game import SeatName
from duelbook.online.errors import OnlineError

FOLDER, FILE = "online", "seats.json"  # in the data folder
MAX_SEATS = 500  # the oldest ones are forgotten
LOCK_SECONDS = 5.0  # to wait for another terminal
POLL_SECONDS = 0.02
MAX_TIME = 2**32


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat in a match."""

    server: str  # its origin
    match: str
    seat: SeatName
    token: str
    game: str
    taken: Annotated[int, msgspec.Meta(ge=0, le=MAX_TIME)] | None = None  # when, in seconds since 1970

    def __repr__(self) -> str:
        return f"Seat({self.server!r}, {self.match!r}, {self.seat!r})"


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    seats: list[Seat] = msgspec.field(default_factory=list)  # the newest one last


def seats_file() -> Path:
    """Return the file with the seats."""
    return user_data_path("duelbook") / FOLDER / FILE


class SeatStore:
    """The seats in a file. Several terminals may change it at the same time."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or seats_file()

    def find(self, server: str | None, match: str) -> Seat | None:
        """Return this person's seat in the match, on that server or on any. None if there is none."""
        return next((seat for seat in self.at(server) if seat.match == match), None)

    def at(self, server: str | None = None) -> list[Seat]:
        """Return this person's seats on a server, or on all, the newest one first."""
        return [seat for seat in reversed(self._load()) if server in (None, seat.server)]

    def add(self, seat: Seat) -> None:
        """Keep the seat, or raise OnlineError."""
        with self._changing():
            others = [one for one in self._load() if (one.server, one.match) != (seat.server, seat.match)]
            self._save([*others, seat][-MAX_SEATS:])

    def _load(self) -> list[Seat]:
        try:
            return read(self.path.read_bytes(), _Document).seats
        except FileNotFoundError:
            return []
        except OSError as error:
            raise OnlineError(f"The file with your seats, '{self.path}', cannot be read: {error.strerror}.") from error
        except RefusedError as error:
            raise OnlineError(
                f"The file with your seats, '{self.path}', is damaged: {error} Move it away to start a new one."
            ) from error

    def _save(self, seats: list[Seat]) -> None:
        write_private(self.path, msgspec.json.format(msgspec.json.encode(_Document(seats))) + b"\n")

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let only this process change the file. The system ends the lock of a process that is killed."""
        try:
            self.path.parent.parent.mkdir(parents=True, exist_ok=True)
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            self.path.parent.chmod(0o700)
            with self._lock():
                yield
        except OSError as error:
            raise OnlineError(f"Your seat cannot be kept in '{self.path}': {error.strerror}.") from error

    @contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            import fcntl  # not on every system
        except ImportError:
            yield
            return
        handle = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + LOCK_SECONDS
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(POLL_SECONDS)
            yield
        finally:
            os.close(handle)
