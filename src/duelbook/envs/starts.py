"""Where an episode starts: the options of `reset`, the same in all environments."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.agents.registry import is_exact
from duelbook.contract import faults_of, move_faults, mover_faults, outcome_faults
from duelbook.envs.observation import IllegalActionError, Observer, state_from_numbers
from duelbook.errors import RefusedError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, IllegalMoveError, Move, Outcome, Player, illegal_number, parse_move
from duelbook.options import whole
from duelbook.solve import solved, try_solve
from duelbook.text import shorten

SEATS: dict[str, Player | None] = {"first": 0, "second": 1, "random": None}
OPENING, STATE, SEAT, RESET_MASK = "opening", "state", "seat", "reset_mask"

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


def read_starts(game: AnyGame, options: Mapping[str, Any], count: int) -> dict[Start, list[int]]:
    """Return where each of so many games starts: every start with the numbers of its games. Raise RefusedError.

    Options are for all games, or lists with one for each game. A state is a tuple, and an opening a list of moves.
    """
    states = _for_each(STATE, options.get(STATE), count, isinstance(options.get(STATE), list))
    opening = options.get(OPENING)
    many = isinstance(opening, list | tuple) and any(isinstance(one, list | tuple) for one in opening)
    openings = _for_each(OPENING, opening, count, many)
    starts: dict[Start, list[int]] = {}
    known: dict[Any, Start] = {}
    for number, given in enumerate(zip(states, openings, strict=True)):
        if repr(given) not in known:
            known[repr(given)] = read_start(game, dict(zip((STATE, OPENING), given, strict=True)))
        starts.setdefault(known[repr(given)], []).append(number)
    return starts


def read_seats(value: Any, count: int) -> list[Player | None]:
    """Return the learner's seat in each of so many games: one for all, or a list or array with one for each."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return [read_seat(SEAT, seat) for seat in _for_each(SEAT, value, count, isinstance(value, list | tuple))]


def check_reset_mask(mask: Any, count: int) -> npt.NDArray[np.bool_]:
    """Return which games are to start, by default all, or raise RefusedError."""
    if mask is None:
        return np.ones(count, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise RefusedError(f"{RESET_MASK} must be a NumPy array of {count} truth values, at least one of them true.")
    return mask


def _for_each(name: str, value: Any, count: int, many: bool) -> list[Any]:
    if not many:
        return [value] * count
    if len(value) != count:
        raise RefusedError(f"{name} must be one for all games, or a list of {count}, not of {len(value)}.")
    return list(value)


def read_state(game: AnyGame, given: Any) -> Any:
    """Return the state with these numbers, given as a state or as plain tuples or lists, or raise RefusedError."""
    initial = game.initial()
    numbers = [whole(number) for number in _flat(given)]
    if len(numbers) != len(list(numbers_of(initial))) or not all(type(number) is int for number in numbers):
        raise RefusedError(f"The state {shorten(repr(given))} does not have the form of {initial}.")
    state = state_from_numbers(initial, iter(numbers))
    for check in (mover_faults, outcome_faults, move_faults):
        for fault in faults_of(check, game, state):
            raise RefusedError(f"{shorten(str(state))} is not a state of this game: {fault}")
    observer = Observer(game)
    vector = observer(state)
    if ((vector < observer.low) | (vector > observer.high)).any():
        raise RefusedError(f"{shorten(str(state))} is not a state of this game: a number is out of its range.")
    return state


def check_known(game: AnyGame, start: Start, opponent: Any) -> None:
    """Raise RefusedError if the opponent plays by exact values, and there is none of the state."""
    if start.state != game.initial() and isinstance(opponent, str) and is_exact(opponent) and try_solve(game):
        try:
            solved(game).value(start.state)
        except KeyError:
            raise RefusedError(
                f"{shorten(str(start.state))} cannot be reached in this game, so '{opponent}' knows no value of it."
            ) from None


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
    """Return a legal move that is given by number or by name, or raise IllegalActionError."""
    try:
        if isinstance(move, str):
            return parse_move(game, state, move)
        number = whole(move)
        if type(number) is not int or number not in game.legal_moves(state):
            raise illegal_number(game, state, number)
    except IllegalMoveError as error:
        raise IllegalActionError(error) from None
    return number
