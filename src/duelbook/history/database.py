"""The file of the history: an SQLite database that is opened for each piece of work. Every failure is one sentence.

It has a rollback journal, not a write-ahead log: the history is one file, which can be copied, and a process that is
killed in the middle of a change leaves what was there before. Several terminals wait for one another for a moment.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from platformdirs import user_data_path

from duelbook.errors import RefusedError

WAIT_SECONDS = 3.0  # for another terminal that is writing
APPLICATION_ID = 0x4455454C  # marks the file as a history
VERSION = 2  # of the table
MIN_SQLITE = (3, 31)  # which has columns that follow from others
GIVEN = ("version", "record", "changed", "helped", "imported")  # the columns that are written; the others follow
IDENTITY = "'$.game', '$.options', '$.players', '$.seed', '$.started'"  # what all records of one match have in common
TABLE = f"""CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- what people type; never used again
    version INTEGER NOT NULL, -- grows with every change, so that two terminals do not overwrite each other
    record TEXT NOT NULL, -- as docs/record-format.md specifies it
    changed TEXT NOT NULL, -- when it was last played, ISO 8601, UTC
    helped INTEGER NOT NULL, -- values or hints were shown
    imported INTEGER NOT NULL,
    identity TEXT AS (json_extract(record, {IDENTITY})) STORED,
    game TEXT AS (json_extract(record, '$.game')) STORED,
    name1 TEXT AS (json_extract(record, '$.players[0].name')) STORED,
    agent1 TEXT AS (json_extract(record, '$.players[0].agent')) STORED,
    name2 TEXT AS (json_extract(record, '$.players[1].name')) STORED,
    agent2 TEXT AS (json_extract(record, '$.players[1].agent')) STORED,
    first INTEGER AS (json_extract(record, '$.players[1].seat') = 'first') STORED, -- 0 for Player 1, 1 for Player 2
    moves INTEGER AS (json_array_length(record, '$.moves')) STORED,
    outcome TEXT AS (json_extract(record, '$.result')) STORED,
    reason TEXT AS (json_extract(record, '$.reason')) STORED,
    person INTEGER AS ( -- the only person, or NULL if there are two or none
        CASE WHEN (agent1 = 'human') <> (agent2 = 'human') THEN agent2 = 'human' END
    ) STORED,
    opponent TEXT AS ( -- the agent that the person played against; human for two people, empty for two agents
        CASE person WHEN 0 THEN agent2 WHEN 1 THEN agent1 ELSE iif(agent1 = 'human', 'human', '') END
    ) STORED,
    winner INTEGER AS (CASE outcome WHEN 'first' THEN first WHEN 'second' THEN 1 - first END) STORED,
    result TEXT AS ( -- for the person
        CASE WHEN reason = 'unfinished' THEN 'unfinished' WHEN person IS NULL OR outcome = 'none' THEN 'none'
        WHEN winner IS NULL THEN 'drawn' WHEN winner = person THEN 'won' ELSE 'lost' END
    ) STORED
)"""
INDEX = "CREATE INDEX games_by_identity ON games (identity)"
REASONS = {
    sqlite3.SQLITE_FULL: "there is no room left on the disk",
    sqlite3.SQLITE_BUSY: "another terminal is writing to it",
    sqlite3.SQLITE_LOCKED: "another terminal is writing to it",
    sqlite3.SQLITE_READONLY: "it cannot be written to",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_PERM: "it cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written to",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is damaged",
}
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class HistoryError(RefusedError):
    """The history cannot be read or written; the message is a sentence for a person."""


class DamagedHistoryError(HistoryError):
    """The file of the history is damaged, or is not a history."""

    def __init__(self, path: Path, why: str = "it is damaged") -> None:
        super().__init__(
            f"The history '{path}' cannot be used: {why}. "
            "Start a new one with what can be read: duelbook history repair"
        )


def history_file() -> Path:
    """Return the file of the history, in the user's data folder."""
    return user_data_path("duelbook") / "history.sqlite"


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the history to read it. One that does not exist is empty."""
    with _explained(path):
        is_new = not path.exists() or not path.stat().st_size
        with closing(_connect(None if is_new else path)) as connection:
            _check(connection, path)
            try:
                yield connection
            except RefusedError:
                raise
            except (TypeError, ValueError) as error:  # a value that another program wrote
                raise DamagedHistoryError(path) from error


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the history to change it: all changes inside are kept, or none. One that does not exist is made."""
    with _explained(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HistoryError(f"The folder '{path.parent}' cannot be made: {error.strerror}.") from error
        with closing(_connect(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                _check(connection, path)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # what the disk refused may have been rolled back already
                    connection.execute("ROLLBACK")
                raise


def _connect(path: Path | None) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < MIN_SQLITE:
        needed = ".".join(map(str, MIN_SQLITE))
        raise HistoryError(f"The history needs SQLite {needed} or newer; this Python has {sqlite3.sqlite_version}.")
    connection = sqlite3.connect(path or ":memory:", timeout=WAIT_SECONDS, isolation_level=None)
    connection.row_factory = sqlite3.Row
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Make the table in a new file. Raise HistoryError if the file is not a history that this version can use."""
    [mark], [version] = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark == APPLICATION_ID and version == VERSION:
        return
    if mark == APPLICATION_ID:
        raise HistoryError(
            f"The history '{path}' was written by another version of Duelbook. Move it away to begin a new one."
        )
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise DamagedHistoryError(path, "it is a database of another program")
    for statement in (TABLE, INDEX):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Raise HistoryError instead of the errors of SQLite and of the system."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the higher bits say more than people need
        if code in DAMAGED:
            raise DamagedHistoryError(path) from error
        if path.is_dir():
            raise HistoryError(
                f"The history '{path}' cannot be used: it is a folder. Move it away to begin a new history."
            ) from error
        why = REASONS.get(code, str(error))
        raise HistoryError(f"The history '{path}' cannot be used: {why}.") from error
    except OSError as error:
        raise HistoryError(f"The history '{path}' cannot be used: {error.strerror}.") from error
