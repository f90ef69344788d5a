"""The schema of the store: its one revision, one that fails, and the databases that are not touched."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from duelbook.errors import RefusedError
from duelbook.web.db import schema
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.tables import metadata


def test_the_migrations_create_the_tables_as_declared(url: str) -> None:
    with open_database(database_url(url)) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        found = inspect(connection)
        assert {*found.get_table_names()} == {*metadata.tables, "alembic_version"}
        assert [check["name"] for check in found.get_check_constraints("seats")] == ["seat_is_first_or_second"]
        for table in ("seats", "moves", "undone"):
            assert found.get_foreign_keys(table)[0]["options"]["ondelete"] == "CASCADE"


def test_an_upgrade_that_fails_halfway_leaves_nothing(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(schema.MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations/versions/0002_second.py").write_text(
        f"from alembic import op\nrevision, down_revision = '0002', '{schema.NEWEST}'\n"
        "def upgrade():\n    op.execute('SELECT 1 FROM nowhere')\n"
    )
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", tmp_path / "migrations")
        patch.setattr(schema, "NEWEST", "0002")
        with pytest.raises(RefusedError, match="nowhere"):
            schema.upgrade(empty)
    with open_database(database_url(empty)) as connection:
        assert inspect(connection).get_table_names() == []
    assert schema.upgrade(empty) is None


def test_upgrades_at_the_same_time_take_turns(empty: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        before = list(threads.map(schema.upgrade, [empty] * 4))
    assert sorted(before, key=str) == [schema.NEWEST] * 3 + [None]


def test_a_database_of_another_program_is_not_upgraded(empty: str) -> None:
    with open_database(database_url(empty), writing=True) as connection:
        connection.execute(text("CREATE TABLE customers (name TEXT)"))
    for refusing in (schema.upgrade, schema.check):
        with pytest.raises(RefusedError, match="belongs to another program: it has a table 'customers'"):
            refusing(empty)
    with open_database(database_url(empty)) as connection:
        assert inspect(connection).get_table_names() == ["customers"]
