"""Retries: a request that comes again gets its first answer, whatever has happened since."""

from dataclasses import replace

from duelbook.game import Outcome, Player, Reason
from duelbook.text import fold
from duelbook.web.db.tables import MoveRow, StoredMatch
from duelbook.web.match.served_match import ServedMatch


def answered(served: ServedMatch, seat: Player, ply: int, move: str, key: str | None) -> MoveRow | None:
    """Answer the move that this request has led to before, if it has."""
    if key is not None:
        for row in (*served.moves, *served.undone):
            if row.key == key and row.seat == seat:
                return row
    if ply < len(served.moves):
        row = served.moves[ply]
        if row.seat == seat and fold(row.move) == fold(move):
            return row
    return None


def as_of(served: ServedMatch, row: MoveRow) -> ServedMatch:
    """Answer the match as it stood right after the move, with the passes that came with it."""
    fresh = replace(
        served.row,
        version=row.version,
        outcome=Outcome.UNDECIDED,
        reason=Reason.UNFINISHED,
        undo_by=None,
        rematch=None,
    )
    past = ServedMatch(StoredMatch(fresh, served.seats), served.clock)
    past.moves = _moves_then(served, row)
    for move in past.moves:
        past.match.play(move.move)
    past.row = past.standing(past.row)
    return past


def _moves_then(served: ServedMatch, row: MoveRow) -> list[MoveRow]:
    """Answer the moves of the match as they were when the row was written: of each ply the newest until then."""
    known = [move for move in (*served.undone, *served.moves) if move.version <= row.version]
    newest = {move.ply: move for move in sorted(known, key=lambda move: move.version)}
    last = row.ply
    while last + 1 in newest and newest[last + 1].version == row.version:
        last += 1
    return [newest[ply] for ply in range(last + 1)]
