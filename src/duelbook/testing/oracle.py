"""A second implementation of a game, to compare the rules with.

It is either a class (or an object) with `initial`, `mover`, `legal_moves`, `play` and `outcome`, whose options have the
same names and whose moves have the same numbers (or names, if it has `move_name`); its states may be anything. Or it is
a function of the options and the names of the moves so far, which returns the names of the legal moves, and `first`,
`second`, `draw` or an empty text for the winner.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from duelbook.contract import ReachedPosition
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, move_names, outcome_name
from duelbook.options import OptionText, options_of, write_options
from duelbook.testing.fault import Fault
from duelbook.testing.sample import PositionSample
from duelbook.text import shorten

Verdict = tuple[list[str], str]  # the names of the legal moves, and the winner
Oracle = Any  # a class or an object with a game's methods, or a function as below
OracleFunction = Callable[[Mapping[str, OptionText], list[str]], Verdict]

MAX_PLIES = 40  # of the lines that are nearest to the start


def oracle_faults(oracle: Oracle, sample: PositionSample) -> Iterator[Fault]:
    """Return where the game and the oracle differ: along all lines near the start, and in the other positions."""
    if sample.drawn and not isinstance(oracle, type) and hasattr(oracle, "legal_moves"):
        return  # an object has its options, and does not know of those that were drawn
    compare = _comparison(oracle, sample.game)
    for position in (*_lines(sample.game, len(sample.positions) // 2), *sample.positions):
        for what, known, found in compare(position):
            yield Fault(f"{what}: the game has {_quoted(known)}, the oracle {_quoted(found)}.", position.moves)


def _lines(game: AnyGame, count: int) -> Iterator[ReachedPosition]:
    """Return the shortest lines of moves, also those that lead to the same state."""
    todo = deque([ReachedPosition((), game.initial())])
    while todo and count:
        position = todo.popleft()
        yield position
        count -= 1
        if len(todo) < count and len(position.moves) < MAX_PLIES:
            for move in game.legal_moves(position.state):
                todo.append(ReachedPosition((*position.moves, move), game.play(position.state, move)))


Difference = tuple[str, object, object]  # what differs, in the game, in the oracle


def _comparison(oracle: Oracle, game: AnyGame) -> Callable[[ReachedPosition], Iterator[Difference]]:
    """Return a function that compares the game with the oracle in a position."""
    if isinstance(oracle, type):
        oracle = oracle(**{option.name: getattr(game, option.name) for option in options_of(type(game))})
    if hasattr(oracle, "legal_moves"):
        return lambda position: _compare_games(game, oracle, position)
    if not callable(oracle):
        raise RefusedError(f"An oracle must be a class, an object or a function, not {shorten(repr(oracle))}.")
    return lambda position: _compare_verdicts(game, oracle, position)


def _compare_games(game: AnyGame, oracle: Any, position: ReachedPosition) -> Iterator[Difference]:
    state, other, named = game.initial(), oracle.initial(), hasattr(oracle, "move_name")
    for move in position.moves:
        same = move
        if named:
            name = game.move_name(state, move)
            same = next(move for move in oracle.legal_moves(other) if oracle.move_name(other, move) == name)
        state, other = game.play(state, move), oracle.play(other, same)
    yield from _differences(
        ("The legal moves differ", _moves(game, state, named), _moves(oracle, other, named)),
        ("The mover differs", game.mover(state), oracle.mover(other)),
        ("The outcome differs", outcome_name(game.outcome(state)), outcome_name(oracle.outcome(other))),
    )


def _compare_verdicts(game: AnyGame, oracle: OracleFunction, position: ReachedPosition) -> Iterator[Difference]:
    state, names = game.initial(), list[str]()
    for move in position.moves:
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    legal, winner = oracle(write_options(game), names)
    yield from _differences(
        ("The legal moves differ", sorted(move_names(game, state)), sorted(legal)),
        ("The outcome differs", outcome_name(game.outcome(state)), winner or "none"),
    )


def _differences(*pairs: Difference) -> Iterator[Difference]:
    return (pair for pair in pairs if pair[1] != pair[2])


def _moves(game: Any, state: Any, named: bool) -> list[str] | list[Move]:
    moves = list(game.legal_moves(state))
    return sorted(game.move_name(state, move) for move in moves) if named else moves


def _quoted(value: object) -> str:
    return shorten(str(value))
