"""What a position is worth, and each of its moves: as marks beside the moves, and as a value for the first player."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.game import AnyGame, Move, Outcome
from duelbook.play.values import move_values
from duelbook.solve import Value, solved, try_solve
from duelbook.study.hints import estimated_moves

SIGNS = {Value.WIN: "▲W", Value.DRAW: "■D", Value.LOSS: "▼L"}  # the shapes and letters of the page
ENDLESS = "∞"
WIN, EVEN, LOSS = 1.0, 0.5, 0.0  # scores
SCORES = {Value.WIN: WIN, Value.DRAW: EVEN, Value.LOSS: LOSS}


class Worth(NamedTuple):
    """What a position is worth for the first player."""

    score: float
    is_exact: bool  # then the score is WIN, EVEN or LOSS


class PositionValues(NamedTuple):
    """What is known about one position."""

    marks: dict[Move, str]  # of the legal moves
    text: str  # all moves by their values
    worth: Worth


def position_values(game: AnyGame, state: Any) -> PositionValues:
    """Return the values of an undecided position: exact ones, or estimates if the game is too large to be solved."""
    mover = game.mover(state)
    if not try_solve(game):
        estimates = estimated_moves(game, state)
        marks = {estimate.move: f"~{estimate.score:.0%}" for estimate in estimates}
        score = estimates[0].score
        return PositionValues(marks, move_values(game, state), Worth(1 - score if mover else score, is_exact=False))
    solution = solved(game)
    marks = {}
    for scored in solution.moves(state):
        own_moves = solution.own_moves(state, scored.move)
        marks[scored.move] = f"{SIGNS[scored.value]}{ENDLESS if own_moves is None else own_moves}"
    return PositionValues(marks, move_values(game, state), _exact_worth(game, state))


def values_of(
    game: AnyGame, states: Sequence[Any], known: dict[int, Worth | None]
) -> tuple[PositionValues, dict[int, Worth | None]]:
    """Return the values of the last of these positions, and what all of them are worth; `known` has some already."""
    values = position_values(game, states[-1])
    for ply, state in enumerate(states[:-1]):
        if ply not in known:
            known[ply] = worth_of(game, state)
    return values, {**known, len(states) - 1: values.worth}


def worth_of(game: AnyGame, state: Any) -> Worth | None:
    """Return the exact value of a position, or None if the game is too large to be solved."""
    if not try_solve(game):
        return None
    outcome = game.outcome(state)
    if outcome is not Outcome.UNDECIDED:
        score = {Outcome.FIRST_WINS: WIN, Outcome.SECOND_WINS: LOSS}.get(outcome, EVEN)
        return Worth(score, is_exact=True)
    return _exact_worth(game, state)


def _exact_worth(game: AnyGame, state: Any) -> Worth:
    score = SCORES[solved(game).value(state)]
    return Worth(1 - score if game.mover(state) else score, is_exact=True)


def worth_text(worth: Worth | None, names: tuple[str, str]) -> str:
    """Return who is ahead, with names by seat."""
    if worth is None:
        return "not known"
    if worth.is_exact:
        return {WIN: f"{names[0]} wins", EVEN: "a draw", LOSS: f"{names[1]} wins"}[worth.score]
    ahead = names[worth.score < EVEN]
    return f"{ahead} scores about {max(worth.score, 1 - worth.score):.0%}"
