"""Whether the compiled rules play the same game as the interpreted ones: both follow the same lines of moves.

Compiled whole numbers have 64 bits and overflow silently, so a difference must be found before anything is counted.
"""

import random
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from duelbook.compiled.intrinsics import write_state
from duelbook.compiled.kernel import GUIDE, CannotCompileError, CompiledGame, jit_unchecked
from duelbook.contract import line_text, names_of
from duelbook.features import features_of, numbers_of
from duelbook.game import AnyGame, Move

Longs = npt.NDArray[np.int64]

MAX_NUMBER_BITS = 63  # of a number in a state: a compiled number has 64, one of them for the sign
COMPARED_GAMES = 3  # that are compared before a game is first used
COMPARED_PLIES = 100  # of each of them, at most
CHECKSUM_MODULUS = 1_000_003
NOTES = 5  # numbers that follow those of the state: the mover, the outcome, and the legal moves in two ways


def check_agreement(game: AnyGame, games: int = COMPARED_GAMES, seed: int = 0) -> None:
    """Raise CannotCompileError unless compiled and interpreted rules agree along some random games."""
    for feature in features_of(game):
        _check_width(game, feature.name, 1 + max((element.shift for element in feature.elements), default=0), None)
    rng = random.Random(seed)
    for _ in range(games):
        moves, rows = _interpreted_game(game, rng)
        known = np.array(rows, np.int64)
        found = np.zeros_like(known)
        try:
            _follow(game, np.array(moves, np.int64), found)
        except ArithmeticError as error:
            raise _differs(game, moves, f"compiled, they raise {type(error).__name__} other") from error
        wrong = np.flatnonzero((known != found).any(axis=1))
        if len(wrong):
            raise _differs(game, moves[: wrong[0]], "compiled, they lead to another state, outcome or legal moves")


def check_canonical(game: AnyGame, canonical: Callable[[Any], Any], seed: int = 0) -> None:
    """Raise CannotCompileError unless the compiled `canonical` agrees with the interpreted one along random games."""
    rng = random.Random(seed)
    for _ in range(COMPARED_GAMES):
        moves, _ = _interpreted_game(game, rng)
        states = list(accumulate(moves, game.play, initial=game.initial()))
        known = np.array([[*numbers_of(canonical(state))] for state in states], np.int64)
        found = np.zeros_like(known)
        _follow_canonical(game, np.array(moves, np.int64), found)
        wrong = np.flatnonzero((known != found).any(axis=1))
        if len(wrong):
            raise _differs(game, moves[: wrong[0]], "compiled, `canonical` leads to another state")


def _interpreted_game(game: AnyGame, rng: random.Random) -> tuple[list[Move], list[list[int]]]:
    """Return the moves of a random game, and what `_follow` has to find."""
    state, moves, rows = game.initial(), list[Move](), list[list[int]]()
    while True:
        legal = list(game.legal_moves(state))
        row = [*numbers_of(state)]
        _check_width(game, "a number of the state", max(number.bit_length() for number in row), moves)
        checksum = _checksum(legal)
        rows.append([*row, game.mover(state), game.outcome(state).value, len(legal), checksum, checksum])
        if not legal or len(moves) == COMPARED_PLIES:
            return moves, rows
        moves.append(rng.choice(legal))
        state = game.play(state, moves[-1])


def _check_width(game: AnyGame, name: str, bits: int, moves: list[Move] | None) -> None:
    if bits > MAX_NUMBER_BITS:
        line = "" if moves is None else line_text(names_of(game, moves))
        raise CannotCompileError(
            game,
            f"{name} has {bits} bits, and a compiled number has room for {MAX_NUMBER_BITS}. "
            f"Split it into several numbers ({GUIDE}). {line}".rstrip(),
        )


def _checksum(moves: list[Move]) -> int:
    checksum = 0
    for move in moves:
        checksum = (checksum * 31 + move + 1) % CHECKSUM_MODULUS
    return checksum


@jit_unchecked
def _follow(game: CompiledGame, moves: Longs, rows: Longs) -> None:
    """Play the moves, and write the numbers of each state, its mover, its outcome and its legal moves into a row."""
    state: Any = game.initial()
    like = state
    for ply in range(len(rows)):
        row = rows[ply]
        write_state(like, state, row)
        place = len(row) - NOTES
        row[place] = game.mover(state)
        row[place + 1] = game.outcome(state).value
        for move in game.legal_moves(state):
            row[place + 2] += 1
            row[place + 3] = (row[place + 3] * 31 + move + 1) % CHECKSUM_MODULUS
        for found in range(game.count_legal(state)):
            row[place + 4] = (row[place + 4] * 31 + game.nth_legal(state, found) + 1) % CHECKSUM_MODULUS
        if ply < len(moves):
            state = game.play(state, moves[ply])


@jit_unchecked
def _follow_canonical(game: CompiledGame, moves: Longs, rows: Longs) -> None:
    """Play the moves, and write the numbers of the canonical form of each state into a row."""
    state: Any = game.initial()
    like = state
    for ply in range(len(rows)):
        write_state(like, game.canonical(state), rows[ply])
        if ply < len(moves):
            state = game.play(state, moves[ply])


def _differs(game: AnyGame, moves: list[Move], how: str) -> CannotCompileError:
    line = line_text(names_of(game, moves))
    return CannotCompileError(
        game, f"{how} than interpreted. A number may need more than 64 bits on the way ({GUIDE}). {line}"
    )
