"""The copy of a whole store from one database into another, which may be of the other kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Table, delete, func, insert, select, text

from duelbook.errors import RefusedError
from duelbook.web.db.admin.check import Report, check_rows
from duelbook.web.db.database import database_url, display_url, open_database, refuse_errors
from duelbook.web.db.schema import migrate, require_newest, version
from duelbook.web.db.tables import metadata, uptime

ROWS_IN_MEMORY = 1000
TABLES = list(metadata.tables.values())  # in the order of definition: a table comes after those it refers to


@dataclass(frozen=True)
class CopyResult:
    """The number of rows of every table, and the check of the copy."""

    counts: dict[str, int]
    report: Report


def copy(source: str, target: str) -> CopyResult:
    """Copy everything into an empty database, all or nothing, and check the copy."""
    source_url, target_url = database_url(source), database_url(target)
    if source_url == target_url:
        raise RefusedError(f"FROM and TO are both {display_url(source_url)}. Copy into another, empty database.")
    with open_database(source_url) as old:
        require_newest(old)
        with open_database(target_url, writing=True) as new:
            _prepare(new)
            if any(_count(new, table) for table in TABLES if table is not uptime):
                raise RefusedError(f"{display_url(target_url)} already holds matches. Copy into an empty database.")
            new.execute(delete(uptime))  # left by a service that was started there, but had no matches
            for table in TABLES:
                for rows in _read(old, table, source_url):
                    new.execute(insert(table), rows)
            return CopyResult(_compare(old, new), check_rows(new))


def _prepare(new: Connection) -> None:
    """Bring the target to the newest schema, and keep others from writing to it."""
    if version(new) is None:
        migrate(new)
    require_newest(new)
    if new.dialect.name == "postgresql":  # SQLite has only one writer anyway
        new.execute(text(f"LOCK TABLE {', '.join(table.name for table in TABLES)} IN EXCLUSIVE MODE"))


def _read(old: Connection, table: Table, url: URL) -> Iterator[list[dict[str, Any]]]:
    with refuse_errors(url):  # otherwise the error would name the other database
        rows = old.execute(select(table), execution_options={"yield_per": ROWS_IN_MEMORY})
        for some in rows.mappings().partitions():
            yield [dict(row) for row in some]


def _compare(old: Connection, new: Connection) -> dict[str, int]:
    """Return the number of rows of every table, or raise RefusedError if it is not the same in both."""
    counts = {table.name: _count(new, table) for table in TABLES}
    for table in TABLES:
        if _count(old, table) != counts[table.name]:
            raise RefusedError(
                f"The table {table.name} has {_count(old, table)} rows, but {counts[table.name]} were copied."
            )
    return counts


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
