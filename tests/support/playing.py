"""Playing by move names, as a person does."""

from typing import Any

from duelbook import make
from duelbook.game import AnyGame, Move, move_names, parse_move
from duelbook.match import Match
from duelbook.narration import Seating, narration_for


def played(game: AnyGame, *names: str) -> Any:
    """Return the state after the named moves; an illegal one raises."""
    state = game.initial()
    for name in names:
        state = game.play(state, parse_move(game, state, name))
    return state


def legal_names(game: AnyGame, *names: str) -> list[str]:
    return list(move_names(game, played(game, *names)))


def match_after(game: AnyGame | str, *moves: Move | str, **options: object) -> Match:
    match = Match(make(game, **options))
    for move in moves:
        match.play(move)
    return match


def result_text(game: AnyGame, *names: str) -> str | None:
    """Return how a match of Ann and Ben ended after the named moves; Ben moves first."""
    match = match_after(game, *names)
    narration = narration_for(game, Seating(("Ann", "Ben"), first=1))
    return narration.result(match.state, match.moves, match.outcome, match.reason)
