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


DAMAGES = {  # the kind of match, the damage done to it, and the finding
    "an illegal move": ("charge", "UPDATE moves SET move = 'fly' WHERE match = :id AND ply = 1", "Move 1: 'fly' is"),
    "a move twice": (
        "crystal-capture",
        "UPDATE moves SET move = '1' WHERE match = :id AND ply = 1",
        "'1' is not legal",
    ),
    "a gap": ("flag-chase", "DELETE FROM moves WHERE match = :id AND ply = 1", "Move 1 is missing."),
    "no first move": ("flag-chase", "DELETE FROM moves WHERE match = :id AND ply = 0", "Move 0 is missing."),
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
    "another ply": ("charge", "UPDATE matches SET ply = 2 WHERE id = :id", "It is at ply 2, but"),
    "another outcome": ("over", "UPDATE matches SET outcome = 1 - outcome WHERE id = :id", "result cannot be"),
    "no outcome": ("over", "UPDATE matches SET reason = 'unfinished' WHERE id = :id", "result cannot be"),
    "an early end": (
        "charge",
        "UPDATE matches SET outcome = 0, reason = 'rules', ended = started WHERE id = :id",
        "result cannot be 'first' with the reason 'rules'",
    ),
    "an outcome that is none": ("charge", "UPDATE matches SET outcome = 7 WHERE id = :id", "7 is not a valid Outcome"),
    "a reason that is none": ("over", "UPDATE matches SET reason = 'luck' WHERE id = :id", "'luck' is not a valid"),
    "a loss of time by who did not move": (
        "late",
        "UPDATE matches SET outcome = 1 - outcome WHERE id = :id",
        "with the reason 'time': by the rules, the moves lead to 'none'",
    ),
    "time without a limit": ("late", "UPDATE matches SET time_limit = NULL WHERE id = :id", "there is no time limit"),
    "an end without one": (
        "charge",
        "UPDATE matches SET ended = started WHERE id = :id",
        "Whether it has ended",
    ),
    "another version": ("charge", "UPDATE matches SET version = 1 WHERE id = :id", "It is at version 1, but its moves"),
    "versions in disorder": (
        "charge",
        "UPDATE moves SET version = 2 - ply WHERE match = :id AND ply > 0",
        "Move 1 has version 1, and the move before it",
    ),
    "another's turn": (
        "charge",
        "UPDATE moves SET seat = 1 WHERE match = :id AND ply = 0",
        "was not played by the seat",
    ),
    "a computer's turn": ("computer", "UPDATE matches SET agent_due = true WHERE id = :id", "not an agent's turn"),
    "another time when it is due": ("timed", "UPDATE matches SET due = due + 1 WHERE id = :id", "When it is due"),
    "a creator without a seat": ("charge", "UPDATE matches SET creator = 2 WHERE id = :id", "has neither seat"),
    "a seat that is missing": ("charge", "DELETE FROM seats WHERE match = :id AND seat = 1", "A seat is missing."),
    "a seat that is free": (
        "charge",
        "UPDATE seats SET token = NULL WHERE match = :id AND seat = 1",
        "with its seats",
    ),
    "a start without a friend": (
        "waiting",
        "UPDATE matches SET started = 'now' WHERE id = :id",
        "with its seats",
    ),
    "moves before the start": ("charge", "UPDATE matches SET started = NULL WHERE id = :id", "but has not begun"),
    "another dictionary": ("word-clash", "UPDATE matches SET dictionary = 'x' WHERE id = :id", "another dictionary"),
    "another word": (
        "alpha-chase",
        "UPDATE seats SET choice = CASE seat WHEN 0 THEN 'QUICK' ELSE 'BRAVE' END WHERE match = :id",
        "Its words are not those that the players chose",
    ),
    "an unknown game": ("charge", "UPDATE matches SET game = 'chess' WHERE id = :id", "chess"),
    "unknown options": ("charge", "UPDATE matches SET options = '{{\"goal\": 0}}' WHERE id = :id", "goal must be from"),
    "options that are none": ("charge", "UPDATE matches SET options = '[' WHERE id = :id", "It cannot be replayed"),
    "a wish to take back nothing": (
        "late",
        "UPDATE matches SET undo_by = 1 WHERE id = :id",
        "A request to take back is open",
    ),
    "an illegal move taken back": (
        "undone",
        "UPDATE undone SET move = 'fly' WHERE match = :id",
        "Among the moves taken back: Move 2: 'fly' is not legal",
    ),
    "a move taken back that nothing leads to": (
        "undone",
        "UPDATE undone SET ply = 7 WHERE match = :id",
        "Among the moves taken back: Nothing leads to move 7",
    ),
    "a computer's move taken back": (
        "computer",
        "DELETE FROM undone WHERE match = :id AND ply = 0",
        "Among the moves taken back: Nothing leads to move 1",
    ),
    "a move taken back too late": (
        "undone",
        "UPDATE undone SET version = version + 50 WHERE match = :id",
        "but its moves make it at least",
    ),
    "moves taken back in spite of a clock": (
        "undone",
        "UPDATE matches SET time_limit = 9 WHERE id = :id",
        "Moves were taken back in spite of the time limit",
    ),
    "a series of three games": ("series", "UPDATE matches SET best_of = 3 WHERE id = :id", "a game of a best of 3"),
    "points that were not won": (
        "series",
        "UPDATE matches SET first_points = 1 WHERE id = :id",
        "The players have 1 and 0 points before game 1.",
    ),
    "a game after the last": (
        "series",
        "UPDATE matches SET game_number = 3, first_points = 2 WHERE id = :id",
        "It is game 3 of a series that was decided before.",
    ),
    "a series that goes on otherwise": (
        "series",
        "UPDATE matches SET outcome = 1 - outcome WHERE id = :id",
        "The series does not go on in its rematch",
    ),
    "an open challenge that has begun": ("charge", "UPDATE matches SET open = true WHERE id = :id", "has begun"),
    "a claim by the mover": ("warned", "UPDATE matches SET claim_by = 0 WHERE id = :id", "but cannot"),
    "a claim without a time": ("warned", "UPDATE matches SET claim_at = NULL WHERE id = :id", "but cannot"),
    "a claim in spite of a clock": (
        "timed",
        "UPDATE matches SET claim_by = 1, claim_at = 5 WHERE id = :id",
        "but cannot",
    ),
    "a stopped clock between people": (
        "timed",
        "UPDATE matches SET stopped_until = 5 WHERE id = :id",
        "A clock stands still, but cannot be stopped",
    ),
    "a win claimed against a computer": (
        "computer",
        "UPDATE matches SET outcome = 1, reason = 'absence', ended = started, agent_due = false, due = NULL, "
        "version = version + 1 WHERE id = :id",
        "in a match with a clock or an agent",
    ),
    "seats of no match": (
        "waiting",
        "DELETE FROM matches WHERE id = :id",
        "but the table seats has rows of it.",
    ),
    "moves of no match": (
        "charge",
        "DELETE FROM matches WHERE id = :id",
        "but the table moves has rows of it.",
    ),
    "moves taken back of no match": (
        "undone",
        "DELETE FROM matches WHERE id = :id",
        "the table undone has rows of it.",
    ),
}


