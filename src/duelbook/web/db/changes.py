"""Changes in the database: the statements that write them, and the transaction that runs them."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import ClauseElement, Connection, FromClause, Insert, Table, delete, insert, select, tuple_, update

from duelbook.web.db.database import SQLITE
from duelbook.web.db.errors import ConflictError
from duelbook.web.db.row_parameters import execute, unpacked_rows
from duelbook.web.db.tables import Change, MatchRow, matches, moves, seats, undone

FIXED_COLUMNS = (
    *("id", "game", "dictionary", "seed", "time_limit", "creator", "created", "public"),
    *("best_of", "game_number", "first_points", "second_points"),
)
CHANGING_COLUMNS = [name for name in MatchRow.__struct_fields__ if name not in FIXED_COLUMNS]
SEAT_COLUMNS = ("name", "token", "choice", "reserved")  # set when a player takes the seat
LOCKED = Exception("Another session has locked the match.")  # the end of a job that can be tried again


class _Advance(msgspec.Struct, gc=False):
    """The columns that most moves change. No index has one of them, so few pages are written."""

    id: str
    version: int
    ply: int
    turn_started: float

    @classmethod
    def of(cls, row: MatchRow) -> "_Advance":
        return cls(row.id, row.version, row.ply, row.turn_started)


class Statements:
    """The statements that write rows, for one kind of database. Each takes any number of rows as one parameter."""

    def __init__(self, dialect: str) -> None:
        match, seat, move = (unpacked_rows(dialect, table.c) for table in (matches, seats, moves))
        self.new = {
            table.name: _insert(table, unpacked_rows(dialect, table.c)) for table in (matches, seats, moves, undone)
        }
        ids = select(unpacked_rows(dialect, [matches.c.id]))
        self.versions = select(matches.c.id, matches.c.version).where(matches.c.id.in_(ids))
        self.lock = self.versions.with_for_update(skip_locked=True, key_share=True)
        expected = update(matches).where(matches.c.id == match.c.id, matches.c.version == match.c.version - 1)
        self.change_match = expected.values({name: match.c[name] for name in CHANGING_COLUMNS})
        advance = unpacked_rows(dialect, [matches.c[name] for name in _Advance.__struct_fields__])
        self.advance_match = (
            update(matches)
            .where(matches.c.id == advance.c.id, matches.c.version == advance.c.version - 1)
            .values({name: advance.c[name] for name in _Advance.__struct_fields__[1:]})
        )
        self.take_seat = (
            update(seats)
            .where(seats.c.match == seat.c.match, seats.c.seat == seat.c.seat, seats.c.token.is_(None))
            .values({name: seat.c[name] for name in SEAT_COLUMNS})
        )
        removed = select(move.c.match, move.c.ply)
        self.remove_moves = delete(moves).where(tuple_(moves.c.match, moves.c.ply).in_(removed))


statements = cache(Statements)


def _insert(table: Table, rows: FromClause) -> Insert:
    values = select(*(rows.c[one.name] for one in table.c))
    return insert(table).from_select(list(table.c), values)


def write_jobs(connection: Connection, jobs: Sequence[Sequence[Change]], check: bool) -> Sequence[Exception | None]:
    """Write the jobs; return for each None, or why it was left out."""
    ends: Sequence[Exception | None] = [None] * len(jobs)
    if check or connection.dialect.name != SQLITE:  # SQLite has one writer at a time: nothing is locked
        ends = _claim(connection, jobs)
    _write(connection, [change for job, end in zip(jobs, ends, strict=True) if end is None for change in job])
    return ends


def _claim(connection: Connection, jobs: Sequence[Sequence[Change]]) -> Sequence[Exception | None]:
    """Lock the matches without waiting; return for each job None, or LOCKED, or the conflict."""
    expected = [[change.match for change in job if not change.new] for job in jobs]
    ids = {match.id for changed in expected for match in changed}
    held = select_versions(connection, ids, lock=True)
    locked = select_versions(connection, ids - held.keys()).keys()

    def end(changed: Sequence[MatchRow]) -> Exception | None:
        if any(match.id in locked for match in changed):
            return LOCKED
        current = all(held.get(match.id) == match.version - 1 for match in changed)
        return None if current else ConflictError("The match has another version.")

    return [end(changed) for changed in expected]


def select_versions(connection: Connection, ids: Collection[str], *, lock: bool = False) -> dict[str, int]:
    """Return the versions of the matches that exist or, with `lock`, of those that no other session has locked."""
    if not ids:
        return {}
    sql = statements(connection.dialect.name)
    rows, _ = execute(connection, sql.lock if lock else sql.versions, [{"id": match} for match in ids])
    return dict(map(tuple, rows))


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    """Write all the changes, with one statement for each kind of row."""
    sql = statements(connection.dialect.name)
    created = [change for change in changes if change.new]
    changed = [change for change in changes if not change.new]
    removed = [move for change in changes for move in change.undone]
    for statement, rows in (
        (sql.new["matches"], [change.match for change in created]),
        (sql.new["seats"], [seat for change in created for seat in change.seats]),
        (sql.change_match, [change.match for change in changed if not change.advances]),
        (sql.advance_match, [_Advance.of(change.match) for change in changed if change.advances]),
        (sql.take_seat, [seat for change in changed for seat in change.seats]),
        (sql.new["undone"], removed),
        (sql.remove_moves, removed),
        (sql.new["moves"], [move for change in changes for move in change.moves]),
    ):
        if rows:
            _write_rows(connection, statement, rows)


def _write_rows(connection: Connection, statement: ClauseElement, rows: Sequence[Any]) -> None:
    """Write all the rows; raise ConflictError if the database held another state than expected."""
    _, count = execute(connection, statement, rows)
    if count != len(rows):
        raise ConflictError("A row was not as expected.")
