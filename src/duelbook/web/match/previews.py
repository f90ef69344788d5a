"""Previews: what the legal moves of a position would do, for a player who has not decided yet."""

from collections.abc import Sequence
from typing import Any

from duelbook.board import Board, Position, history_of
from duelbook.board.changes import board_changes
from duelbook.game import AnyGame, Move, move_names, parse_move
from duelbook.narration import Turn
from duelbook.web.match.positions import replayed
from duelbook.web.match.shown import shown_board, shown_preview, shown_text, shown_view
from duelbook.web.schemas.studies import MovePreview, Previews

MAX_PREVIEWS = 64  # moves in one response; a client asks for others by name


def previews_of(game: AnyGame, names: Sequence[str], move: str | None = None) -> Previews:
    """Return what each legal move after the named ones would do, or only this move. Raise on an illegal move."""
    earlier, state = replayed(game, names)
    before = shown_board(Position(game, state, history_of(game, earlier)[1]))
    legal = list(move_names(game, state).items())[:MAX_PREVIEWS]
    if move is not None:
        number = parse_move(game, state, move)
        legal = [(game.move_name(state, number), number)]
    return Previews(moves={name: _preview(game, state, number, earlier, before) for name, number in legal})


def _preview(game: AnyGame, state: Any, move: Move, earlier: Sequence[Move], before: Board) -> MovePreview:
    after, history = history_of(game, [*earlier, move])
    words = shown_preview(game, Turn(state, move, after, earlier))
    return MovePreview(
        words=words.text,
        result=words.result,
        warning=words.warning,
        text=shown_text(game, after),
        view=shown_view(game, after),
        changes=board_changes(before, shown_board(Position(game, after, history))),
    )
