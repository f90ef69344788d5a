"""The schema: which version a database is at, and how it gets to the newest."""

from pathlib import Path

from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from duelbook.game import RefusedError
from duelbook.web.store.engine import BUSY_MILLISECONDS, database_url, is_sqlite

NEWEST = "0001"  # a test checks that no migration is newer


def upgrade(url: str) -> str | None:
    """Bring the database to the newest schema; answer the version it was at."""
    engine = plain_engine(url)
    try:
        _make_folder(engine)
        before = version(engine)
        if before != NEWEST:
            _migrate(engine)
        return before
    except (SQLAlchemyError, OSError) as error:
        raise RefusedError(f"the database cannot be opened: {reason(error)}") from error
    finally:
        engine.dispose()


def check(url: str) -> None:
    """Refuse a database that is not at the newest schema."""
    engine = plain_engine(url)
    try:
        found = version(engine)
    except (SQLAlchemyError, OSError) as error:
        raise RefusedError(f"the database cannot be opened: {reason(error)}") from error
    finally:
        engine.dispose()
    if found != NEWEST:
        raise RefusedError(f"the database is at schema {found or 'none'}, not {NEWEST}; run: duelbook db upgrade")


def version(engine: Engine) -> str | None:
    """Answer the version of the schema, or None where there is nothing yet."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if found is None else str(found)


def plain_engine(url: str) -> Engine:
    """Answer an engine for work that is done once and not beside others: migrations, copies, checks."""
    parsed = database_url(url)
    if not is_sqlite(parsed):
        return create_engine(parsed, connect_args={"connect_timeout": 5})
    return create_engine(parsed.set(drivername="sqlite"), connect_args={"timeout": BUSY_MILLISECONDS / 1000})


def _make_folder(engine: Engine) -> None:
    if is_sqlite(engine.url) and engine.url.database:
        Path(engine.url.database).absolute().parent.mkdir(parents=True, exist_ok=True)


def reason(error: Exception) -> str:
    """Answer in a line what the database said."""
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).strip().split("\n")[0]


def _migrate(engine: Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
