"""The commands for the store: upgrade, and the databases that all of them refuse."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from duelbook.web.db.schema import NEWEST, check
from tests.support.service.backends import Postgres
from tests.support.service.stock import Run, Stock

COMMAND = [sys.executable, "-m", "duelbook", "db"]


def test_upgrade_says_from_which_schema_to_which_and_then_that_it_is_there(run: Run, empty: str) -> None:
    assert run("upgrade", "--database-url", empty) == (0, f"Upgraded the database from schema none to {NEWEST}.\n", "")
    assert run("upgrade", "--database-url", empty) == (
        0,
        f"The database already has the newest schema, {NEWEST}.\n",
        "",
    )


def test_without_a_url_the_environment_names_the_database_and_else_it_is_the_default_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert run("upgrade")[0] == 0
    assert (tmp_path / "data" / "duelbook" / "matches.sqlite").is_file()
    monkeypatch.setenv("DUELBOOK_DATABASE_URL", f"sqlite:///{tmp_path}/other.sqlite")
    assert run("check")[0] == 2
    assert run("upgrade")[0] == 0
    assert run("check") == (0, "Checked 0 matches and 0 moves: no findings.\n", "")
    assert run("backup", tmp_path / "backup.sqlite")[0] == 0


def test_postgresql_that_is_not_upgraded_is_not_served_but_the_command_to_run_is_named(
    run: Run, postgres: Postgres
) -> None:
    url = postgres.new_database()
    command = [*COMMAND[:-1], "serve", "--port", "0", "--database-url", url]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "Run: duelbook db upgrade" in refused.stderr
    assert run("upgrade", "--database-url", url)[0] == 0
    check(url)


@pytest.fixture
def wrong(tmp_path: Path) -> dict[str, str]:
    """Databases that cannot be used, by what is wrong with them."""
    (tmp_path / "text").write_text("This is no database, and long enough for SQLite to see that it is none.\n" * 20)
    (tmp_path / "blank").touch()
    for name, table in (("foreign", "customers"), ("newer", "alembic_version")):
        with closing(sqlite3.connect(tmp_path / name)) as connection, connection:
            connection.execute(f"CREATE TABLE {table} (version_num TEXT)")
            connection.execute(f"INSERT INTO {table} VALUES ('9999')")
    files = {name: f"sqlite:///{tmp_path}/{name}" for name in ("text", "foreign", "newer", "blank", "missing")}
    return files | {
        "folder": f"sqlite:///{tmp_path}",
        "memory": "sqlite://",
        "unreachable": "postgresql://duelbook:secret@127.0.0.1:1/duelbook",
        "other kind": "mysql://duelbook@localhost/duelbook",
        "no url": "matches.sqlite",
    }


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("text", "file is not a database"),
        ("foreign", "it has a table 'customers'"),
        ("newer", "it was written by a newer Duelbook or by another program"),
        ("blank", "schema"),
        ("missing", "There is no file"),
        ("folder", ""),
        ("memory", "a file"),
        ("unreachable", "refused"),
        ("other kind", ""),
        ("no url", ""),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_in_a_sentence_and_stays_as_it_is(
    fault: str, said: str, run: Run, wrong: dict[str, str], stock: Stock, tmp_path: Path
) -> None:
    url = wrong[fault]
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    commands: list[tuple[object, ...]] = [
        ("check", "--database-url", url),
        ("copy", url, f"sqlite:///{tmp_path}/target"),
    ]
    if fault != "newer":
        commands.append(("backup", tmp_path / "target", "--database-url", url))
    for command in commands:
        code, out, errors = run(*command)
        assert (code, out, errors.count("\n")) == (2, "", 1), command
        assert errors.startswith("duelbook: ")
        assert said in errors or command[0] == "backup"
        assert "secret" not in errors
    if fault not in ("blank", "missing"):
        for command in (("upgrade", "--database-url", url), ("copy", stock.url, url)):
            code, out, errors = run(*command)
            assert (code, out, errors.count("\n")) == (2, "", 1), command
            assert "fault" not in errors
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
