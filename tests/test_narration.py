"""Narration: how a match ended, in one line that says why."""

from typing import Any

from duelbook import make
from duelbook.game import Reason
from duelbook.match import Match
from duelbook.narration import Seating, narration_for

SEATING = Seating(("Ann", "Ben"), first=1)  # Ben moves first


def result(match: Match) -> str | None:
    narration = narration_for(match.game, SEATING)
    return narration.result(match.state, match.moves, match.outcome, match.reason)


def played(game: str, moves: str = "", **options: Any) -> Match:
    match = Match(make(game, **options))
    for move in filter(None, moves.split(",")):
        match.play(move)
    return match


def test_the_result_of_a_match_that_was_cut_short_says_why_it_is_over() -> None:
    resigned, late = played("charge"), played("charge")
    resigned.resign(1)
    late.run_out_of_time()
    assert result(resigned) == "Ann resigns. Ben wins!"
    assert result(late) == "Ben has run out of time. Ann wins!"
    cut = Match(make("charge"), ply_limit=1)
    cut.play("block")
    assert (cut.reason, result(cut)) == (
        Reason.PLY_LIMIT,
        "The match stops at the move limit of 1 move. Nobody wins.",
    )


def test_an_unfinished_match_has_no_result() -> None:
    assert result(played("charge", "block")) is None
