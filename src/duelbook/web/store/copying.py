"""Copying a whole store from one database into another, of the same kind or the other."""

from dataclasses import dataclass

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from duelbook.game import RefusedError
from duelbook.web.store.checking import Report, check_rows
from duelbook.web.store.engine import database_url
from duelbook.web.store.opening import named, opened
from duelbook.web.store.schema import migrate, require, version
from duelbook.web.store.tables import metadata, uptime

AT_ONCE = 1000  # rows that are in memory together
TABLES = list(metadata.tables.values())  # as they are defined: first those that others refer to


@dataclass(frozen=True)
class Copied:
    """The number of rows of every table, and what the check of the copy found."""

    counts: dict[str, int]
    report: Report


def copy(source: str, target: str) -> Copied:
    """Copy everything into an empty database, all or nothing, and check what is there then."""
    there = database_url(target)
    with opened(database_url(source)) as old:
        require(old)
        with opened(there, writing=True) as new:
            _make_ready(new)
            if any(count(new, table) for table in TABLES if table is not uptime):
                raise RefusedError(f"{named(there)} holds matches already; a copy goes into an empty database")
            new.execute(delete(uptime))  # of a service that has been started there, and never played on
            for table in TABLES:
                _copy(old, new, table)
            return Copied(_compared(old, new), check_rows(new))


def _make_ready(new: Connection) -> None:
    """Have the newest schema, and nobody else writing."""
    if version(new) is None:
        migrate(new)
    require(new)
    if new.dialect.name == "postgresql":  # SQLite has but one who writes
        new.execute(text(f"LOCK TABLE {', '.join(table.name for table in TABLES)} IN EXCLUSIVE MODE"))


def _copy(old: Connection, new: Connection, table: Table) -> None:
    rows = old.execute(select(table), execution_options={"yield_per": AT_ONCE})
    for some in rows.mappings().partitions():
        new.execute(insert(table), [dict(row) for row in some])


def _compared(old: Connection, new: Connection) -> dict[str, int]:
    """Answer the number of rows of every table, which is the same in both."""
    counts = {table.name: count(new, table) for table in TABLES}
    for table in TABLES:
        if count(old, table) != counts[table.name]:
            raise RefusedError(f"{table.name} have {count(old, table)} rows, but {counts[table.name]} were copied")
    return counts


def count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
