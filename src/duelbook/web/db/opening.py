"""Opening a database for work that is done once: migrations, copies, checks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError

from duelbook.errors import RefusedError
from duelbook.web.db.engine import PRAGMAS, durable, is_sqlite, prepare


@contextmanager
def opened(url: URL, *, writing: bool = False) -> Iterator[Connection]:
    """Give one transaction, which sees one state; whatever the database cannot do is refused in a sentence."""
    engine = _writing(url) if writing else _reading(url)
    try:
        with refusing(url), engine.connect() as connection:
            yield connection
            if writing:
                connection.commit()
    finally:
        engine.dispose()


@contextmanager
def refusing(url: URL) -> Iterator[None]:
    """Refuse in a sentence what the database cannot do."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise RefusedError(f"the database {named(url)} cannot be used: {reason(error)}") from error


def named(url: URL) -> str:
    """Answer the URL as people write it, without the password."""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def reason(error: BaseException) -> str:
    """Answer in a line what the database said."""
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).strip().split("\n")[0]


def file_of(url: URL) -> Path:
    """Answer the file of an SQLite database, which has to be there."""
    file = Path(url.database or "")
    if not file.is_file():
        raise RefusedError(f"there is no file {file}")
    return file


def _reading(url: URL) -> Engine:
    if not is_sqlite(url):
        return create_engine(url, connect_args=durable(url), isolation_level="REPEATABLE READ")
    file_of(url)
    return _sqlite(url, "BEGIN")


def _writing(url: URL) -> Engine:
    return _sqlite(url, "BEGIN IMMEDIATE") if is_sqlite(url) else create_engine(url, connect_args=durable(url))


def _sqlite(url: URL, begin: str) -> Engine:
    engine = create_engine(url)
    # A migration may make a table anew: with foreign keys the rows of others would go with the old one.
    prepare(engine, begin, [*PRAGMAS, "foreign_keys=OFF"])
    return engine
