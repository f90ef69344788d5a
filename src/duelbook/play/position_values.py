"""What a position is worth, and each of its moves: as marks beside the moves, and as a value for the first player."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.game import AnyGame, Move, Outcome, move_names
from duelbook.play.values import move_values, reported_values
from duelbook.solve import Value, solved, try_solve
from duelbook.study.hints import estimated_moves

if TYPE_CHECKING:
    from duelbook.online.views import RemoteValue

SIGNS = {Value.WIN: "▲W", Value.DRAW: "■D", Value.LOSS: "▼L"}  # the shapes and letters of the page
ENDLESS = "∞"
WIN, EVEN, LOSS = 1.0, 0.5, 0.0  # scores
SCORES = {Value.WIN: WIN, Value.DRAW: EVEN, Value.LOSS: LOSS}


class Worth(NamedTuple):
    """What a position is worth for the first player."""

    score: float
    is_exact: bool  # then the score is WIN, EVEN or LOSS


class PositionValues(NamedTuple):
    """What is known about a position and those before it."""

    marks: dict[Move, str]  # of the legal moves
    text: str  # all moves by their values
    worths: list[Worth | None]  # of all positions so far


def position_values(game: AnyGame, states: Sequence[Any]) -> PositionValues:
    """Return the values of the last of these positions, which is undecided.

    They are exact, or estimates if the game is too large to be solved.
    """
    state = states[-1]
    before = [worth_of(game, one) for one in states[:-1]]
    if not try_solve(game):
        estimates = estimated_moves(game, state)
        marks = {estimate.move: f"~{estimate.score:.0%}" for estimate in estimates}
        score = estimates[0].score
        worth = Worth(1 - score if game.mover(state) else score, is_exact=False)
        return PositionValues(marks, move_values(game, state), [*before, worth])
    solution = solved(game)
    marks = {
        scored.move: _mark(scored.value, solution.own_moves(state, scored.move)) for scored in solution.moves(state)
    }
    return PositionValues(marks, move_values(game, state), [*before, _exact_worth(game, state)])


def reported_position_values(
    game: AnyGame, states: Sequence[Any], moves: "Mapping[str, RemoteValue]"
) -> PositionValues:
    """Return the values as a service reports them, which says nothing about the positions before."""
    state, legal = states[-1], move_names(game, states[-1])
    values = {legal[name]: (Value[worth.value.upper()], worth.own_moves) for name, worth in moves.items()}
    best = max(SCORES[value] for value, _ in values.values())
    worth = Worth(1 - best if game.mover(state) else best, is_exact=True)
    marks = {move: _mark(value, own_moves) for move, (value, own_moves) in values.items()}
    return PositionValues(marks, reported_values(game, state, moves), [*[None] * (len(states) - 1), worth])


def _mark(value: Value, own_moves: int | None) -> str:
    return f"{SIGNS[value]}{ENDLESS if own_moves is None else own_moves}"


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
