"""The moves of a match in the order in which they came, with those that were taken back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, forced_pass
from duelbook.match import Match
from duelbook.web.db.rows import MatchRow, MoveRow, SeatRow


@dataclass(frozen=True)
class Rows:
    """All rows of a match, whatever they are."""

    match: MatchRow
    seats: Sequence[SeatRow]
    moves: Sequence[MoveRow]
    undone: Sequence[MoveRow]


def play(match: Match, move: MoveRow) -> None:
    """Play a move that is kept, or refuse one that is not legal or of the wrong seat."""
    mover = match.mover
    try:
        match.play(move.move)
    except IllegalMoveError as error:
        raise RefusedError(f"move {move.ply}: {error}") from error
    if move.seat != mover:
        raise RefusedError(f"move {move.ply} was not that seat's turn")


def taken_back(rows: Rows, game: AnyGame) -> Iterator[str]:
    """Answer whether the moves that were taken back cannot have been."""
    if rows.undone and rows.match.time_limit is not None:
        yield "moves were taken back in spite of the time limit"
    try:
        if _left(rows, game) != list(rows.moves):
            yield "its moves are not those that were left when others were taken back"
    except RefusedError as error:
        yield f"among the moves taken back: {error}"


def _left(rows: Rows, game: AnyGame) -> list[MoveRow]:
    """Answer the moves that are left when all were played and taken back as their versions say."""
    humans = [seat.seat for seat in rows.seats if not seat.is_agent]
    match, left = Match(game), list[MoveRow]()
    for move in sorted((*rows.undone, *rows.moves), key=lambda move: (move.version, move.ply)):
        _go_back(match, left, move.ply, humans)
        play(match, move)
        left.append(move)
    _go_back(match, left, len(rows.moves), humans)
    return left


def _go_back(match: Match, left: list[MoveRow], ply: int, humans: Sequence[int]) -> None:
    """Go back to the ply, or refuse: somebody must have had a choice there."""
    if ply == len(left):
        return
    if ply > len(left):
        raise RefusedError(f"nothing leads to move {ply}")
    state = match.states[ply]
    if match.over or match.game.mover(state) not in humans or forced_pass(match.game, state) is not None:
        raise RefusedError(f"move {ply} cannot have been taken back")
    match.undo_to(ply)
    del left[ply:]
