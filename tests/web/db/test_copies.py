"""Copies and backups of the store: all or nothing, even during play."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from duelbook.web.db.admin.copy import copy
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.schema import upgrade
from tests.support.service.asking import wait_until
from tests.support.service.backends import Postgres
from tests.support.service.faults import Playing, audit, more_moves
from tests.support.service.harness import Player, RunningServer
from tests.support.service.stock import Run, Stock, contents, execute, has_no_rows, play_on

SEED = 20261118
COMMAND = [sys.executable, "-m", "duelbook", "db"]


def test_copies_from_sqlite_to_postgresql_and_back_are_equal_row_by_row_and_play_continues_in_them(
    run: Run, stock: Stock, postgres: Postgres, tmp_path: Path
) -> None:
    middle, last = postgres.new_database(), f"sqlite:///{tmp_path}/last.sqlite"
    before = contents(stock.url)
    counts = [f"{name:8}{len(rows):12,}" for name, rows in before.items()]
    for source, target in ((stock.url, middle), (middle, last)):
        code, out, errors = run("copy", source, target)
        assert (code, errors) == (0, "")
        assert out.splitlines()[:-1] == counts
        assert out.splitlines()[-1].endswith(": no findings.")
        assert contents(target) == before
    assert all(before.values())
    for number, url in enumerate((middle, last)):
        server = RunningServer(tmp_path, {"database_url": url}).start()
        for kind in ("charge", "word-clash", "undone", "timed"):
            one, two = (Player(server, player.match, player.seat, player.token) for player in stock.pairs[kind])
            ply = one.view()["ply"]
            play_on(one, two, 1)
            assert one.view()["ply"] > ply, (number, kind)
        server.stop()
        assert run("check", "--database-url", url)[0] == 0


def test_a_copy_is_refused_by_a_database_with_matches_and_does_not_change_it(
    run: Run, stock: Stock, empty: str
) -> None:
    upgrade(empty)
    execute(empty, "INSERT INTO uptime VALUES (1, 5.0)")  # as left by a service without matches
    assert run("copy", stock.url, empty)[0] == 0
    before = contents(empty)
    assert before["uptime"] == contents(stock.url)["uptime"]
    code, out, errors = run("copy", stock.url, empty)
    assert (code, out) == (2, "")
    assert "already holds matches. Copy into an empty database." in errors
    assert contents(empty) == before


def test_a_copy_into_the_same_database_is_refused_with_the_reason(run: Run, stock: Stock) -> None:
    code, out, errors = run("copy", stock.url, stock.url)
    assert (code, out) == (2, "")
    assert "FROM and TO are both" in errors


def test_a_copy_of_a_damaged_store_names_the_damage_and_fails(
    run: Run, stock: Stock, tmp_path: Path, empty: str
) -> None:
    source = stock.copy_to(tmp_path)
    execute(source, f"UPDATE matches SET ply = 99 WHERE id = '{stock.match('charge')}'")
    code, out, _ = run("copy", source, empty)
    assert code == 1
    assert f"match {stock.match('charge')}: It is at ply 99" in out
    assert contents(empty) == contents(source)


def test_a_copy_whose_counts_differ_is_not_kept(
    run: Run, stock: Stock, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.web.db.admin.copy._read", lambda *_: ())
    code, out, errors = run("copy", stock.url, empty)
    assert (code, out) == (2, "")
    assert "but 0 were copied" in errors
    assert has_no_rows(empty)


def is_half_written(url: str) -> bool:
    """Return True if a large part of a copy is in the database, though not yet visible to others."""
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        return file.exists() and file.stat().st_size > 1_000_000
    with open_database(database_url(url)) as connection:
        return bool(connection.execute(text("SELECT pg_relation_size('moves') > 500000")).scalar())


def test_a_copy_that_is_killed_leaves_nothing_and_the_next_one_goes_through(run: Run, large: str, empty: str) -> None:
    if empty.startswith("postgres"):
        upgrade(empty)
    with subprocess.Popen([*COMMAND, "copy", large, empty], stdout=subprocess.PIPE) as copying:
        wait_until(lambda: is_half_written(empty))
        copying.kill()
    assert copying.returncode == -signal.SIGKILL
    assert has_no_rows(empty)
    assert run("copy", large, empty)[0] == 0


def test_a_copy_of_a_running_store_is_of_one_moment_and_play_continues(
    run: Run, stock: Stock, empty: str, tmp_path: Path
) -> None:
    url = empty if empty.startswith("postgres") else f"sqlite:///{tmp_path}/running.sqlite"
    copy(stock.url, url)
    server = RunningServer(tmp_path, {"database_url": url}).start()
    with Playing([server], SEED) as playing:
        for number in range(2):
            code, out, errors = run("copy", url, f"sqlite:///{tmp_path}/copy-{number}.sqlite")
            assert (code, errors) == (0, ""), out
            more_moves(playing, len(playing.moves) + 10)
    audit(playing, server)
    server.stop()
    assert run("check", "--database-url", url)[0] == 0


def test_a_backup_has_every_row_and_does_not_replace_a_file(run: Run, stock: Stock, tmp_path: Path) -> None:
    file = tmp_path / "backup.sqlite"
    assert run("backup", file, "--database-url", stock.url)[0] == 0
    before = file.read_bytes()
    code, out, errors = run("backup", file, "--database-url", stock.url)
    assert (code, out) == (2, "")
    assert errors.endswith("backup.sqlite already exists. Name a new file for the backup.\n")
    assert file.read_bytes() == before
    assert contents(f"sqlite:///{file}") == contents(stock.url)


def test_a_backup_of_postgresql_is_refused_with_the_name_of_its_own_program(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("backup", tmp_path / "backup", "--database-url", "postgresql://duelbook@localhost/duelbook")
    assert (code, errors) == (2, "duelbook: db backup is for SQLite. For PostgreSQL use pg_dump.\n")


@pytest.mark.parametrize("words", [("backup", "{0}/new"), ("copy", "{1}", "sqlite:///{0}/new")])
def test_a_full_disk_is_reported_in_one_sentence_and_leaves_no_backup_and_no_rows(
    words: tuple[str, ...], large: str, tmp_path: Path
) -> None:
    command = [*COMMAND, *(word.format(tmp_path, large) for word in words)]
    done = subprocess.run(
        command,
        env=os.environ | {"DUELBOOK_DATABASE_URL": large, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "full" in done.stderr or "disk I/O error" in done.stderr
    if words[0] == "backup":
        assert list(tmp_path.iterdir()) == []
    else:
        assert has_no_rows(f"sqlite:///{tmp_path}/new")


def test_a_damaged_store_is_named_and_neither_copied_nor_backed_up(run: Run, stock: Stock, tmp_path: Path) -> None:
    damaged, new = tmp_path / "damaged.sqlite", tmp_path / "new.sqlite"
    assert run("backup", damaged, "--database-url", stock.url)[0] == 0
    with closing(sqlite3.connect(damaged)) as store:
        (page,) = store.execute("SELECT rootpage FROM sqlite_master WHERE name = 'moves'").fetchone()
        (size,) = store.execute("PRAGMA page_size").fetchone()
    with damaged.open("r+b") as file:
        file.seek(size * (page - 1))
        file.write(b"\xa5" * size)
    code, _, errors = run("copy", f"sqlite:///{damaged}", f"sqlite:///{new}")
    said = f"duelbook: The database sqlite:///{damaged} cannot be used: database disk image is malformed.\n"
    assert (code, errors) == (2, said)
    code, _, errors = run("backup", tmp_path / "backup", "--database-url", f"sqlite:///{damaged}")
    assert (code, errors) == (
        2,
        f"duelbook: The store {damaged} is damaged, so no backup was made. Run: duelbook db check\n",
    )
    assert not (tmp_path / "backup").exists()
