"""Many games at once in arrays: each step plays one move in every game, compiled from the rules (extra `fast`)."""

from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.kernel import UNKNOWN_MOVE, CompiledGame, jit, jit_plain, read_state, write_state
from duelbook.contract import BrokenRulesError
from duelbook.features import NO_SYMBOL, numbers_of, shown_options
from duelbook.game import AnyGame, Outcome, finds_moves

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

UNDECIDED = Outcome.UNDECIDED.value
NO_GAME = -1
NO_MOVES = -1  # what a step returns, as UNKNOWN_MOVE, if the rules break the contract
BLOCK_MOVES = 32  # that a random choice skips at once
FIRST_PLIES = 5  # that show how legal moves follow each other


class Batch(NamedTuple):
    """The current states, one row per game, and one more row at the end: the initial state, for games that restart."""

    game: AnyGame
    rows: Longs  # the numbers of the state, then those of `shown_options` for its mover
    movers: Bytes
    plies: Ints
    legal: Bytes  # 1 for each legal move
    choices: Ints  # the number of legal moves
    shown_options: Longs  # the options that a learner sees, for each mover (see `duelbook.features.shown_options`)
    run: int  # how many legal moves follow each other: a guess


class Ends(NamedTuple):
    """The results of a step, one entry per game."""

    outcomes: Bytes
    over: Flags  # decided, or stopped at the ply limit
    rows: Longs  # the final states of the games that are over, only of these
    movers: Bytes  # of these final states


def new_batch(game: AnyGame, count: int) -> Batch:
    """Return a batch of new games."""
    state, count = game.initial(), count + 1
    moves = list(game.legal_moves(state))
    row = np.array([*numbers_of(state), *shown_options(game, game.mover(state))], np.int64)
    legal = np.zeros((count, game.num_moves), np.int8)
    legal[:, moves] = 1
    return Batch(
        game=game,
        rows=np.tile(row, (count, 1)),
        movers=np.full(count, game.mover(state), np.int8),
        plies=np.zeros(count, np.int32),
        legal=legal,
        choices=np.full(count, len(moves), np.int32),
        shown_options=np.array([shown_options(game, 0), shown_options(game, 1)], np.int64),
        run=guess_run(game) if finds_moves(game) else 1,
    )


def guess_run(game: AnyGame) -> int:
    """Return how many legal moves follow each other: a divisor of the length of every run in the first positions."""
    state, lengths = game.initial(), [0]
    for _ in range(FIRST_PLIES):
        moves = list(game.legal_moves(state))
        if not moves:
            break
        ends = [place for place in range(1, len(moves)) if moves[place] != moves[place - 1] + 1]
        lengths += [end - start for start, end in pairwise([0, *ends, len(moves)])]
        state = game.play(state, moves[0])
    return max(1, gcd(*lengths))


def step(game: AnyGame, batch: Batch, moves: Longs, ply_limit: int) -> Ends:
    """Play a legal move in each game, and restart the games that are over. The batch is changed in place."""
    outcomes, final, last = np.empty(len(moves), np.int8), np.empty_like(batch.rows), np.empty(len(moves), np.int8)
    count = _step(game, moves, *batch[1:], ply_limit, outcomes, final, last)
    if count == NO_MOVES:
        raise BrokenRulesError(game, "a game is undecided, but no move is legal.", None)
    if count == UNKNOWN_MOVE:
        raise BrokenRulesError(game, f"a legal move is not in the range from 0 to {game.num_moves - 1}.", None)
    return Ends(outcomes, batch.plies[:-1] == 0, final[:count], last[:count])


def random_moves(batch: Batch, chances: npt.NDArray[np.float64]) -> Longs:
    """Return a legal move for each game, picked by a number in [0, 1)."""
    if finds_moves(batch.game):
        return _find_moves(batch.game, batch.rows, batch.choices, chances)
    return _random_moves(batch.legal, batch.choices, chances)


@jit
def _find_moves(game: CompiledGame, rows: Longs, choices: Ints, chances: npt.NDArray[np.float64]) -> Longs:
    like = game.initial()
    moves = np.empty(len(chances), np.int64)
    for number in range(len(chances)):
        place: Any = np.int64(chances[number] * choices[number])
        moves[number] = game.nth_legal(read_state(like, rows[number]), place)
    return moves


@jit
def _step(
    game: CompiledGame,
    moves: Longs,
    rows: Longs,
    movers: Bytes,
    plies: Ints,
    legal: Bytes,
    choices: Ints,
    shown_options: Longs,
    run: int,
    ply_limit: int,
    outcomes: Bytes,
    final: Longs,
    last: Bytes,
) -> int:
    """Play the moves; return how many games are over, or NO_MOVES or UNKNOWN_MOVE."""
    like = game.initial()  # not an argument: numba would confuse the state types of two games with the same structure
    over, start, width = 0, len(moves), rows.shape[1]
    for number in range(start):
        row = rows[number]
        state = game.play(read_state(like, row), moves[number])
        write_state(like, state, row)
        mover = game.mover(state)
        for place in range(shown_options.shape[1]):
            row[width - shown_options.shape[1] + place] = shown_options[mover, place]
        count = game.mark_legal(state, legal[number], run)
        if count == UNKNOWN_MOVE:
            return UNKNOWN_MOVE
        if count and plies[number] + 1 < ply_limit:  # a game has legal moves exactly while it is undecided
            outcomes[number] = UNDECIDED
            movers[number], choices[number] = mover, count
            plies[number] += 1
        else:
            outcomes[number] = game.outcome(state).value
            if not count and outcomes[number] == UNDECIDED:
                return NO_MOVES
            last[over] = mover
            for place in range(width):
                final[over, place] = row[place]
                row[place] = rows[start, place]
            for move in range(legal.shape[1]):
                legal[number, move] = legal[start, move]
            movers[number], choices[number] = movers[start], choices[start]
            plies[number] = 0
            over += 1
    return over


@jit_plain
def _random_moves(legal: Bytes, choices: Ints, chances: npt.NDArray[np.float64]) -> Longs:
    """Find the moves without a branch per move, which would be mispredicted; skip blocks where there are many moves."""
    moves = np.empty(len(chances), np.int64)
    for number in range(len(chances)):
        row, left = legal[number], np.int64(chances[number] * choices[number])
        move = seen = 0
        while move + BLOCK_MOVES < len(row):
            inside = 0
            for place in range(move, move + BLOCK_MOVES):
                inside += row[place]
            if left < inside:
                break
            left -= inside
            move += BLOCK_MOVES
        for place in range(move, min(move + BLOCK_MOVES, len(row))):
            seen += row[place]
            move += seen <= left
        moves[number] = move
    return moves


@jit_plain
def first_illegal(legal: Bytes, moves: Longs) -> int:
    """Return the number of the first game whose move is not legal, or NO_GAME."""
    for number in range(len(moves)):
        move = moves[number]
        if not (0 <= move < legal.shape[1] and legal[number, move]):
            return number
    return NO_GAME


@jit_plain
def observe(rows: Longs, parts: Longs, seen: Floats) -> None:
    """Write the observation vectors of all rows (see `duelbook.features` and `ObservedPart`)."""
    for game in range(len(rows)):
        vector = seen[game]
        for element in range(len(vector)):
            vector[element] = 0
        for part in range(len(parts)):
            number, shift, mask, symbol, start, length = parts[part]
            found = rows[game, number] >> shift
            if symbol != NO_SYMBOL:
                place = (found & mask) - symbol
                if 0 <= place < length:
                    vector[start + place] = 1
            else:
                for bit in range(length):
                    vector[start + bit] = found >> bit & mask
