"""The commands that keep the store in order: upgrade, copy, backup, check."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from duelbook.cli import main
from duelbook.web.store.copying import copy
from duelbook.web.store.engine import database_url
from duelbook.web.store.opening import opened
from duelbook.web.store.schema import NEWEST, check, upgrade, version
from tests.service.backends import Postgres
from tests.service.harness import Player, Serving
from tests.service.stock import Load, contents, multiplied, play_on, played, told

COMMAND = [sys.executable, "-m", "duelbook", "db"]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Answer what runs `duelbook db` in this process: its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", "db", *map(str, words)])
        code = main()
        return code, *capsys.readouterr()

    return run


class Stock:
    """A file with matches of every kind, and those who play them."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "stock.sqlite"
        server = Serving(folder, {"database_url": self.url}).start()
        self.pairs = played(server)
        server.stop()

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"

    def match(self, kind: str) -> str:
        return self.pairs[kind][0].match

    def copied(self, folder: Path) -> str:
        """Answer a copy, to be spoilt."""
        shutil.copy(self.file, folder / "copy.sqlite")
        return f"sqlite:///{folder / 'copy.sqlite'}"


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Stock:
    return Stock(tmp_path_factory.mktemp("stock"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Answer the URL of a database that is not there yet, or has nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


def is_without_rows(url: str) -> bool:
    with opened(database_url(url)) as connection:
        if version(connection) is None:
            return True
    return not any(contents(url).values())


def test_upgrade_says_from_which_schema_to_which_and_then_that_it_is_there(run: Run, empty: str) -> None:
    assert run("upgrade", "--database-url", empty) == (0, f"The database went from schema none to {NEWEST}.\n", "")
    assert run("upgrade", "--database-url", empty) == (
        0,
        f"The database is at schema {NEWEST} already, the newest.\n",
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
    assert run("check") == (0, "0 matches, 0 moves: all follow from their moves\n", "")
    assert run("backup", tmp_path / "backup.sqlite")[0] == 0


def test_postgresql_that_is_not_upgraded_is_not_served_but_the_command_to_run_is_named(
    run: Run, postgres: Postgres
) -> None:
    url = postgres.new_database()
    command = [*COMMAND[:-1], "serve", "--port", "0", "--database-url", url]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "run: duelbook db upgrade" in refused.stderr
    assert run("upgrade", "--database-url", url)[0] == 0
    check(url)


def test_copies_from_sqlite_to_postgresql_and_back_are_equal_row_by_row_and_play_goes_on_in_them(
    run: Run, stock: Stock, postgres: Postgres, tmp_path: Path
) -> None:
    middle, last = postgres.new_database(), f"sqlite:///{tmp_path}/last.sqlite"
    before = contents(stock.url)
    counts = [f"{name:8}{len(rows):12,}" for name, rows in before.items()]
    for source, target in ((stock.url, middle), (middle, last)):
        code, out, errors = run("copy", source, target)
        assert (code, errors) == (0, "")
        assert out.splitlines()[:-1] == counts
        assert out.splitlines()[-1].endswith("all follow from their moves")
        assert contents(target) == before
    assert all(before.values())
    for number, url in enumerate((middle, last)):
        server = Serving(tmp_path, {"database_url": url}).start()
        for kind in ("charge", "word-clash", "undone", "timed"):
            one, two = (Player(server, player.match, player.seat, player.token) for player in stock.pairs[kind])
            ply = one.view()["ply"]
            play_on(one, two, 1)
            assert one.view()["ply"] > ply, (number, kind)
        server.stop()
        assert run("check", "--database-url", url)[0] == 0


def test_a_copy_goes_from_a_database_to_one_of_the_same_kind(run: Run, stock: Stock, empty: str, request: Any) -> None:
    assert run("copy", stock.url, empty)[0] == 0
    other = request.getfixturevalue("postgres").new_database() if empty.startswith("postgres") else empty + "-2"
    assert run("copy", empty, other)[0] == 0
    assert contents(other) == contents(stock.url)


def test_a_copy_is_refused_by_a_database_with_matches_and_does_not_change_it(
    run: Run, stock: Stock, empty: str
) -> None:
    upgrade(empty)
    told(empty, "INSERT INTO uptime VALUES (1, 5.0)")  # as a service leaves behind that nobody played on
    assert run("copy", stock.url, empty)[0] == 0
    before = contents(empty)
    assert before["uptime"] == contents(stock.url)["uptime"]
    code, out, errors = run("copy", stock.url, empty)
    assert (code, out) == (2, "")
    assert "holds matches already; a copy goes into an empty database" in errors
    assert contents(empty) == before


def test_a_copy_of_a_damaged_store_tells_what_is_damaged_and_does_not_succeed(
    run: Run, stock: Stock, tmp_path: Path, empty: str
) -> None:
    source = stock.copied(tmp_path)
    told(source, f"UPDATE matches SET ply = 99 WHERE id = '{stock.match('charge')}'")
    code, out, _ = run("copy", source, empty)
    assert code == 1
    assert f"match {stock.match('charge')}: it is at ply 99" in out
    assert contents(empty) == contents(source)


def test_a_copy_whose_counts_differ_is_not_kept(
    run: Run, stock: Stock, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.web.store.copying._copy", lambda *_: None)
    code, out, errors = run("copy", stock.url, empty)
    assert (code, out) == (2, "")
    assert "but 0 were copied" in errors
    assert is_without_rows(empty)


@pytest.fixture(scope="module")
def large(stock: Stock, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Answer a store that takes a while to copy."""
    file = tmp_path_factory.mktemp("large") / "large.sqlite"
    shutil.copy(stock.file, file)
    multiplied(file, 600)  # more than the cache of SQLite, which writes nothing before it is full
    return f"sqlite:///{file}"


def is_half_written(url: str) -> bool:
    """Answer whether a good part of a copy is in the database already, though not for others to see."""
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        return file.exists() and file.stat().st_size > 1_000_000
    with opened(database_url(url)) as connection:
        return bool(connection.execute(text("SELECT pg_relation_size('moves') > 500000")).scalar())


def test_a_copy_that_is_killed_leaves_nothing_and_the_next_one_goes_through(run: Run, large: str, empty: str) -> None:
    if empty.startswith("postgres"):
        upgrade(empty)
    with subprocess.Popen([*COMMAND, "copy", large, empty], stdout=subprocess.PIPE) as copying:
        deadline = time.monotonic() + 30
        while not is_half_written(empty) and time.monotonic() < deadline:
            time.sleep(0.005)
        copying.kill()
    assert copying.returncode == -signal.SIGKILL
    assert is_half_written(empty)
    assert is_without_rows(empty)
    assert run("copy", large, empty)[0] == 0


def test_a_copy_of_a_running_store_is_of_one_moment_and_play_goes_on(
    run: Run, stock: Stock, empty: str, tmp_path: Path
) -> None:
    url = empty if empty.startswith("postgres") else f"sqlite:///{tmp_path}/running.sqlite"
    copy(stock.url, url)
    server = Serving(tmp_path, {"database_url": url}).start()
    with Load(server) as load:
        for number in range(2):
            target = f"sqlite:///{tmp_path}/copy-{number}.sqlite"
            code, out, errors = run("copy", url, target)
            assert (code, errors) == (0, ""), out
            before, end = load.matches, time.monotonic() + 20
            while load.matches == before and time.monotonic() < end:
                time.sleep(0.01)
            assert load.matches > before
    server.stop()
    assert run("check", "--database-url", url)[0] == 0


def test_a_backup_of_a_running_store_is_consistent_and_play_goes_on(run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    server = Serving(tmp_path, {"database_url": url}).start()
    with Load(server) as load:
        for number in range(3):
            file = tmp_path / f"backup-{number}.sqlite"
            before = load.matches
            code, out, errors = run("backup", file, "--database-url", url)
            assert (code, errors) == (0, "")
            assert out == f"{file} holds the store as it was, at schema {NEWEST}: {file.stat().st_size:,} bytes.\n"
            while load.matches == before:
                time.sleep(0.01)
            code, out, _ = run("check", "--database-url", f"sqlite:///{file}")
            assert code == 0, out
    server.stop()
    sizes = [len(contents(f"sqlite:///{tmp_path}/backup-{number}.sqlite")["matches"]) for number in range(3)]
    assert sizes == sorted({*sizes})  # each has what came since the one before
    assert [file.name for file in tmp_path.glob("*backup*")] == [file.name for file in tmp_path.glob("backup-?.sqlite")]


def test_a_backup_has_every_row(run: Run, stock: Stock, tmp_path: Path) -> None:
    assert run("backup", tmp_path / "backup.sqlite", "--database-url", stock.url)[0] == 0
    assert contents(f"sqlite:///{tmp_path}/backup.sqlite") == contents(stock.url)


def test_a_backup_does_not_replace_a_file(run: Run, stock: Stock, tmp_path: Path) -> None:
    file = tmp_path / "precious"
    file.write_text("as it was")
    code, out, errors = run("backup", file, "--database-url", stock.url)
    assert (code, out) == (2, "")
    assert errors.endswith("precious exists already; a backup goes into a new file\n")
    assert file.read_text() == "as it was"


def test_a_backup_of_postgresql_is_refused_with_the_name_of_its_own_program(run: Run, tmp_path: Path) -> None:
    code, _, errors = run("backup", tmp_path / "backup", "--database-url", "postgresql://duelbook@localhost/duelbook")
    assert (code, errors) == (2, "duelbook: db backup is for SQLite; PostgreSQL has pg_dump\n")


@pytest.mark.parametrize("words", [("backup", "{0}/new"), ("copy", "{1}", "sqlite:///{0}/new")])
def test_a_full_disk_is_one_sentence_and_leaves_no_backup_and_no_rows(
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
        assert is_without_rows(f"sqlite:///{tmp_path}/new")


def test_check_counts_matches_and_moves_and_finds_nothing_in_what_was_played(run: Run, large: str) -> None:
    rows = contents(large)
    code, out, errors = run("check", "--database-url", large)
    assert (code, errors) == (0, "")
    assert out == f"{len(rows['matches']):,} matches, {len(rows['moves']):,} moves: all follow from their moves\n"
    assert len(rows["matches"]) > 1000


DAMAGES = {  # what is done to which match, and what is said of it
    "an illegal move": ("charge", "UPDATE moves SET move = 'fly' WHERE match = :id AND ply = 1", "move 1: 'fly' is"),
    "a move twice": (
        "crystal-capture",
        "UPDATE moves SET move = '1' WHERE match = :id AND ply = 1",
        "'1' is not legal",
    ),
    "a gap": ("flag-chase", "DELETE FROM moves WHERE match = :id AND ply = 1", "move 1 is missing"),
    "no first move": ("flag-chase", "DELETE FROM moves WHERE match = :id AND ply = 0", "move 0 is missing"),
    "a lost move": (
        "word-clash",
        "DELETE FROM moves WHERE match = :id AND ply = 2",
        "but the number of its moves is 2",
    ),
    "a move after the end": (
        "over",
        "INSERT INTO moves SELECT match, ply + 1, '9', 1 - seat, NULL, 0, version + 1 FROM moves "
        "WHERE match = :id ORDER BY ply DESC LIMIT 1",
        "is not legal here",
    ),
    "another ply": ("charge", "UPDATE matches SET ply = 2 WHERE id = :id", "it is at ply 2, but"),
    "another outcome": ("over", "UPDATE matches SET outcome = 1 - outcome WHERE id = :id", "does not follow"),
    "no outcome": ("over", "UPDATE matches SET reason = 'unfinished' WHERE id = :id", "does not follow"),
    "an early end": (
        "charge",
        "UPDATE matches SET outcome = 0, reason = 'rules', ended = started WHERE id = :id",
        "first by rules does not follow from the moves",
    ),
    "an outcome that is none": ("charge", "UPDATE matches SET outcome = 7 WHERE id = :id", "7 is not a valid Outcome"),
    "a reason that is none": ("over", "UPDATE matches SET reason = 'luck' WHERE id = :id", "'luck' is not a valid"),
    "a loss of time by who did not move": (
        "late",
        "UPDATE matches SET outcome = 1 - outcome WHERE id = :id",
        "by time does not follow from the moves",
    ),
    "time without a limit": ("late", "UPDATE matches SET time_limit = NULL WHERE id = :id", "without a time limit"),
    "an end without one": ("charge", "UPDATE matches SET ended = started WHERE id = :id", "that it has ended does not"),
    "another version": ("charge", "UPDATE matches SET version = 1 WHERE id = :id", "it is at version 1, but its moves"),
    "versions in disorder": (
        "charge",
        "UPDATE moves SET version = 2 - ply WHERE match = :id AND ply > 0",
        "move 1 is of version 1, and the one before it of",
    ),
    "another's turn": ("charge", "UPDATE moves SET seat = 1 WHERE match = :id AND ply = 0", "not that seat's turn"),
    "a computer's turn": ("computer", "UPDATE matches SET agent_due = true WHERE id = :id", "not a computer's turn"),
    "a creator without a seat": ("charge", "UPDATE matches SET creator = 2 WHERE id = :id", "has neither seat"),
    "a seat that is missing": ("charge", "DELETE FROM seats WHERE match = :id AND seat = 1", "a seat is missing"),
    "a seat that is free": ("charge", "UPDATE seats SET token = NULL WHERE match = :id AND seat = 1", "with its seats"),
    "a start without a friend": ("waiting", "UPDATE matches SET started = 'now' WHERE id = :id", "with its seats"),
    "moves before the start": ("charge", "UPDATE matches SET started = NULL WHERE id = :id", "but has not begun"),
    "another dictionary": ("word-clash", "UPDATE matches SET dictionary = 'x' WHERE id = :id", "another dictionary"),
    "another word": (
        "alpha-chase",
        "UPDATE seats SET choice = 'QUICK' WHERE match = :id AND seat = 1",
        "its words are not those that the players chose",
    ),
    "an unknown game": ("charge", "UPDATE matches SET game = 'chess' WHERE id = :id", "chess"),
    "unknown options": ("charge", "UPDATE matches SET options = '{{\"goal\": 0}}' WHERE id = :id", "goal must be from"),
    "options that are none": ("charge", "UPDATE matches SET options = '[' WHERE id = :id", "it cannot be replayed"),
    "a wish to take back nothing": (
        "late",
        "UPDATE matches SET undo_by = 1 WHERE id = :id",
        "taking back is asked for",
    ),
    "an illegal move taken back": (
        "undone",
        "UPDATE undone SET move = 'fly' WHERE match = :id",
        "among the moves taken back: move 3: 'fly' is not legal",
    ),
    "a move taken back that nothing leads to": (
        "undone",
        "UPDATE undone SET ply = 7 WHERE match = :id",
        "among the moves taken back: nothing leads to move 7",
    ),
    "a computer's move taken back": (
        "computer",
        "DELETE FROM undone WHERE match = :id AND ply = 0",
        "among the moves taken back: nothing leads to move 1",
    ),
    "a move taken back too late": (
        "undone",
        "UPDATE undone SET version = version + 50 WHERE match = :id",
        "but its moves make it at least",
    ),
    "moves taken back in spite of a clock": (
        "undone",
        "UPDATE matches SET time_limit = 9 WHERE id = :id",
        "moves were taken back in spite of the time limit",
    ),
    "seats of no match": ("waiting", "DELETE FROM matches WHERE id = :id", "it is not there, but seats of it are"),
    "moves of no match": ("charge", "DELETE FROM matches WHERE id = :id", "it is not there, but moves of it are"),
    "moves taken back of no match": ("undone", "DELETE FROM matches WHERE id = :id", "but undone of it are"),
}


@pytest.fixture(scope="module")
def on_postgres(stock: Stock, postgres: Postgres) -> str:
    """Answer a copy of the stock in PostgreSQL; whoever spoils it makes it good again."""
    url = postgres.new_database()
    copy(stock.url, url)
    return url


def damaged(stock: Stock, url: str, damage: str) -> str:
    kind, statement, _ = DAMAGES[damage]
    told(url, statement.format().replace(":id", f"'{stock.match(kind)}'"))
    return stock.match(kind)


@pytest.mark.parametrize("damage", DAMAGES)
def test_check_finds(damage: str, run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    match = damaged(stock, url, damage)
    assert contents(url) != contents(stock.url)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (1, "")
    *findings, summary = out.splitlines()
    assert all(finding.startswith(f"match {match}: ") for finding in findings)
    assert any(DAMAGES[damage][2] in finding for finding in findings), out
    found = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    assert summary.endswith(f"moves: {found}")


def test_check_finds_the_same_in_postgresql(run: Run, stock: Stock, on_postgres: str, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    for damage in ("a gap", "another outcome", "a seat that is missing", "moves taken back of no match"):
        assert damaged(stock, url, damage) == damaged(stock, on_postgres, damage)
    code, out, _ = run("check", "--database-url", url)
    assert code == 1
    there = run("check", "--database-url", on_postgres)[1]
    assert sorted(there.splitlines()) == sorted(out.splitlines())


def test_check_finds_an_uptime_that_is_noted_twice(run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    told(url, "INSERT INTO uptime VALUES (2, 0)")
    code, out, _ = run("check", "--database-url", url)
    assert code == 1
    assert out.startswith("the uptime is noted 2 times\n")


@pytest.mark.parametrize("part", ["moves", "matches_due"])  # a table, an index
def test_check_finds_damage_in_the_file(part: str, run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    file = tmp_path / "copy.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [part]).fetchone()
    with file.open("r+b") as content:
        content.seek((page - 1) * 4096)
        content.write(b"\xaa" * 4096)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (1, "")
    assert out.startswith("the file is damaged: ")


def test_check_answers_in_json_too(run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copied(tmp_path)
    code, out, _ = run("check", "--json", "--database-url", url)
    sound = json.loads(out)
    assert (code, sound["findings"]) == (0, [])
    assert (sound["matches"], sound["moves"]) == tuple(len(contents(url)[name]) for name in ("matches", "moves"))
    match = damaged(stock, url, "a gap")
    code, out, _ = run("check", "--json", "--database-url", url)
    assert code == 1
    assert json.loads(out)["findings"] == [{"match": match, "finding": "move 1 is missing"}]


@pytest.fixture
def wrong(tmp_path: Path) -> dict[str, str]:
    """Answer databases that cannot be used, by what is wrong with them."""
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
        ("newer", "schema"),
        ("blank", "schema"),
        ("missing", "there is no file"),
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


def test_without_a_command_the_commands_are_listed(run: Run) -> None:
    code, out, errors = run()
    assert (code, errors) == (0, "")
    for command in ("upgrade", "copy", "backup", "check"):
        assert f"  {command} " in out
