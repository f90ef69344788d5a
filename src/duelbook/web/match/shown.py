"""What a game shows of a position: its own words or, if its own code fails, those that fit any game."""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from duelbook.board import Board, Played, Position, board_of, picture_of
from duelbook.board.general import fields_board
from duelbook.board.picture import fields_picture
from duelbook.board.svg import Drawing
from duelbook.game import AnyGame, Move, Outcome, Reason, plain_data, state_view
from duelbook.game_errors import BrokenGameError, raised_text
from duelbook.narration import AnyNarration, Narration, Preview, Seating, Turn, narration_for
from duelbook.web.problems import Problem

MAX_REMEMBERED_FAULTS = 1000  # reasons that are not logged again
MAX_SHORT_NAME = 60  # characters

log = logging.getLogger("duelbook.web")
T = TypeVar("T")


def shown_text(game: AnyGame, state: Any) -> str:
    """Return the state as text."""
    return own_or_general(game, lambda: game.render(state), lambda: _fields_text(state))


def shown_board(position: Position) -> Board:
    """Return what lies on the table."""
    return own_or_general(position.game, lambda: board_of(position), lambda: fields_board(position.state))


def shown_view(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the state as JSON for a board to draw."""
    return own_or_general(game, lambda: state_view(game, state), lambda: dict(plain_data(state)))


def shown_short_name(game: AnyGame, state: Any, move: Move) -> str:
    """Return a move in short notation."""
    return own_or_general(
        game,
        lambda: str(_narration(game).short_name(state, move))[:MAX_SHORT_NAME],
        lambda: game.move_name(state, move),
    )


@lru_cache(maxsize=1024)
def _narration(game: AnyGame) -> AnyNarration:
    return narration_for(game, Seating())


def shown_result(
    game: AnyGame, seating: Seating, state: Any, moves: Sequence[Move], outcome: Outcome, reason: Reason
) -> str | None:
    """Return in one line who won and why."""
    return own_or_general(
        game,
        lambda: narration_for(game, seating).result(state, moves, outcome, reason),
        lambda: Narration[Any, Any](game, seating).result(state, moves, outcome, reason),
    )


def shown_picture(game: AnyGame, state: Any, history: Sequence[Played], names: Sequence[str]) -> Drawing:
    """Return the state as a picture."""
    return own_or_general(game, lambda: picture_of(game, state, history, names), lambda: fields_picture(state, names))


def shown_preview(game: AnyGame, turn: Turn[Any]) -> Preview:
    """Return what a move would do, in words."""
    return own_or_general(
        game,
        lambda: narration_for(game, Seating()).preview(turn),
        lambda: Narration[Any, Any](game, Seating()).preview(turn),
    )


def broken_game_problem(error: BrokenGameError) -> Problem:
    """Return what a client is told of an error in a game's own code, which is logged with its reason once."""
    log_once(str(error))
    return Problem("fault", "This game does not work here: its own code failed. The reason is in the log.")


@lru_cache(maxsize=MAX_REMEMBERED_FAULTS)
def log_once(reason: str) -> None:
    """Log what is wrong with a game, unless that is in the log already."""
    log.error("a game is broken", extra={"why": reason})


def own_or_general(game: AnyGame, own: Callable[[], T], general: Callable[[], T]) -> T:
    """Return what the game's own code returns; if that fails, log the reason once and return the general answer."""
    try:
        return own()
    except BrokenGameError as error:
        log_once(str(error))
    except Exception as error:
        log_once(f"The game {type(game).__name__} is broken: {raised_text(error, type(game))}")
    return general()


def _fields_text(state: Any) -> str:
    return "\n".join(f"{name}: {value}" for name, value in dict(plain_data(state)).items())
