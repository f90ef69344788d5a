"""Exact values in words: how far an end is, and the best move with the reason for it."""

from typing import Any, NamedTuple

from duelbook.game import AnyGame, offered_moves
from duelbook.solve.cache import solved
from duelbook.solve.solution import ScoredMove, Value


class Hint(NamedTuple):
    """The best move, and why it is: what may follow its name and a colon."""

    move: str
    why: str


def hint(game: AnyGame, state: Any) -> Hint | None:
    """Answer the best move that may be offered; none once the game is over."""
    scored = solved(game).moves(state)
    if not scored:
        return None
    offered = offered_moves(game, state)
    best = next(move for move in scored if move.move in offered)
    keeping = [move for move in scored if move.value == best.value]
    worse = "" if len(keeping) > 1 or len(scored) == 1 else _others(scored[1].value)
    return Hint(game.move_name(state, best.move), f"{_why(best)}{worse}.")


def _why(best: ScoredMove) -> str:
    if best.value is Value.DRAW:
        return "holds the draw"
    length = plies_text(plies(best) or 0)
    return (
        f"wins in {length}"
        if best.value is Value.WIN
        else f"resists longest, but every move loses; this one in {length}"
    )


def _others(value: Value) -> str:
    return "; every other move loses" if value is Value.LOSS else "; every other move only draws"


def plies(scored: ScoredMove) -> int | None:
    """Answer the plies to the end with the move itself."""
    return None if scored.remoteness is None else scored.remoteness + 1


def plies_text(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"
