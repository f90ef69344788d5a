"""Where an episode starts: the options of `reset`, the same in all environments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duelbook.contract import KERNEL_CHECKS, faults_of
from duelbook.envs.observation import Observer, state_from_numbers
from duelbook.errors import RefusedError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, IllegalMoveError, Move, Outcome, Player, move_names, parse_move
from duelbook.options import whole
from duelbook.text import shorten

SEATS: dict[str, Player | None] = {"first": 0, "second": 1, "random": None}
OPENING, STATE, SEAT = "opening", "state", "seat"

NO_OPTIONS: Mapping[str, Any] = {}


class Start(NamedTuple):
    """Where an episode starts: a state, and the moves of an opening from there."""

    state: Any
    opening: tuple[Move, ...] = ()


def check_reset_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> Mapping[str, Any]:
    """Return the options given to `reset`, or raise RefusedError if one is unknown."""
    for name in options or ():
        if name not in known:
            raise RefusedError(f"Unknown option of reset: {shorten(repr(name))}. Options: {', '.join(known)}.")
    return options or NO_OPTIONS


def read_start(game: AnyGame, options: Mapping[str, Any]) -> Start:
    """Return where an episode of the game starts by these options of `reset`, or raise RefusedError.

    An opening is played from the state, if both are given. The game must be undecided after it.
    """
    state = game.initial() if options.get(STATE) is None else read_state(game, options[STATE])
    after, moves = state, []
    for move in _moves(options.get(OPENING)):
        moves.append(_legal_move(game, after, move))
        after = game.play(after, moves[-1])
    if game.outcome(after) is not Outcome.UNDECIDED:
        raise RefusedError("An episode cannot start in a state in which the game is over.")
    return Start(state, tuple(moves))


def read_state(game: AnyGame, given: Any) -> Any:
    """Return the state with these numbers, given as a state or as plain tuples or lists, or raise RefusedError."""
    initial = game.initial()
    numbers = [whole(number) for number in _flat(given)]
    if len(numbers) != len(list(numbers_of(initial))) or not all(type(number) is int for number in numbers):
        raise RefusedError(f"The state {shorten(repr(given))} does not have the form of {initial}.")
    state = state_from_numbers(initial, iter(numbers))
    for check in KERNEL_CHECKS.values():
        for fault in faults_of(check, game, state):
            raise RefusedError(f"{shorten(str(state))} is not a state of this game: {fault}")
    observer = Observer(game)
    vector = observer(state)
    if ((vector < observer.low) | (vector > observer.high)).any():
        raise RefusedError(f"{shorten(str(state))} is not a state of this game: a number is out of its range.")
    return state


def read_seat(name: str, value: Any) -> Player | None:
    """Return the seat, given as `first`, `second`, `random`, 0 or 1; None if it is drawn. Raise RefusedError."""
    seat = SEATS.get(value, value) if isinstance(value, str) else whole(value)
    if seat not in (0, 1, None) or isinstance(seat, bool) or value is None:
        raise RefusedError(f"{name} must be one of {', '.join(SEATS)}, 0 or 1, not {shorten(repr(value))}.")
    return seat


def _flat(value: Any) -> list[Any]:
    """Return the numbers of nested sequences or arrays in order."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [number for part in value for number in _flat(part)] if isinstance(value, list | tuple) else [value]


def _moves(opening: Any) -> list[Any]:
    if opening is None:
        return []
    if hasattr(opening, "tolist"):
        opening = opening.tolist()
    if not isinstance(opening, list | tuple):
        raise RefusedError(f"An opening must be a list of moves, not {shorten(repr(opening))}.")
    return list(opening)


def _legal_move(game: AnyGame, state: Any, move: Any) -> Move:
    """Return a legal move that is given by number or by name, or raise IllegalMoveError."""
    if isinstance(move, str):
        return parse_move(game, state, move)
    number = whole(move)
    if type(number) is not int or number not in game.legal_moves(state):
        raise IllegalMoveError(f"move number {number}", move_names(game, state))
    return number
