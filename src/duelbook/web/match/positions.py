"""Lines of moves: every position of a game on the way, as the page draws them. Nothing is solved for it."""

from collections.abc import Iterable
from typing import Any

from duelbook.game import AnyGame, Outcome, move_names, state_view
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.records.record import SEATS, replay, result_name


def line_of(game: AnyGame, names: Iterable[str]) -> dict[str, Any]:
    """Answer the positions from the start to the one after the named moves, or refuse the first illegal move."""
    moves, states = [], [game.initial()]
    for move, state in replay(game, names):
        moves.append(game.move_name(states[-1], move))
        states.append(state)
    return {
        "game": name_of(game),
        "options": write_options(game),
        "moves": moves,
        "positions": [_position(game, state, ply) for ply, state in enumerate(states)],
    }


def _position(game: AnyGame, state: Any, ply: int) -> dict[str, Any]:
    outcome = game.outcome(state)
    return {
        "ply": ply,
        "mover": SEATS[game.mover(state)] if outcome == Outcome.UNDECIDED else None,
        "outcome": result_name(outcome),
        "legal": list(move_names(game, state)),
        "text": game.render(state),
        "view": state_view(game, state),
    }
