"""Rows as JSON, which the database unpacks: however many there are, a statement is one step with one parameter."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic_core import to_json
from sqlalchemy import JSON, Column, FromClause, Text, bindparam, cast, column, func, literal_column, select

SQLITE = "sqlite"


def packed(rows: Sequence[Any]) -> dict[str, str]:
    """Answer the parameter of a statement about these rows."""
    return {"rows": to_json(rows).decode()}


def given(dialect: str, columns: "Iterable[Column[Any]]") -> FromClause:
    """Answer the rows that a statement is given, as a table with these columns, in the words of the database."""
    rows = bindparam("rows", type_=Text)
    if dialect == SQLITE:
        each = func.json_each(rows).table_valued("value", name="each")
        values = (func.json_extract(each.c.value, literal_column(f"'$.{one.name}'")).label(one.name) for one in columns)
        return select(*values).subquery("given")
    typed = func.json_to_recordset(cast(rows, JSON)).table_valued(*(column(one.name, one.type) for one in columns))
    return typed.render_derived(name="given", with_types=True)
