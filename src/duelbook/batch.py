"""Many games at once on arrays: one move in each, compiled from the rules' own source (extra `fast`)."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled import jit, jit_plain, read_state, write_state
from duelbook.game import AnyGame, Outcome

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

NONE = -1  # no move is illegal


class Batch(NamedTuple):
    """How the games stand, an entry for each; one more at the end is the start, from which they begin anew."""

    rows: Longs  # the numbers of the state, then what the game holds by seat, as its mover sees it
    movers: Bytes
    plies: Ints
    legal: Bytes  # 1 for each legal move


class Ends(NamedTuple):
    """What the last moves led to, an entry for each game."""

    outcomes: Bytes
    over: Flags  # decided, or stopped at the ply limit
    rows: Longs  # the last states of those that are over


def step(game: AnyGame, batch: Batch, moves: Longs, held: Longs, ply_limit: int) -> Ends:
    """Play a legal move in each game, and begin those anew that are over then; the batch is changed."""
    outcomes, final = np.empty(len(moves), np.int8), np.empty_like(batch.rows)
    _step(game, game.initial(), moves, *batch, held, ply_limit, outcomes, final)
    over = batch.plies[:-1] == 0
    return Ends(outcomes, over, final[:-1][over])


@jit
def _step(
    game: AnyGame,
    like: Any,
    moves: Longs,
    rows: Longs,
    movers: Bytes,
    plies: Ints,
    legal: Bytes,
    held: Longs,
    ply_limit: int,
    outcomes: Bytes,
    final: Longs,
) -> None:
    start, width = len(moves), rows.shape[1]
    for number in range(start):
        row = rows[number]
        state = game.play(read_state(like, row), moves[number])
        write_state(like, state, row)
        mover = game.mover(state)
        for place in range(held.shape[1]):
            row[width - held.shape[1] + place] = held[mover, place]
        outcome = game.outcome(state)
        outcomes[number] = outcome.value
        movers[number] = mover
        plies[number] += 1
        if outcome == Outcome.UNDECIDED and plies[number] < ply_limit:
            for move in range(legal.shape[1]):
                legal[number, move] = 0
            for move in game.legal_moves(state):
                legal[number, move] = 1
        else:
            for place in range(width):
                final[number, place] = row[place]
                row[place] = rows[start, place]
            for move in range(legal.shape[1]):
                legal[number, move] = legal[start, move]
            movers[number] = movers[start]
            plies[number] = 0


@jit_plain
def any_legal(legal: Bytes, chances: npt.NDArray[np.float64]) -> Longs:
    """Answer a legal move for each game: the one that a number from 0 up to 1 picks among them."""
    moves = np.empty(len(chances), np.int64)
    for number in range(len(chances)):
        count = 0
        for move in range(legal.shape[1]):
            count += legal[number, move]
        chosen = np.int64(chances[number] * count)
        for move in range(legal.shape[1]):
            if legal[number, move]:
                if chosen == 0:
                    moves[number] = move
                    break
                chosen -= 1
    return moves


@jit_plain
def first_illegal(legal: Bytes, moves: Longs) -> int:
    """Answer the first game whose move is not legal, or NONE."""
    for number in range(len(moves)):
        move = moves[number]
        if not (0 <= move < legal.shape[1] and legal[number, move]):
            return number
    return NONE


@jit_plain
def observe(rows: Longs, numbers: Longs, shifts: Longs, masks: Longs, symbols: Longs, seen: Floats) -> None:
    """Write the vectors of all rows, as `features` says."""
    for game in range(len(rows)):
        for element in range(len(numbers)):
            found = rows[game, numbers[element]] >> shifts[element] & masks[element]
            if symbols[element] >= 0:
                found = np.int64(found == symbols[element])
            seen[game, element] = found
