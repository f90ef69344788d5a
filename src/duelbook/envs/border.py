"""What comes from outside into the environments, checked; and what they show a person."""

import operator
from typing import Any

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, Move
from duelbook.match import ply_limit
from duelbook.options import whole
from duelbook.text import shorten

RENDER_MODES = ("human", "ansi")
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def as_move(action: Any) -> Move:
    """Answer the action as a move of ours, which knows no numbers of NumPy."""
    try:
        return operator.index(action)
    except TypeError:
        raise RefusedError(f"an action is the number of a move, not {shorten(repr(action))}") from None


def check_render_mode(mode: str | None) -> str | None:
    """Answer the mode, or refuse it with those there are."""
    if mode is not None and mode not in RENDER_MODES:
        raise RefusedError(f"render_mode cannot be {shorten(repr(mode))}; valid: {', '.join(RENDER_MODES)}")
    return mode


def check_ply_limit(game: AnyGame, limit: int | None) -> int:
    """Answer after how many moves a game is stopped: the limit given, or that of all automatic play."""
    if limit is None:
        return ply_limit(game)
    count = as_count("ply_limit", limit)
    check_range("ply_limit", count, 1, 1 << 31)
    return count


def as_count(name: str, value: Any) -> int:
    """Answer a whole number, or refuse it by its name."""
    count = whole(value)
    if not isinstance(count, int) or isinstance(count, bool):
        raise RefusedError(f"{name} must be a whole number, not {shorten(repr(value))}")
    return count


def shown(game: AnyGame, state: Any, mode: str | None) -> str | None:
    """Answer the state as text, or print it where a person is to see it."""
    text = game.render(state)
    if mode == "human":
        print(text, end="\n\n")  # noqa: T201 - what this mode is for
    return text if mode == "ansi" else None
