"""Checking: every match is replayed, and what is kept of it is compared with what follows from its moves."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, func, select, text
from sqlalchemy.exc import DatabaseError

from duelbook.web.db.admin.following import amiss
from duelbook.web.db.admin.history import Rows
from duelbook.web.db.engine import database_url
from duelbook.web.db.opening import opened, reason
from duelbook.web.db.rows import MatchRow, MoveRow, SeatRow
from duelbook.web.db.schema import require
from duelbook.web.db.tables import matches, moves, seats, undone, uptime

AT_ONCE = 500  # matches that are in memory together


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be, in a match or, without one, in the database."""

    text: str
    match: str | None = None

    def __str__(self) -> str:
        return f"match {self.match}: {self.text}" if self.match else self.text


@dataclass
class Report:
    """How much was checked, and what was found."""

    matches: int = 0
    moves: int = 0
    findings: list[Finding] = field(default_factory=list)


def check(url: str) -> Report:
    """Check a database, as it is at one moment."""
    with opened(database_url(url)) as connection:
        require(connection)
        damage = [Finding(f"the file is damaged: {line}") for line in _integrity(connection)]
        try:
            report = check_rows(connection)
        except DatabaseError as error:
            if not damage:
                raise
            report = Report(findings=[Finding(f"the matches cannot be read: {reason(error)}")])
        report.findings[:0] = damage
        return report


def check_rows(connection: Connection) -> Report:
    """Check every row that the connection sees."""
    report = Report(findings=[*_orphans(connection), *_uptime(connection)])
    for rows in _each_match(connection):
        report.matches += 1
        report.moves += len(rows.moves)
        report.findings += [Finding(line, rows.match.id) for line in amiss(rows)]
    return report


def _integrity(connection: Connection) -> Iterator[str]:
    """Answer what SQLite itself finds wrong with its file."""
    if connection.dialect.name != "sqlite":
        return
    try:
        lines = connection.execute(text("PRAGMA integrity_check")).scalars()
        yield from (str(line) for line in lines if line != "ok")
    except DatabaseError as error:
        yield reason(error)


def _orphans(connection: Connection) -> Iterator[Finding]:
    for table in (seats, moves, undone):
        without = select(table.c.match).where(table.c.match.not_in(select(matches.c.id))).distinct()
        for match in connection.execute(without).scalars():
            yield Finding(f"it is not there, but {table.name} of it are", str(match))


def _uptime(connection: Connection) -> Iterator[Finding]:
    noted = connection.execute(select(func.count()).select_from(uptime)).scalar_one()
    if noted > 1:
        yield Finding(f"the uptime is noted {noted} times")


def _each_match(connection: Connection) -> Iterator[Rows]:
    """Answer every match with all its rows, a few matches at a time."""
    for some in connection.execute(select(matches), execution_options={"yield_per": AT_ONCE}).mappings().partitions():
        ids = [row["id"] for row in some]
        seated, played, back = (
            _by_match(connection, table, ids, *order)
            for table, *order in ((seats, "seat"), (moves, "ply"), (undone, "version", "ply"))
        )
        for row in some:
            match = row["id"]
            yield Rows(
                MatchRow(**row),
                [SeatRow(**seat) for seat in seated[match]],
                [MoveRow(**move) for move in played[match]],
                [MoveRow(**move) for move in back[match]],
            )


def _by_match(
    connection: Connection, table: Table, ids: Sequence[Any], *order: str
) -> defaultdict[str, list[RowMapping]]:
    found: defaultdict[str, list[RowMapping]] = defaultdict(list)
    rows = select(table).where(table.c.match.in_(ids)).order_by(*(table.c[name] for name in order))
    for row in connection.execute(rows).mappings():
        found[row["match"]].append(row)
    return found
