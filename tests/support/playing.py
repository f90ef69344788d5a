"""Playing by move names, as a person does."""

from typing import Any

from duelbook.game import AnyGame, move_names, parse_move


def played(game: AnyGame, *names: str) -> Any:
    """Return the state after the named moves; an illegal one raises."""
    state = game.initial()
    for name in names:
        state = game.play(state, parse_move(game, state, name))
    return state


def legal_names(game: AnyGame, *names: str) -> list[str]:
    """Return the names of the legal moves after the named moves."""
    return list(move_names(game, played(game, *names)))
