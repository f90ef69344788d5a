"""Any number of rows as one parameter of a statement, so that they take one round trip."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    ClauseElement,
    Column,
    Connection,
    Dialect,
    FromClause,
    Text,
    bindparam,
    cast,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy.sql.compiler import SQLCompiler

from duelbook.web.db.database import SQLITE, execute_in_sqlite


def packed_rows(rows: Sequence[Any]) -> dict[str, str]:
    """Return the rows as the one JSON parameter of a statement: any number of rows is one round trip."""
    return {"rows": msgspec.json.encode(rows).decode()}


def unpacked_rows(dialect: str, columns: "Iterable[Column[Any]]") -> FromClause:
    """Return the rows of that parameter as a table with these columns, in the SQL of the database."""
    rows = bindparam("rows", type_=Text)
    if dialect == SQLITE:
        each = func.json_each(rows).table_valued("value", name="each")
        values = (func.json_extract(each.c.value, literal_column(f"'$.{one.name}'")).label(one.name) for one in columns)
        return select(*values).subquery("given")
    typed = func.json_to_recordset(cast(rows, JSON)).table_valued(*(column(one.name, one.type) for one in columns))
    return typed.render_derived(name="given", with_types=True)


def execute(connection: Connection, statement: ClauseElement, rows: Sequence[Any]) -> tuple[Sequence[Any], int]:
    """Execute a statement that takes the rows; return those that it found, and how many it changed.

    The statement is compiled once. SQLAlchemy would look at all of it every time.
    """
    sql, names, values = _compiled(statement, connection.dialect)
    values = {**values, **packed_rows(rows)}
    if names is not None:
        return execute_in_sqlite(connection, sql, [values[name] for name in names])
    result = connection.exec_driver_sql(sql, values, {"preserve_rowcount": True})
    return result.all() if result.returns_rows else (), result.rowcount


@lru_cache(maxsize=64)
def _compiled(statement: ClauseElement, dialect: Dialect) -> tuple[str, Sequence[str] | None, Mapping[str, Any]]:
    """Return the SQL, the names of its parameters by position (None: they are given by name), and their values."""
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    return str(compiled), compiled.positiontup, compiled.params