@pytest.fixture(scope="module")
def on_postgres(stock: Stock, postgres: Postgres) -> str:
    """A copy of the stock in PostgreSQL."""
    url = postgres.new_database()
    copy(stock.url, url)
    return url


def damaged(stock: Stock, url: str, damage: str) -> str:
    kind, statement, _ = DAMAGES[damage]
    execute(url, statement.format().replace(":id", f"'{stock.match(kind)}'"))
    return stock.match(kind)


@pytest.mark.parametrize("damage", DAMAGES)
def test_check_finds(damage: str, run: Run, stock: Stock, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    match = damaged(stock, url, damage)
    assert contents(url) != contents(stock.url)
    code, out, errors = run("check", "--database-url", url)
    assert (code, errors) == (1, "")
    *findings, summary = out.splitlines()
    assert all(finding.startswith(f"match {match}: ") for finding in findings)
    assert any(DAMAGES[damage][2] in finding for finding in findings), out
    found = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    assert summary.endswith(f"moves: {found}.")


def test_check_finds_the_same_in_postgresql(run: Run, stock: Stock, on_postgres: str, tmp_path: Path) -> None:
    url = stock.copy_to(tmp_path)
    for damage in ("a gap", "another outcome", "a seat that is missing", "moves taken back of no match"):
        assert damaged(stock, url, damage) == damaged(stock, on_postgres, damage)
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
    match = damaged(stock, url, "a gap")
    code, out, _ = run("check", "--json", "--database-url", url)
    assert code == 1
    assert json.loads(out)["findings"] == [{"match": match, "finding": "Move 1 is missing."}]


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
