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


DAMAGES = [  # the kind of match, what is done to its rows, and the finding
    ("charge", "UPDATE moves SET move = 'fly' WHERE ply = 1", "Move 1: 'fly' is"),
    ("crystal-capture", "UPDATE moves SET move = '1' WHERE ply = 1", "'1' is not legal"),
    ("crystal-capture", "UPDATE moves SET move = move + 1 WHERE ply = 2", "Move 2, or what comes before it, is not"),
    ("crystal-capture", "UPDATE moves SET key = 'other' WHERE ply = 1", "Move 1, or what comes before it, is not"),
    ("timed", "UPDATE moves SET seconds = seconds + 1 WHERE ply = 1", "Move 1, or what comes before it, is not"),
    ("undone", "UPDATE undone SET key = 'other'", "Among the moves taken back: Move 2, or what comes before it"),
    ("crystal-capture", "DELETE FROM moves WHERE ply = 1", "Move 1 is missing."),
    ("crystal-capture", "DELETE FROM moves WHERE ply = 0", "Move 0 is missing."),
    ("word-clash", "DELETE FROM moves WHERE ply = 2", "but the number of its moves is 2"),
    (
        "over",
        "INSERT INTO moves SELECT match, ply + 1, '9', 1 - seat, NULL, 0, hash, version + 1 FROM moves "
        "WHERE true ORDER BY ply DESC LIMIT 1",
        "is not legal here",
    ),
    ("charge", "UPDATE matches SET ply = 2", "It is at ply 2, but"),
    ("over", "UPDATE matches SET outcome = 1 - outcome", "result cannot be"),
    ("over", "UPDATE matches SET reason = 'unfinished'", "result cannot be"),
    (
        "charge",
        "UPDATE matches SET outcome = 0, reason = 'rules', ended = started",
        "result cannot be 'first' with the reason 'rules'",
    ),
    ("charge", "UPDATE matches SET outcome = 7", "7 is not a valid Outcome"),
    ("over", "UPDATE matches SET reason = 'luck'", "'luck' is not a valid"),
    (
        "late",
        "UPDATE matches SET outcome = 1 - outcome",
        "with the reason 'time': by the rules, the moves lead to 'none'",
    ),
    ("late", "UPDATE matches SET time_limit = NULL", "there is no time limit"),
    ("charge", "UPDATE matches SET ended = started", "Whether it has ended"),
    ("charge", "UPDATE matches SET version = 1", "It is at version 1, but its moves"),
    ("charge", "UPDATE moves SET version = 2 - ply WHERE ply > 0", "Move 1 has version 1, and the move before it"),
    ("charge", "UPDATE moves SET seat = 1 WHERE ply = 0", "was not played by the seat"),
    ("computer", "UPDATE matches SET agent_due = true", "not an agent's turn"),
    ("timed", "UPDATE matches SET due = due + 1", "When it is due"),
    ("charge", "UPDATE matches SET creator = 2", "has neither seat"),
    ("charge", "DELETE FROM seats WHERE seat = 1", "A seat is missing."),
    ("charge", "UPDATE seats SET token = NULL WHERE seat = 1", "with its seats"),
    ("waiting", "UPDATE matches SET started = 'now'", "with its seats"),
    ("charge", "UPDATE matches SET started = NULL", "but has not begun"),
    ("word-clash", "UPDATE matches SET dictionary = 'x'", "another dictionary"),
    (
        "alpha-chase",
        "UPDATE seats SET choice = CASE seat WHEN 0 THEN 'QUICK' ELSE 'BRAVE' END",
        "Its words are not those that the players chose",
    ),
    ("charge", "UPDATE matches SET game = 'chess'", "chess"),
    ("charge", "UPDATE matches SET options = '{\"goal\": 0}'", "goal must be from"),
    ("charge", "UPDATE matches SET options = '['", "It cannot be replayed"),
    ("late", "UPDATE matches SET undo_by = 1", "A request to take back is open"),
    ("undone", "UPDATE undone SET move = 'fly'", "Among the moves taken back: Move 2: 'fly' is not legal"),
    ("undone", "UPDATE undone SET ply = 7", "Among the moves taken back: Nothing leads to move 7"),
    ("computer", "DELETE FROM undone WHERE ply = 0", "Among the moves taken back: Nothing leads to move 1"),
    ("undone", "UPDATE undone SET version = version + 50", "but its moves make it at least"),
    ("undone", "UPDATE matches SET time_limit = 9", "Moves were taken back in spite of the time limit"),
    ("series", "UPDATE matches SET best_of = 3", "a game of a best of 3"),
    ("series", "UPDATE matches SET first_points = 1", "The players have 1 and 0 points before game 1."),
    (
        "series",
        "UPDATE matches SET game_number = 3, first_points = 2",
        "It is game 3 of a series that was decided before.",
    ),
    ("series", "UPDATE matches SET outcome = 1 - outcome", "The series does not go on in its rematch"),
    ("charge", "UPDATE matches SET open = true", "has begun"),
    ("warned", "UPDATE matches SET claim_by = 0", "but cannot"),
    ("warned", "UPDATE matches SET claim_at = NULL", "but cannot"),
    ("timed", "UPDATE matches SET claim_by = 1, claim_at = 5", "but cannot"),
    ("timed", "UPDATE matches SET stopped_until = 5", "A clock stands still, but cannot be stopped"),
    (
        "computer",
        "UPDATE matches SET outcome = 1, reason = 'absence', ended = started, agent_due = false, due = NULL, "
        "version = version + 1",
        "in a match with a clock or an agent",
    ),
    ("waiting", "DELETE FROM matches", "but the table seats has rows of it."),
    ("charge", "DELETE FROM matches", "but the table moves has rows of it."),
    ("undone", "DELETE FROM matches", "the table undone has rows of it."),
]
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


def test_a_damaged_match_is_a_fault_and_answered_as_a_problem(start: Start) -> None:
    server = start()
    pairs = [server.new_pair("charge") for _ in range(2)]
    for first, _ in pairs:
        first.play(0, "charge 5")
    server.stop()
    with closing(sqlite3.connect(server.settings["database_url"].removeprefix("sqlite:///"))) as store, store:
        store.execute("UPDATE moves SET move = 'fly' WHERE match = ?", [pairs[0][0].match])
        store.execute("UPDATE matches SET options = '{broken' WHERE id = ?", [pairs[1][0].match])
    server.start()
    for first, second in pairs:
        refused(server.http.get(f"/api/matches/{first.match}"), 500, "fault")
        refused(server.http.get(f"/api/matches/{first.match}/moves"), 500, "fault")
        refused(second.play(1, "block"), 500, "fault")
