"""Narration: how a match ended, in one line that says why."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from duelbook import make
from duelbook.game import Outcome, Reason, state_view
from duelbook.match import Match
from duelbook.narration import Seating, narration_for
from tests.support.broken_package import write_package
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits
from tests.support.playing import match_after

SEATING = Seating(("Ann", "Ben"), first=1)  # Ben moves first


def result(match: Match) -> str | None:
    narration = narration_for(match.game, SEATING)
    return narration.result(match.state, match.moves, match.outcome, match.reason)


def test_the_result_of_a_match_that_was_cut_short_says_why_it_is_over() -> None:
    resigned, late = match_after("charge"), match_after("charge")
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
    assert result(match_after("charge", "block")) is None


def test_a_narration_of_its_own_keeps_the_general_reason_for_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    source = "from duelbook import narration\n\nclass Narration(narration.Narration):\n    separator = '-'\n"
    use_games(write_package(tmp_path, "quiet_stairs", narration=source))
    assert result(match_after("staircase", *["climb 2"] * 3, "climb 1")) == "Ann wins with climb 1!"


@pytest.mark.parametrize(
    ("moves", "heading"),
    [((), "Ben's turn."), (("pit 3",), "Ben's turn again."), (("pit 3", "pit 1"), "Ann's turn.")],
)
def test_the_general_narration_says_who_moves_and_who_moves_again(moves: tuple[str, ...], heading: str) -> None:
    match = match_after(Pits(), *moves)
    assert narration_for(match.game, SEATING).heading(match.state, match.moves) == heading


def test_the_general_narration_names_people() -> None:
    state = match_after(Pits(), "pit 3").state
    assert narration_for(Pits(), SEATING).board(state) == "Pits: 1 2 - 4 5 6 7\nBen: 3\nAnn: 0"


def test_the_general_narration_gives_the_reason_for_the_result() -> None:
    assert result(match_after(LastStone(4), "take 1", "take 3")) == "Ann wins with take 3!"
    assert result(match_after(Pits(1), "pit 1")) == "Ben wins with pit 1!"
    assert result(match_after(Pits(4), "pit 4", "pit 3", "pit 2", "pit 1")) == "The game is a draw after 4 moves."


class Cell(NamedTuple):
    owner: Outcome
    number: int


@pytest.mark.parametrize(
    ("state", "view"),
    [
        ((1, (2, [3])), {"state": [1, [2, [3]]]}),
        ({"cells": (Cell(Outcome.DRAW, 4),), 7: {1}}, {"cells": [{"owner": "draw", "number": 4}], "7": [1]}),
        (Cell(Outcome.FIRST_WINS, 1 << 60 | 1 << 2), {"owner": "first_wins", "number": [2, 60]}),
        (Cell(Outcome.FIRST_WINS, -(1 << 60)), {"owner": "first_wins", "number": str(-(1 << 60))}),
        (5, {"state": 5}),
    ],
)
def test_a_state_of_any_shape_can_be_sent_to_a_board(state: Any, view: dict[str, Any]) -> None:
    assert state_view(LastStone(), state) == view
