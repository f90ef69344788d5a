"""Narration: how a match ended, in one line that says why."""

from typing import Any

import pytest

from duelbook import make
from duelbook.game import Reason
from duelbook.match import Match
from duelbook.narration import Seating, narration_for

SEATING = Seating(("Ann", "Ben"), first=1)  # Ben moves first
WORDS = {"words": "GHOST,PLANT"}
SHORT = {"length": 3}


def result(match: Match) -> str | None:
    narration = narration_for(match.game, SEATING)
    return narration.result(match.state, match.moves, match.outcome, match.reason)


def played(game: str, moves: str = "", **options: Any) -> Match:
    match = Match(make(game, **options))
    for move in filter(None, moves.split(",")):
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("game", "options", "moves", "said"),
    [
        ("flag-chase", {}, "2", "Ben captures the flag and wins!"),
        ("charge", {"goal": 5}, "charge 5", "Ben has exactly 5 points and wins the game!"),
        ("crystal-capture", {}, "9,8,6", "Ben has exactly 15 points and wins the game!"),
        (
            "crystal-capture",
            {"crystals": 3, "goal": 6, "deadlock": "draw"},
            "2,3,1",
            "Neither player can capture another crystal. The game is a draw.",
        ),
        ("alpha-chase", WORDS, "G,A,H,B,O,C,S,D,T", "Ben has every letter of GHOST and wins!"),
        (
            "alpha-chase",
            WORDS,
            "G,P,L,H,O,A,N,S,T",
            "Nobody has completed their word. Ben wins with 3 letters of their word against 2.",
        ),
        (
            "word-clash",
            SHORT,
            "C self 1,X self 1,A self 2,X self 2,T self 3",
            "Ben's board reads CAT, a valid English word. Ben wins the game.",
        ),
        (
            "word-clash",
            SHORT,
            "C self 1,X self 1,A self 2,X self 2,X self 3",
            "Ben's board reads CAX, not a valid English word. Ann wins the game.",
        ),
    ],
)
def test_the_result_says_who_won_and_why(game: str, options: dict[str, Any], moves: str, said: str) -> None:
    assert result(played(game, moves, **options)) == said


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
