"""Moves that are typed on the page: read as everywhere, also if the game's own code fails."""

from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError
from duelbook.narration import AnyNarration, Narration, Seating, narration_for
from duelbook.play.typed_moves import read_move
from duelbook.web.match.shown import own_or_general


def read_typed_move(game: AnyGame, state: Any, text: str) -> str:
    """Return the name of the only legal move that the text can mean, or raise RefusedError with the reason."""
    move, refusal = own_or_general(
        game,
        lambda: _read(narration_for(game, Seating()), state, text),
        lambda: _read(Narration[Any, Any](game, Seating()), state, text),
    )
    if refusal:
        raise refusal
    return move


def _read(narration: AnyNarration, state: Any, text: str) -> tuple[str, RefusedError | None]:
    try:
        return read_move(narration, state, text), None
    except BrokenGameError:
        raise
    except RefusedError as refusal:
        return "", refusal
