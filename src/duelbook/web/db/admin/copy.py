"""Copying a whole store from one database into another, of the same kind or the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, Connection, Table, delete, func, insert, select, text

from duelbook.errors import RefusedError
from duelbook.web.db.admin.check import Report, check_rows
from duelbook.web.db.engine import database_url
from duelbook.web.db.opening import named, opened, refusing
from duelbook.web.db.schema import migrate, require, version
from duelbook.web.db.tables import metadata, uptime

AT_ONCE = 1000  # rows that are in memory together
TABLES = list(metadata.tables.values())  # as they are defined: first those that others refer to


@dataclass(frozen=True)
class Copied:
    """The number of rows of every table, and what the check of the copy found."""

    counts: dict[str, int]
    report: Report


def copy(source: str, target: str) -> Copied:
    """Copy everything into an empty database, all or nothing, and check what is there then."""
    here, there = database_url(source), database_url(target)
    with opened(here) as old:
        require(old)
        with opened(there, writing=True) as new:
            _make_ready(new)
            if any(count(new, table) for table in TABLES if table is not uptime):
                raise RefusedError(f"{named(there)} holds matches already; a copy goes into an empty database")
            new.execute(delete(uptime))  # of a service that has been started there, and never played on
            for table in TABLES:
                for rows in _read(old, table, here):
                    new.execute(insert(table), rows)
            return Copied(_compared(old, new), check_rows(new))


def _make_ready(new: Connection) -> None:
    """Have the newest schema, and nobody else writing."""
    if version(new) is None:
        migrate(new)
    require(new)
    if new.dialect.name == "postgresql":  # SQLite has but one who writes
        new.execute(text(f"LOCK TABLE {', '.join(table.name for table in TABLES)} IN EXCLUSIVE MODE"))


def _read(old: Connection, table: Table, url: URL) -> Iterator[list[dict[str, Any]]]:
    with refusing(url):  # or the other database would be blamed
        rows = old.execute(select(table), execution_options={"yield_per": AT_ONCE})
        for some in rows.mappings().partitions():
            yield [dict(row) for row in some]


def _compared(old: Connection, new: Connection) -> dict[str, int]:
    """Answer the number of rows of every table, which is the same in both."""
    counts = {table.name: count(new, table) for table in TABLES}
    for table in TABLES:
        if count(old, table) != counts[table.name]:
            raise RefusedError(f"{table.name} have {count(old, table)} rows, but {counts[table.name]} were copied")
    return counts


def count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
