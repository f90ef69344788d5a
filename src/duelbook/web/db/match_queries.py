"""The queries that read whole matches."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache

from sqlalchemy import Column, Connection, Integer, and_, exists, func, or_, select, tuple_

from duelbook.game import Reason
from duelbook.records.record import HUMAN
from duelbook.web.db.row_parameters import packed_rows, unpacked_rows
from duelbook.web.db.tables import MatchRow, MoveRow, SeatRow, StoredMatch, matches, moves, seats, undone

BOTH_SEATS = 3  # as a bit mask

_MATCH = [matches.c[name] for name in MatchRow.__struct_fields__]
_SEAT = [seats.c[name] for name in SeatRow.__struct_fields__]
_MOVE = [moves.c[name] for name in MoveRow.__struct_fields__]
_UNDONE = [undone.c[name] for name in MoveRow.__struct_fields__]


class MatchQueries:
    """The queries that read whole matches, for one kind of database. Each takes any number of ids as one parameter."""

    def __init__(self, dialect: str) -> None:
        ids = select(unpacked_rows(dialect, [matches.c.id]))
        # Not grouped: that would read all moves that were taken back, not only the last.
        last_undone = select(func.max(undone.c.version)).where(undone.c.match == matches.c.id).scalar_subquery()
        self.matches = select(*_MATCH, last_undone).where(matches.c.id.in_(ids))
        self.seats = select(*_SEAT).where(seats.c.match.in_(ids)).order_by(seats.c.match, seats.c.seat)
        begin = unpacked_rows(dialect, [matches.c.id, moves.c.ply])
        since = and_(moves.c.match == begin.c.id, moves.c.ply >= begin.c.ply)
        given = unpacked_rows(dialect, [matches.c.id, Column("present", Integer)])
        agent = exists().where(seats.c.match == matches.c.id, seats.c.agent != HUMAN)
        found = (
            select(matches.c.id, matches.c.active_at, matches.c.turn_started)
            .join_from(given, matches, matches.c.id == given.c.id)
            .order_by(matches.c.active_at.desc(), matches.c.turn_started.desc())  # `active_at` is rounded to the minute
        )
        running = matches.c.started.is_not(None), matches.c.reason == Reason.UNFINISHED
        self.being_played = found.where(matches.c.public, *running, or_(given.c.present == BOTH_SEATS, agent))
        self.open_challenges = found.where(matches.c.open)
        self.moves = select(begin.c.ply, *_MOVE).join_from(begin, moves, since).order_by(moves.c.match, moves.c.ply)


match_queries = cache(MatchQueries)


def select_matches(connection: Connection, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], StoredMatch]:
    """Return the matches that exist, each with its moves from a ply on; from the first one, with its seats, too."""
    queries = match_queries(connection.dialect.name)
    begins = packed_rows([{"id": match, "ply": ply} for match, ply in wanted])
    seat_rows: defaultdict[str, list[SeatRow]] = defaultdict(list)
    move_rows: defaultdict[tuple[str, int], list[MoveRow]] = defaultdict(list)
    rows = {row[0]: (MatchRow(*row), last or 0) for *row, last in connection.execute(queries.matches, begins)}
    if whole := [{"id": match} for match, ply in wanted if ply == 0]:
        for seat in connection.execute(queries.seats, packed_rows(whole)):
            seat_rows[seat.match].append(SeatRow(*seat))
    for begin, *move in connection.execute(queries.moves, begins):
        row = MoveRow(*move)
        move_rows[row.match, begin].append(row)
    return {
        (match, ply): StoredMatch(
            rows[match][0], tuple(seat_rows[match]) if ply == 0 else (), move_rows[match, ply], rows[match][1]
        )
        for match, ply in wanted
        if match in rows
    }


def line_of_undone_move(connection: Connection, match: str, seat: int, key: str) -> Sequence[MoveRow] | None:
    sent = undone.c.match == match, undone.c.key == key, undone.c.seat == seat
    row = connection.execute(select(*_UNDONE).where(*sent)).first()
    if row is None:
        return None
    before = undone.c.match == match, undone.c.version <= row.version
    newest = select(undone.c.ply, func.max(undone.c.version)).where(*before).group_by(undone.c.ply)
    removed = select(*_UNDONE).where(*before, tuple_(undone.c.ply, undone.c.version).in_(newest))
    left = select(*_MOVE).where(moves.c.match == match, moves.c.version <= row.version)
    known = [MoveRow(*move) for query in (removed, left) for move in connection.execute(query)]
    line = {move.ply: move for move in sorted(known, key=lambda move: move.version)}
    last = row.ply
    while last + 1 in line and line[last + 1].version == row.version:  # passes that the move forced
        last += 1
    return [line[ply] for ply in range(last + 1)]
