"""Engines: how the databases are opened, so that a commit is durable and a write never waits in vain."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from duelbook.errors import RefusedError

BUSY_MILLISECONDS = 5000
PAGE_BYTES = 4096
READERS = 4

DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
PRAGMAS = (f"busy_timeout={BUSY_MILLISECONDS}", "synchronous=FULL")


def database_url(text: str) -> URL:
    """Answer the URL with the driver that Duelbook uses, or refuse what is none."""
    try:
        url = make_url(text)
        url = url.set(drivername=DRIVERS[url.get_backend_name()])
    except (ArgumentError, KeyError, ValueError) as error:
        raise RefusedError("the database url is not one of sqlite:///FILE and postgresql://USER@HOST/NAME") from error
    if is_sqlite(url) and url.database in (None, "", ":memory:"):
        raise RefusedError("an SQLite database needs a file: sqlite:///FILE")
    return url


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def writing_engine(url: URL, megabytes: int = 0) -> Engine:
    """Answer an engine with one connection, whose transactions hold the right to write from their start."""
    if is_sqlite(url):
        return _sqlite(url, "BEGIN IMMEDIATE", megabytes, pool_size=1)
    return _postgres(url, pool_size=1)


def reading_engine(url: URL) -> Engine:
    """Answer an engine whose transactions see one state of the database, however many questions they ask."""
    if is_sqlite(url):
        return _sqlite(url, "BEGIN", 0, pool_size=READERS)
    return _postgres(url, pool_size=READERS).execution_options(isolation_level="REPEATABLE READ")


def glancing_engine(url: URL) -> Engine:
    """Answer an engine for single questions, which need no transaction."""
    options: dict[str, Any] = {"pool_size": READERS, "max_overflow": 0, "isolation_level": "AUTOCOMMIT"}
    if not is_sqlite(url):
        return create_engine(url, pool_pre_ping=True, pool_timeout=5, connect_args=durable(url), **options)
    engine = create_engine(url, pool_reset_on_return=None, **options)
    prepare(engine, "BEGIN", [*PRAGMAS, "foreign_keys=ON", "journal_mode=WAL"])
    return engine


def _sqlite(url: URL, begin: str, megabytes: int, pool_size: int) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=0)
    limit = [f"max_page_count={megabytes * 1024 * 1024 // PAGE_BYTES}"] if megabytes else []
    prepare(engine, begin, [*PRAGMAS, "foreign_keys=ON", "journal_mode=WAL", *limit])
    return engine


def prepare(engine: Engine, begin: str, pragmas: Sequence[str]) -> None:
    """Have every connection set up, and every transaction begun, as said."""

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin as said below, and not by the driver
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _postgres(url: URL, pool_size: int) -> Engine:
    return create_engine(
        url, pool_size=pool_size, max_overflow=0, pool_pre_ping=True, pool_timeout=5, connect_args=durable(url)
    )


def durable(url: URL) -> dict[str, Any]:
    """Answer what a connection is told at its start, whatever the server does by default, besides what the URL says."""
    wished = url.normalized_query.get("options", ())
    return {"options": " ".join([*wished, "-c synchronous_commit=on"]), "connect_timeout": 5}
