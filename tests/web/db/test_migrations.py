"""The schema of the store: the result of its migrations, and the databases that they do not touch."""

import re
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import OperationalError

from duelbook.errors import RefusedError
from duelbook.web.db import schema
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.tables import matches, metadata
from tests.support.service.stock import Run, contents


def test_the_migrations_create_the_tables_as_declared(url: str) -> None:
    with open_database(database_url(url)) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        found = inspect(connection)
        assert {*found.get_table_names()} == {*metadata.tables, "alembic_version"}
        assert [check["name"] for check in found.get_check_constraints("seats")] == ["seat_is_first_or_second"]
        for table in ("seats", "moves", "undone"):
            assert found.get_foreign_keys(table)[0]["options"]["ondelete"] == "CASCADE"


def test_the_migrations_of_sqlite_create_exactly_the_declared_tables(tmp_path: Path) -> None:
    written, migrated = (f"sqlite:///{tmp_path}/{name}" for name in ("written", "migrated"))
    schema.upgrade(migrated)
    with open_database(database_url(written), writing=True) as connection:
        metadata.create_all(connection)
    question = text("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%'")
    texts = []
    for url in (written, migrated):
        with open_database(database_url(url)) as connection:
            texts.append({name: re.sub(r"\s+", " ", sql or "") for name, sql in connection.execute(question)})
    assert texts[0] == texts[1]


def test_an_upgrade_that_fails_halfway_leaves_nothing(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(schema.MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations" / "versions" / "9999_failing.py").write_text(
        'from alembic import op\nrevision, down_revision = "9999", "' + schema.NEWEST + '"\n'
        'def upgrade():\n    op.execute("CREATE TABLE half (id INTEGER)")\n    op.execute("SELECT 1 FROM nowhere")\n'
    )
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", tmp_path / "migrations")
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


def test_a_store_that_an_earlier_version_wrote_checks_clean(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((Path(__file__).parent / "store-0002.sql").read_text())
        connection.execute("UPDATE uptime SET seconds = 3725.5")
        connection.commit()
    url = f"sqlite:///{file}"
    assert schema.upgrade(url) == "0002"
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (0, ""), out
    assert len(contents(url)["matches"]) == 10
    with open_database(database_url(url)) as connection:
        assert {row.active_at for row in connection.execute(select(matches.c.active_at))} == {3720}
        with pytest.raises(OperationalError, match="no such column: touched"):  # a process that was not stopped
            connection.execute(text("DELETE FROM matches WHERE reason = 'unfinished' AND touched < 1800000000"))
