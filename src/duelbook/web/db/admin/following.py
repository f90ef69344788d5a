"""What follows from the moves of a match, and what is kept of it that does not."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, forced_pass, has_choices, uses_word_list, with_choices
from duelbook.games import make
from duelbook.match import Match
from duelbook.records.record import Person, Reason, check_result
from duelbook.web.db.admin.history import Rows, play, taken_back
from duelbook.web.db.rows import MatchRow, MoveRow, SeatRow

NOBODY = (Person(""), Person(""))
STRANGE = (ValueError, TypeError, AttributeError)  # what values of the wrong kind lead to


def amiss(rows: Rows) -> Iterator[str]:
    """Answer in a line each what is kept of the match and does not follow from its moves."""
    if [seat.seat for seat in rows.seats] != [0, 1]:
        yield "a seat is missing"
        return
    try:
        game = make(rows.match.game, **json.loads(rows.match.options))
        yield from _words(rows, game)
        match = _played(game, rows.moves)
        yield from _standing(rows, match)
        yield from _result(rows.match, match, rows.seats)
        yield from _versions(rows, match)
        if rows.undone:
            yield from taken_back(rows, game)
    except STRANGE as error:
        yield str(error) if isinstance(error, RefusedError) else f"it cannot be replayed: {error}"


def _played(game: AnyGame, moves: Sequence[MoveRow]) -> Match:
    """Answer the match after the moves, or refuse the first that is out of place."""
    match = Match(game)
    for ply, move in enumerate(moves):
        if move.ply != ply:
            raise RefusedError(f"move {ply} is missing")
        play(match, move)
    return match


def _words(rows: Rows, game: AnyGame) -> Iterator[str]:
    if rows.match.dictionary != (game.digest if uses_word_list(game) else None):
        yield "it was played with another dictionary than the one here"
    chosen = [seat.choice for seat in rows.seats if seat.choice]
    if has_choices(game) and rows.match.started and len(chosen) == 2 and game != with_choices(game, *chosen):
        yield f"its {game.chosen} are not those that the players chose"


def _standing(rows: Rows, match: Match) -> Iterator[str]:
    """Answer what is wrong with where the match stands."""
    row, seats = rows.match, rows.seats
    humans = [seat.seat for seat in seats if not seat.is_agent]
    over = row.reason != Reason.UNFINISHED
    asked = not over and row.time_limit is None and len(humans) == 2 and match.last_choice(humans) is not None
    due = bool(row.started) and not over and seats[match.mover].is_agent
    facts = {
        f"it is at ply {row.ply}, but the number of its moves is {len(match.moves)}": row.ply == len(match.moves),
        "whoever made it has neither seat": row.creator in (0, 1),
        "that it has begun does not agree with its seats": bool(row.started) == all(seat.is_taken for seat in seats),
        "it has moves, but has not begun": bool(row.started) or not rows.moves,
        "that it has ended does not agree with its reason": bool(row.ended) == over,
        f"it is {'' if due else 'not '}a computer's turn, but noted otherwise": row.agent_due == due,
        "taking back is asked for where it cannot be": row.undo_by is None or (asked and row.undo_by in (0, 1)),
    }
    yield from (text for text, holds in facts.items() if not holds)


def _result(row: MatchRow, match: Match, seats: Sequence[SeatRow]) -> Iterator[str]:
    """Answer whether the outcome and its reason do not follow."""
    given = replace(match.record(NOBODY, 0), outcome=Outcome(row.outcome), reason=Reason(row.reason))
    try:
        check_result(given)
    except RefusedError as error:
        yield str(error)
    if row.reason == Reason.TIME and row.time_limit is None and not seats[match.mover].is_agent:
        yield "a person ran out of time without a time limit"


def _versions(rows: Rows, match: Match) -> Iterator[str]:
    """Answer whether the versions do not rise with the moves: a pass has that of the move it came with."""
    given_up = rows.match.reason in (Reason.RESIGNATION, Reason.TIME)
    least = max([1, *(move.version + given_up for move in rows.moves), *(move.version + 1 for move in rows.undone)])
    if rows.match.version < least:
        yield f"it is at version {rows.match.version}, but its moves make it at least {least}"
    for before, move in zip(rows.moves, rows.moves[1:], strict=False):
        passed = forced_pass(match.game, match.states[move.ply]) is not None
        if not (move.version == before.version if passed else move.version > before.version):
            yield f"move {move.ply} is of version {move.version}, and the one before it of {before.version}"
