"""What a move would change on a board: what lies elsewhere, and nothing that can only be chosen."""

from collections.abc import Sequence
from typing import Any

import pytest

from duelbook.board import Board, Cell, Grid, PlayerSide, Position, board_of, history_of
from duelbook.board.changes import board_changes
from tests.support.playing import match_after


def places(name: str, *moves: str) -> list[list[str | int]]:
    """Return where the last of the moves changes the board."""
    match = match_after(name, *moves)
    lines = (match.moves[:-1], match.moves)
    boards = [board_of(Position(match.game, *history_of(match.game, line))) for line in lines]
    return sorted((list(change.at) for change in board_changes(boards[0], boards[1])), key=str)


@pytest.mark.parametrize(
    ("name", "moves", "changed"),
    [
        ("crystal-capture", ["8"], [["middle", 0, "cells", 7], ["sides", 0, "parts", 0]]),
        ("flag-chase", ["1"], [["middle", 0, "cells", 0], ["middle", 0, "cells", 1]]),
        ("word-clash", ["E self 3"], [["sides", 0, "parts", 0, "cells", 2]]),
        ("charge", ["charge 3"], [["sides", 0, "parts", 0], ["sides", 0, "parts", 1]]),
    ],
)
def test_only_what_lies_elsewhere_is_sent(name: str, moves: list[str], changed: Sequence[Any]) -> None:
    assert places(name, *moves) == changed


def test_a_grid_that_gets_another_size_is_sent_whole() -> None:
    small, large = ([[Cell(text="a")] * size] for size in (1, 2))
    before, after = (Board((PlayerSide(), PlayerSide()), [Grid(rows)]) for rows in (small, large))
    [change] = board_changes(before, after)
    assert (change.at, change.part) == (["middle", 0], Grid(large))
