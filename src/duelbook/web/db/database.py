"""Databases: their URLs, and SQLAlchemy engines whose commits are durable."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from duelbook.errors import RefusedError
from duelbook.web.db.errors import error_reason
from duelbook.web.db.sqlite_file import SqliteFile
from duelbook.web.db.threads import DatabaseThreads

BUSY_MILLISECONDS = 5000
CONNECT_SECONDS = 3
PAGE_BYTES = 4096
READERS = 4

SQLITE = "sqlite"
DRIVERS = {SQLITE: "sqlite", "postgresql": "postgresql+psycopg"}
PRAGMAS = (f"busy_timeout={BUSY_MILLISECONDS}", "synchronous=FULL")
SERVICE_PRAGMAS = (*PRAGMAS, "foreign_keys=ON", "journal_mode=WAL")

# Time limits of PostgreSQL for the service, so that no session waits, or keeps others waiting, for long.
SESSION_LIMITS = {"lock_timeout": "3s", "statement_timeout": "4s", "idle_in_transaction_session_timeout": "5s"}
CONNECTION_LIMITS = {  # for connections whose other end is silent; of libpq
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,  # milliseconds
}

T = TypeVar("T")


def database_url(text: str) -> URL:
    """Return the URL with the driver that Duelbook uses, or raise RefusedError."""
    try:
        url = make_url(text)
        url = url.set(drivername=DRIVERS[url.get_backend_name()])
    except (ArgumentError, KeyError, ValueError) as error:
        raise RefusedError("The database URL must be sqlite:///FILE or postgresql://USER@HOST/NAME.") from error
    if is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise RefusedError("An SQLite database needs a file: sqlite:///FILE.")
    return url


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == SQLITE


# The engines of the service


def write_engine(url: URL, megabytes: int = 0) -> Engine:
    """Return an engine with one connection, whose transactions may write from their start."""
    if not is_sqlite(url):
        return _postgres(url, pool_size=1)
    limit = [f"max_page_count={megabytes * 1024 * 1024 // PAGE_BYTES}"] if megabytes else []
    engine = create_engine(url, pool_size=1, max_overflow=0)
    return _configured(engine, "BEGIN IMMEDIATE", [*SERVICE_PRAGMAS, *limit])


def read_engine(url: URL) -> Engine:
    """Return an engine whose transactions see one state of the database, however many queries they make."""
    if not is_sqlite(url):
        return _postgres(url, pool_size=READERS).execution_options(isolation_level="REPEATABLE READ")
    return _configured(create_engine(url, pool_size=READERS, max_overflow=0), "BEGIN", SERVICE_PRAGMAS)


def autocommit_engine(url: URL) -> Engine:
    """Return an engine for single queries, which need no transaction."""
    if not is_sqlite(url):
        return _postgres(url, pool_size=READERS, isolation_level="AUTOCOMMIT")
    options: dict[str, Any] = {"pool_size": READERS, "max_overflow": 0, "pool_reset_on_return": None}
    return _configured(create_engine(url, isolation_level="AUTOCOMMIT", **options), None, SERVICE_PRAGMAS)


def _postgres(url: URL, **options: Any) -> Engine:
    limits = {name: value for name, value in CONNECTION_LIMITS.items() if name not in url.query}
    arguments = limits | _durable(url, SESSION_LIMITS)
    return create_engine(url, connect_args=arguments, max_overflow=0, pool_timeout=CONNECT_SECONDS, **options)


def _durable(url: URL, session: Mapping[str, str]) -> dict[str, Any]:
    """Return the argument that makes commits durable whatever the defaults of the server and the URL's options are."""
    before = [f"-c {name}={value}" for name, value in session.items()]
    return {"options": " ".join([*before, *url.normalized_query.get("options", ()), "-c synchronous_commit=on"])}


def _configured(engine: Engine, begin: str | None, pragmas: Sequence[str]) -> Engine:
    """Return the SQLite engine, with the pragmas set on every connection and transactions begun as given."""

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions itself
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    if begin:
        event.listen(engine, "begin", partial(execute_in_sqlite, sql=begin))
    return engine


def execute_in_sqlite(
    connection: Connection, sql: str, parameters: Sequence[Any] = ()
) -> tuple[Sequence[tuple[Any, ...]], int]:
    """Execute SQL with the driver itself, since SQLAlchemy takes longer than SQLite.

    Return the rows that it found, and how many it changed. It begins no transaction, as SQLAlchemy would.
    """
    driver: Any = connection.connection.driver_connection
    try:
        cursor = driver.execute(sql, parameters)
        return cursor.fetchall(), cursor.rowcount
    except sqlite3.Error as error:
        raise DBAPIError.instance(sql, None, error, sqlite3.Error, hide_parameters=True) from error


class Database(Protocol):
    """Connections of one kind to the database."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run the work in a transaction, and return its result once that is committed.

        The work may be run twice if its connection was lost before the first commit. Raise StoreUnavailableError if
        the database fails or does not answer in time; work that has not begun by then is never run.
        """

    async def close(self) -> None: ...


class Databases(NamedTuple):
    """The connections of the service, each kind with its own transactions."""

    reading: Database
    autocommit: Database
    writing: Database
    upkeep: Database  # for the uptime, so that a lock on it does not hold up moves


def open_databases(url: str, megabytes: int = 0) -> Databases:
    """Return connections to the database with this URL, or raise RefusedError."""
    parsed = database_url(url)
    file = SqliteFile(Path(parsed.database or "")) if is_sqlite(parsed) else None
    writing = DatabaseThreads(write_engine(parsed, megabytes), 1, file, writing=True)
    return Databases(
        DatabaseThreads(read_engine(parsed), READERS, file),
        DatabaseThreads(autocommit_engine(parsed), READERS, file),
        writing,
        writing if file else DatabaseThreads(write_engine(parsed), 1),  # SQLite has one writer at a time anyway
    )


# One connection for a single job: migrations, copies, checks


@contextmanager
def open_database(url: URL, *, writing: bool = False) -> Iterator[Connection]:
    """Yield a connection in one transaction, which sees one state; raise RefusedError for errors of the database."""
    engine = _single_engine(url, writing)
    try:
        with refuse_errors(url), engine.connect() as connection:
            yield connection
            if writing:
                connection.commit()
    finally:
        engine.dispose()


def _single_engine(url: URL, writing: bool) -> Engine:
    if not is_sqlite(url):
        isolation = {} if writing else {"isolation_level": "REPEATABLE READ"}
        return create_engine(url, connect_args={"connect_timeout": CONNECT_SECONDS, **_durable(url, {})}, **isolation)
    if not writing:
        sqlite_file(url)
    # A migration may recreate a table: with foreign keys on, rows of other tables would go with the old one.
    return _configured(create_engine(url), "BEGIN IMMEDIATE" if writing else "BEGIN", [*PRAGMAS, "foreign_keys=OFF"])


@contextmanager
def refuse_errors(url: URL) -> Iterator[None]:
    """Turn errors of the database into a RefusedError that names it."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise RefusedError(f"The database {display_url(url)} cannot be used: {error_reason(error)}.") from error


def display_url(url: URL) -> str:
    """Return the URL as people write it, without the password."""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def sqlite_file(url: URL) -> Path:
    """Return the file of an SQLite database, or raise RefusedError if there is none."""
    file = Path(url.database or "")
    if not file.is_file():
        raise RefusedError(f"There is no file {file}.")
    return file
