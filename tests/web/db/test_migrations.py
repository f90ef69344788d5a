"""The schema of the store: its one revision, a second one, and the databases that are not touched."""

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
from tests.support.service.stock import contents
from tests.support.service.stores import moved, new, with_stores


def test_the_migrations_create_the_tables_as_declared(url: str) -> None:
    with open_database(database_url(url)) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        found = inspect(connection)
        assert {*found.get_table_names()} == {*metadata.tables, "alembic_version"}
        assert [check["name"] for check in found.get_check_constraints("seats")] == ["seat_is_first_or_second"]
        for table in ("seats", "moves", "undone"):
            assert found.get_foreign_keys(table)[0]["options"]["ondelete"] == "CASCADE"


def with_second_revision(folder: Path, patch: pytest.MonkeyPatch, statement: str) -> None:
    """Give the schema a second revision, which runs the statement after it has added a column to `matches`."""
    shutil.copytree(schema.MIGRATIONS, folder)
    (folder / "versions" / "0002_second.py").write_text(
        f"import sqlalchemy as sa\nfrom alembic import op\nrevision, down_revision = '0002', '{schema.NEWEST}'\n"
        "def upgrade():\n    op.add_column('matches', sa.Column('league', sa.Integer(), server_default='7'))\n"
        f"    op.execute('{statement}')\n"
    )
    patch.setattr(schema, "MIGRATIONS", folder)
    patch.setattr(schema, "NEWEST", "0002")


def test_a_second_revision_upgrades_a_store_and_keeps_what_it_holds(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = schema.NEWEST
    created = new(1)
    with_stores(url, 1, lambda store: store.apply(created))
    with_stores(url, 1, lambda store: store.apply(moved(created)))
    before = contents(url)
    with_second_revision(tmp_path / "migrations", monkeypatch, "UPDATE matches SET league = league + ply")
    with pytest.raises(RefusedError, match=f"at schema {first}, not 0002. Run: duelbook db upgrade"):
        schema.check(url)
    assert schema.upgrade(url) == first
    schema.check(url)
    assert schema.upgrade(url) == "0002"
    with open_database(database_url(url)) as connection:
        assert connection.execute(text("SELECT league FROM matches")).scalars().all() == [8]
    assert contents(url) == before


def test_an_upgrade_that_fails_halfway_leaves_nothing(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        with_second_revision(tmp_path / "migrations", patch, "SELECT 1 FROM nowhere")
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
