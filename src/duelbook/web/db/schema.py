"""The schema: which version a database is at, and how it gets to the newest."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from duelbook.errors import RefusedError
from duelbook.text import shorten
from duelbook.web.db.engine import database_url, is_sqlite
from duelbook.web.db.opening import opened

NEWEST = "0002"  # a test checks that no migration is newer
MIGRATIONS = Path(__file__).parent / "migrations"
TURN = 0xD0E1  # the lock under which migrations of a PostgreSQL database take turns


def upgrade(url: str) -> str | None:
    """Bring the database to the newest schema, in one step or not at all; answer the version it was at."""
    parsed = database_url(url)
    if is_sqlite(parsed):
        _make_folder(Path(parsed.database or ""))
    with opened(parsed, writing=True) as connection:
        return migrate(connection)


def check(url: str) -> None:
    """Refuse a database that is not at the newest schema."""
    with opened(database_url(url)) as connection:
        require(connection)


def require(connection: Connection) -> None:
    """Refuse a database that is not at the newest schema."""
    found = version(connection)
    if found and found > NEWEST:
        raise _unknown(found)
    if found != NEWEST:
        raise RefusedError(f"the database is at schema {found or 'none'}, not {NEWEST}; run: duelbook db upgrade")


def version(connection: Connection) -> str | None:
    """Answer the version of the schema, or None where there is nothing yet; refuse a database of another program."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)
    if tables:
        raise RefusedError(f"the database is one of another program: it has a table '{shorten(tables[0])}'")
    return None


def migrate(connection: Connection) -> str | None:
    """Bring the database to the newest schema within the transaction; answer the version it was at."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({TURN})"))
    before = version(connection)
    if before != NEWEST:
        _run(connection, before)
    return before


def _run(connection: Connection, before: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise _unknown(str(before)) from error


def _unknown(found: str) -> RefusedError:
    return RefusedError(
        f"the database is at schema '{shorten(found)}', which is unknown here: "
        "it is of a newer Duelbook, or of another program"
    )


def _make_folder(file: Path) -> None:
    try:
        file.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RefusedError(f"the folder of {file} cannot be made: {error.strerror}") from error
