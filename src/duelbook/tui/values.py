"""Values for the screen: marks on moves by shape and letter, and the value of every position as a line."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.text import Text

from duelbook.game import AnyGame, Move, Outcome
from duelbook.play.values import move_values
from duelbook.solve import Value, solved, try_solve
from duelbook.study.hints import estimated_moves

SIGNS = {Value.WIN: "▲W", Value.DRAW: "■D", Value.LOSS: "▼L"}  # the shapes and letters of the page
ENDLESS = "∞"
STEPS = "▁▂▃▄▅▆▇█"  # of an estimated score
POINTS = {Value.WIN: "▀", Value.DRAW: "━", Value.LOSS: "▄"}  # for the first player: above, in the middle, below
EVEN = 0.5

Worth = Value | float  # of a position, for the first player: exact, or an estimated score


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
        return PositionValues(marks, move_values(game, state), 1 - score if mover else score)
    solution = solved(game)
    marks = {}
    for scored in solution.moves(state):
        own_moves = solution.own_moves(state, scored.move)
        marks[scored.move] = f"{SIGNS[scored.value]}{ENDLESS if own_moves is None else own_moves}"
    value = solution.value(state)
    return PositionValues(marks, move_values(game, state), Value(-value) if mover else value)


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
    """Return the exact value of a position for the first player, or None if the game is too large to be solved."""
    if not try_solve(game):
        return None
    outcome = game.outcome(state)
    if outcome is not Outcome.UNDECIDED:
        return {Outcome.FIRST_WINS: Value.WIN, Outcome.SECOND_WINS: Value.LOSS}.get(outcome, Value.DRAW)
    value = solved(game).value(state)
    return Value(-value) if game.mover(state) else value


def value_line(worths: Sequence[Worth | None], colours: tuple[str, str], at: int | None = None) -> Text:
    """Return a point for each position: high where the first player wins, low where the second does.

    `at` is the position that is marked.
    """
    line = Text()
    for number, worth in enumerate(worths):
        if worth is None:
            point, colour = "·", ""
        elif isinstance(worth, Value):
            point, colour = POINTS[worth], {Value.WIN: colours[0], Value.LOSS: colours[1]}.get(worth, "")
        else:
            point, colour = STEPS[min(7, int(8 * worth))], colours[worth < EVEN]
        line.append(point, f"{colour} {'reverse' if number == at else ''}".strip())
    return line


def worth_text(worth: Worth | None, names: tuple[str, str]) -> str:
    """Return who is ahead, with names by seat."""
    if worth is None:
        return "not known"
    if isinstance(worth, Value):
        return {Value.WIN: f"{names[0]} wins", Value.DRAW: "a draw", Value.LOSS: f"{names[1]} wins"}[worth]
    ahead = names[worth < EVEN]
    return f"{ahead} scores about {max(worth, 1 - worth):.0%}"
