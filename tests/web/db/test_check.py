"""The check of the store: it finds whatever does not follow from the moves, and nothing else."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from duelbook.web.db.admin.copy import copy
from tests.support.service.asking import refused
from tests.support.service.backends import Postgres
from tests.support.service.stock import Run, Stock, contents, execute, multiply_matches
from tests.web.conftest import Start


def test_check_counts_matches_and_moves_and_finds_nothing_in_what_was_played(
    run: Run, stock: Stock, tmp_path: Path
) -> None:
    url = stock.copy_to(tmp_path)
    multiply_matches(tmp_path / "copy.sqlite", 75)
    rows = contents(url)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (0, "")
    assert out == f"Checked {len(rows['matches']):,} matches and {len(rows['moves']):,} moves: no findings.\n"
    assert len(rows["matches"]) > 1000


# The kind of match, what is done to its rows, and the finding
DAMAGES = json.loads(Path(__file__).with_name("damages.json").read_text())
GAP = ("flag-chase", "DELETE FROM moves WHERE ply = 1")


@pytest.fixture(scope="module")
def on_postgres(stock: Stock, postgres: Postgres) -> str:
    url = postgres.new_database()
    copy(stock.url, url)
    return url


def damaged(stock: Stock, url: str, kind: str, damage: str) -> str:
    """Execute the statement for the rows of the match of that kind; return the match."""
    match = stock.match(kind)
    change, _, rows = damage.partition(" WHERE ")
    column = "id" if " matches" in change else "match"
    execute(url, f"{change} WHERE {column} = '{match}' AND {rows or 'true'}")
    return match


@pytest.mark.parametrize(("kind", "damage", "finding"), DAMAGES, ids=[" ".join(damage[:2]) for damage in DAMAGES])
def test_check_finds(kind: str, damage: str, finding: str, run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    match = damaged(stock, url, kind, damage)
    assert contents(url) != contents(stock.url)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (1, "")
    *findings, summary = out.splitlines()
    assert all(line.startswith(f"match {match}: ") for line in findings)
    assert any(finding in line for line in findings), out
    found = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    assert summary.endswith(f"moves: {found}.")


def test_check_finds_the_same_in_postgresql(run: Run, stock: Stock, on_postgres: str, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    result, seat = ("over", "UPDATE matches SET outcome = 1 - outcome"), ("charge", "DELETE FROM seats WHERE seat = 1")
    for damage in (GAP, result, seat, ("undone", "DELETE FROM matches")):
        assert damaged(stock, url, *damage) == damaged(stock, on_postgres, *damage)
    code, out, _ = run("check", "--database-url", url)
    assert code == 1
    there = run("check", "--database-url", on_postgres)[1]
    assert sorted(there.splitlines()) == sorted(out.splitlines())


def test_check_finds_an_uptime_that_is_recorded_twice(run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    execute(url, "INSERT INTO uptime VALUES (2, 0)")
    code, out, _ = run("check", "--database-url", url)
    assert code == 1
    assert out.startswith("The uptime is recorded 2 times.\n")


@pytest.mark.parametrize("part", ["moves", "matches_due"])  # a table, an index
def test_check_finds_damage_in_the_file(part: str, run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    file = tmp_path / "copy.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [part]).fetchone()
    with file.open("r+b") as content:
        content.seek((page - 1) * 4096)
        content.write(b"\xaa" * 4096)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (1, "")
    assert out.startswith("The file is damaged: ")


def test_check_can_print_json(run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    code, out, _ = run("check", "--json", "--database-url", url)
    sound = json.loads(out)
    assert (code, sound["findings"]) == (0, [])
    assert (sound["matches"], sound["moves"]) == tuple(len(contents(url)[name]) for name in ("matches", "moves"))
    match = damaged(stock, url, *GAP)
    code, out, _ = run("check", "--json", "--database-url", url)
    assert code == 1
    assert json.loads(out)["findings"] == [{"match": match, "finding": "Move 1 is missing."}]


def test_a_legal_move_that_was_changed_on_disk_is_a_fault_and_a_backup_tells_of_it(
    start: Start, run: Run, tmp_path: Path
) -> None:
    server = start()
    url = server.settings["database_url"]
    first, second = server.new_pair()
    assert first.play(0, "9").status_code == 200
    assert second.play(1, "8").status_code == 200
    server.stop()
    execute(url, "UPDATE moves SET move = '7' WHERE ply = 0")
    server.start()
    refused(server.http.get(f"/api/matches/{first.match}"), 500, "fault")
    refused(first.play(2, "1"), 500, "fault")
    code, out, _ = run("backup", tmp_path / "backup.sqlite", "--database-url", url)
    wrong = f"match {first.match}: Move 0, or what comes before it, is not what was acknowledged."
    assert (code, out.splitlines()[1:]) == (1, [wrong])
    code, out, _ = run("check", "--database-url", f"sqlite:///{tmp_path}/backup.sqlite")
    assert (code, out.splitlines()[0]) == (1, wrong)
