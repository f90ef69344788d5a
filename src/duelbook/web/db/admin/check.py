"""The check of a store: every match is replayed, and its rows are compared with what follows from its moves."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, func, select, text
from sqlalchemy.exc import DatabaseError

from duelbook.errors import RefusedError
from duelbook.game import (
    AnyGame,
    IllegalMoveError,
    Outcome,
    Reason,
    forced_pass,
    has_choices,
    uses_word_list,
    with_choices,
)
from duelbook.game_errors import game_error
from duelbook.games import GAMES, make
from duelbook.match import Match
from duelbook.records.record import Person, check_result
from duelbook.web.db.database import SQLITE, database_url, open_database
from duelbook.web.db.errors import error_reason
from duelbook.web.db.move_hashes import check_hashes, hash_before
from duelbook.web.db.schema import require_newest
from duelbook.web.db.series import SERIES_LENGTHS, next_game
from duelbook.web.db.tables import MatchRow, MoveRow, SeatRow, matches, moves, seats, undone, uptime

MATCHES_IN_MEMORY = 500
SERIES_COLUMNS = ("best_of", "game_number", "first_points", "second_points")

ANONYMOUS = (Person(""), Person(""))
REPLAY_ERRORS = (ValueError, TypeError, AttributeError)  # raised by values of the wrong type in a replay


@dataclass(frozen=True)
class Inconsistency:
    """Something that is wrong with a match or, without one, with the database."""

    text: str
    match: str | None = None

    def __str__(self) -> str:
        return f"match {self.match}: {self.text}" if self.match else self.text


@dataclass
class Report:
    """How much was checked, and what was found."""

    matches: int = 0
    moves: int = 0
    findings: list[Inconsistency] = field(default_factory=list)


@dataclass(frozen=True)
class MatchRows:
    """All rows of a match, right or wrong."""

    match: MatchRow
    seats: Sequence[SeatRow]
    moves: Sequence[MoveRow]
    undone: Sequence[MoveRow]


# The database


def check(url: str) -> Report:
    """Return the report of a check of the database in its present state."""
    with open_database(database_url(url)) as connection:
        require_newest(connection)
        damage = [Inconsistency(f"The file is damaged: {line}.") for line in _integrity(connection)]
        try:
            report = check_rows(connection)
        except DatabaseError as error:
            if not damage:
                raise
            report = Report(findings=[Inconsistency(f"The matches cannot be read: {error_reason(error)}.")])
        report.findings[:0] = damage
        return report


def check_rows(connection: Connection) -> Report:
    """Return the report of a check of every row that the connection sees."""
    report = Report(findings=[*_orphans(connection), *_uptime(connection), *_broken_series(connection)])
    for rows in _each_match(connection):
        report.matches += 1
        report.moves += len(rows.moves)
        report.findings += [Inconsistency(line, rows.match.id) for line in _check_match(rows)]
    return report


def changed_moves(connection: Connection) -> Iterator[Inconsistency]:
    """Yield the matches whose moves are not those that were acknowledged. Nothing is replayed, so it is quick."""
    for rows in _each_match(connection):
        yield from (Inconsistency(line, rows.match.id) for line in _changed(rows))


def _integrity(connection: Connection) -> Iterator[str]:
    """Yield what SQLite itself finds wrong with its file."""
    if connection.dialect.name != SQLITE:
        return
    try:
        lines = connection.execute(text("PRAGMA integrity_check")).scalars()
        yield from (str(line) for line in lines if line != "ok")
    except DatabaseError as error:
        yield error_reason(error)


def _orphans(connection: Connection) -> Iterator[Inconsistency]:
    for table in (seats, moves, undone):
        without = select(table.c.match).where(table.c.match.not_in(select(matches.c.id))).distinct()
        for match in connection.execute(without).scalars():
            yield Inconsistency(f"The match is missing, but the table {table.name} has rows of it.", str(match))


def _uptime(connection: Connection) -> Iterator[Inconsistency]:
    rows = connection.execute(select(func.count()).select_from(uptime)).scalar_one()
    if rows > 1:
        yield Inconsistency(f"The uptime is recorded {rows} times.")


def _broken_series(connection: Connection) -> Iterator[Inconsistency]:
    """Yield the games after which the series does not go on as it should."""
    following = matches.alias()
    pairs = select(matches, *(following.c[name].label(f"next_{name}") for name in ("id", *SERIES_COLUMNS)))
    joined = pairs.join(following, following.c.id == matches.c.rematch)
    for row in connection.execute(joined, execution_options={"yield_per": MATCHES_IN_MEMORY}).mappings():
        before = MatchRow(**{name: row[name] for name in MatchRow.__struct_fields__})
        found = tuple(row[f"next_{name}"] for name in SERIES_COLUMNS)
        expected = tuple(next_game(before)[name] for name in SERIES_COLUMNS)
        if before.outcome in (0, 1, 2) and found != expected:
            yield Inconsistency(f"The series does not go on in its rematch {row['next_id']} as it should.", row["id"])


def _each_match(connection: Connection) -> Iterator[MatchRows]:
    """Yield every match with all its rows, with a limited number of matches in memory at a time."""
    options = {"yield_per": MATCHES_IN_MEMORY}
    for some in connection.execute(select(matches), execution_options=options).mappings().partitions():
        ids = [row["id"] for row in some]
        seat_rows, move_rows, undone_rows = (
            _by_match(connection, table, ids, *order)
            for table, *order in ((seats, "seat"), (moves, "ply"), (undone, "version", "ply"))
        )
        for row in some:
            match = row["id"]
            yield MatchRows(
                MatchRow(**row),
                [SeatRow(**seat) for seat in seat_rows[match]],
                [MoveRow(**move) for move in move_rows[match]],
                [MoveRow(**move) for move in undone_rows[match]],
            )


def _by_match(
    connection: Connection, table: Table, ids: Sequence[Any], *order: str
) -> defaultdict[str, list[RowMapping]]:
    found: defaultdict[str, list[RowMapping]] = defaultdict(list)
    rows = select(table).where(table.c.match.in_(ids)).order_by(*(table.c[name] for name in order))
    for row in connection.execute(rows).mappings():
        found[row["match"]].append(row)
    return found


# One match


def _check_match(rows: MatchRows) -> Iterator[str]:
    """Yield a sentence for everything in the rows that does not follow from the moves."""
    if [seat.seat for seat in rows.seats] != [0, 1]:
        yield "A seat is missing."
        return
    if rows.match.game not in GAMES:
        why = GAMES.problem(rows.match.game) or f"The game {rows.match.game} is not installed here."
        yield f"It cannot be checked. {why}"
        return
    game = None
    try:
        game = make(rows.match.game, **json.loads(rows.match.options))
        yield from _check_words(rows, game)
        match = _replay(game, rows.moves)
        yield from _changed(rows)
        yield from _check_progress(rows, match)
        yield from _check_result(rows.match, match, rows.seats)
        yield from _check_versions(rows, match)
        yield from _check_series(rows.match)
        if rows.undone:
            yield from _check_undone(rows, game)
    except RefusedError as error:
        yield str(error)
    except Exception as error:
        broken = game_error(error, type(game)) if game else None
        if not broken and not isinstance(error, REPLAY_ERRORS):
            raise
        yield str(broken) if broken else f"It cannot be replayed: {error}."


def _changed(rows: MatchRows) -> Iterator[str]:
    """Yield a sentence if a move of the match is not what was acknowledged."""
    try:
        check_hashes(hash_before(rows.match), rows.moves)
    except RefusedError as error:
        yield str(error)


def _replay(game: AnyGame, played: Sequence[MoveRow]) -> Match:
    """Return the match after the moves, or raise RefusedError for the first that is out of place."""
    match = Match(game)
    for ply, move in enumerate(played):
        if move.ply != ply:
            raise RefusedError(f"Move {ply} is missing.")
        _play(match, move)
    return match


def _play(match: Match, move: MoveRow) -> None:
    """Play a stored move, or raise RefusedError if it is illegal or of the wrong seat."""
    mover = match.mover
    try:
        match.play(move.move)
    except IllegalMoveError as error:
        raise RefusedError(f"Move {move.ply}: {error}") from error
    if move.seat != mover:
        raise RefusedError(f"Move {move.ply} was not played by the seat whose turn it was.")


def _check_words(rows: MatchRows, game: AnyGame) -> Iterator[str]:
    if rows.match.dictionary != (game.digest if uses_word_list(game) else None):
        yield "It was played with another dictionary, not the one installed here."
    chosen = [seat.choice for seat in rows.seats if seat.choice]
    if has_choices(game) and rows.match.started and len(chosen) == 2 and game != with_choices(game, *chosen):
        yield f"Its {game.chosen} are not those that the players chose."


def _check_progress(rows: MatchRows, match: Match) -> Iterator[str]:
    """Yield a sentence for each column about the progress of the match that is wrong."""
    row = rows.match
    humans = [seat.seat for seat in rows.seats if not seat.is_agent]
    over = row.reason != Reason.UNFINISHED
    may_ask = not over and row.time_limit is None and len(humans) == 2 and match.last_choice(humans) is not None
    may_claim = bool(row.started) and not over and row.time_limit is None and len(humans) == 2
    due = bool(row.started) and not over and rows.seats[match.mover].is_agent
    may_stop = bool(row.started) and not over and row.time_limit is not None and humans == [match.mover]
    full = all(seat.is_taken for seat in rows.seats)
    facts = {
        f"It is at ply {row.ply}, but the number of its moves is {len(match.moves)}.": row.ply == len(match.moves),
        "The player who created it has neither seat.": row.creator in (0, 1),
        "Whether it has begun does not agree with its seats.": bool(row.started) == full,
        "It has moves, but has not begun.": bool(row.started) or not rows.moves,
        "Whether it has ended does not agree with its reason.": bool(row.ended) == over,
        f"It is {'' if due else 'not '}an agent's turn, but the row says otherwise.": row.agent_due == due,
        "When it is due does not agree with its turn.": row.due == _due(row, over),
        "A request to take back is open, but none is possible.": row.undo_by is None
        or (may_ask and row.undo_by in (0, 1)),
        "An open challenge has begun.": not row.open or not (row.started or full),
        "A player waits to claim the win, but cannot.": (row.claim_by is None) == (row.claim_at is None)
        and (row.claim_by is None or (may_claim and row.claim_by == 1 - match.mover)),
        "A clock stands still, but cannot be stopped.": row.stopped_until is None or may_stop,
    }
    yield from (text for text, holds in facts.items() if not holds)


def _due(row: MatchRow, over: bool) -> float | None:
    """Return when something must happen in the match, as far as its other columns tell."""
    if row.agent_due:
        return row.turn_started
    running = row.started and not over and row.turn_limit is not None
    return row.turn_started + (row.turn_limit or 0.0) if running else None


def _check_result(row: MatchRow, match: Match, seat_rows: Sequence[SeatRow]) -> Iterator[str]:
    stored = replace(match.record(ANONYMOUS, 0), outcome=Outcome(row.outcome), reason=Reason(row.reason))
    try:
        check_result(stored)
    except RefusedError as error:
        yield str(error)
    if row.reason == Reason.TIME and row.time_limit is None and not seat_rows[match.mover].is_agent:
        yield "A person ran out of time, but there is no time limit."
    if row.reason == Reason.ABSENCE and (row.time_limit is not None or any(seat.is_agent for seat in seat_rows)):
        yield "A win was claimed against an absent player in a match with a clock or an agent."


def _check_versions(rows: MatchRows, match: Match) -> Iterator[str]:
    """Yield what is wrong with the versions. They rise with the moves, but a forced pass shares that of its move."""
    decided = rows.match.reason in (Reason.RESIGNATION, Reason.TIME, Reason.ABSENCE)
    least = max([1, *(move.version + decided for move in rows.moves), *(move.version + 1 for move in rows.undone)])
    if rows.match.version < least:
        yield f"It is at version {rows.match.version}, but its moves make it at least {least}."
    for before, move in zip(rows.moves, rows.moves[1:], strict=False):
        passed = forced_pass(match.game, match.states[move.ply]) is not None
        if not (move.version == before.version if passed else move.version > before.version):
            yield f"Move {move.ply} has version {move.version}, and the move before it {before.version}."


def _check_series(row: MatchRow) -> Iterator[str]:
    """Yield what is wrong with the place of the match in its series."""
    points = row.first_points, row.second_points
    facts = {
        f"It is a game of a best of {row.best_of}; valid: {', '.join(map(str, SERIES_LENGTHS))}.": row.best_of
        in SERIES_LENGTHS,
        f"The players have {points[0]:g} and {points[1]:g} points before game {row.game_number}.": sum(points)
        == row.game_number - 1
        and min(points) >= 0
        and all((2 * one).is_integer() for one in points),
        f"It is game {row.game_number} of a series that was decided before.": row.best_of == 1
        or (row.game_number <= row.best_of and max(points) <= row.best_of / 2),
    }
    yield from (text for text, holds in facts.items() if not holds)


# Moves that were taken back


def _check_undone(rows: MatchRows, game: AnyGame) -> Iterator[str]:
    if rows.match.time_limit is not None:
        yield "Moves were taken back in spite of the time limit."
    try:
        if _replay_with_undone(rows, game) != list(rows.moves):
            yield "Its moves are not those that remained when others were taken back."
    except RefusedError as error:
        yield f"Among the moves taken back: {error}"


def _replay_with_undone(rows: MatchRows, game: AnyGame) -> list[MoveRow]:
    """Return the moves that remain when all are played and taken back in the order of their versions."""
    humans = [seat.seat for seat in rows.seats if not seat.is_agent]
    match, left = Match(game), list[MoveRow]()
    for move in sorted((*rows.undone, *rows.moves), key=lambda move: (move.version, move.ply)):
        _undo_to(match, left, move.ply, humans)
        _play(match, move)
        check_hashes(left[-1].hash if left else hash_before(rows.match), [move])
        left.append(move)
    _undo_to(match, left, len(rows.moves), humans)
    return left


def _undo_to(match: Match, left: list[MoveRow], ply: int, humans: Sequence[int]) -> None:
    """Go back to the ply, or raise RefusedError: it must be a person's choice."""
    if ply == len(left):
        return
    if ply > len(left):
        raise RefusedError(f"Nothing leads to move {ply}.")
    state = match.states[ply]
    if match.over or match.game.mover(state) not in humans or forced_pass(match.game, state) is not None:
        raise RefusedError(f"Move {ply} cannot have been taken back.")
    match.undo_to(ply)
    del left[ply:]
