"""The schema: which version a database is at, and its migration to the newest."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from duelbook.errors import RefusedError
from duelbook.text import shorten
from duelbook.web.db.database import database_url, is_sqlite, open_database

NEWEST = "0001"  # a test checks that no migration is newer
MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 0xD0E1  # the advisory lock under which migrations of a PostgreSQL database take turns


def upgrade(url: str) -> str | None:
    """Migrate the database to the newest schema, in one transaction; return the version it was at."""
    parsed = database_url(url)
    if is_sqlite(parsed):
        file = Path(parsed.database or "")
        try:
            file.absolute().parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RefusedError(f"The folder of {file} cannot be created: {error.strerror}.") from error
    with open_database(parsed, writing=True) as connection:
        return migrate(connection)


def check(url: str) -> None:
    """Raise RefusedError unless the database is at the newest schema."""
    with open_database(database_url(url)) as connection:
        require_newest(connection)


def require_newest(connection: Connection) -> None:
    """Raise RefusedError unless the database is at the newest schema."""
    found = version(connection)
    if found and found > NEWEST:
        raise _unknown(found)
    if found != NEWEST:
        raise RefusedError(f"The database is at schema {found or 'none'}, not {NEWEST}. Run: duelbook db upgrade")


def version(connection: Connection) -> str | None:
    """Return the version of the schema, or None for an empty database. Raise RefusedError for another program's."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)
    if tables:
        raise RefusedError(f"The database belongs to another program: it has a table '{shorten(tables[0])}'.")
    return None


def migrate(connection: Connection) -> str | None:
    """Migrate the database to the newest schema within the transaction; return the version it was at."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
    before = version(connection)
    if before != NEWEST:
        _run_migrations(connection, before)
    return before


def _run_migrations(connection: Connection, before: str | None) -> None:
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
        f"The database is at schema '{shorten(found)}', which this version of Duelbook does not know: "
        "it was written by a newer Duelbook or by another program."
    )
