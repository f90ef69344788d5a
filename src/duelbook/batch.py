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

NONE = -1  # no move is illegal


class Start(NamedTuple):
    """Where every game starts."""

    row: Longs
    mover: int
    legal: Bytes


class Batch(NamedTuple):
    """How the games stand, an entry for each."""

    rows: Longs  # the numbers of the state, then what the game holds by seat, as its mover sees it
    movers: Bytes
    plies: Ints
    legal: Bytes  # 1 for each legal move


class Ends(NamedTuple):
    """What the last moves led to, an entry for each game."""

    outcomes: Bytes
    stopped: Bytes  # 1 where the game was undecided at the ply limit
    rows: Longs  # the last state of games that have ended; all others hold nothing


def started(start: Start, count: int) -> Batch:
    """Answer so many games at their start."""
    rows, legal = np.tile(start.row, (count, 1)), np.tile(start.legal, (count, 1))
    return Batch(rows, np.full(count, start.mover, np.int8), np.zeros(count, np.int32), legal)


def step(game: AnyGame, batch: Batch, moves: Longs, held: Longs, ply_limit: int, start: Start) -> Ends:
    """Play a legal move in each game, and start those anew that it ends; the batch is changed."""
    ends = Ends(np.empty(len(moves), np.int8), np.zeros(len(moves), np.int8), np.empty_like(batch.rows))
    _step(game, game.initial(), batch, moves, held, ply_limit, start, ends)
    return ends


@jit
def _step(
    game: AnyGame, like: Any, batch: Batch, moves: Longs, held: Longs, ply_limit: int, start: Start, ends: Ends
) -> None:
    width = batch.rows.shape[1] - held.shape[1]
    for number in range(len(moves)):
        row = batch.rows[number]
        state = game.play(read_state(like, row), moves[number])
        write_state(like, state, row)
        batch.movers[number] = game.mover(state)
        row[width:] = held[batch.movers[number]]
        batch.plies[number] += 1
        outcome = game.outcome(state)
        ends.outcomes[number] = outcome.value
        if outcome == Outcome.UNDECIDED and batch.plies[number] < ply_limit:
            legal = batch.legal[number]
            legal[:] = 0
            for move in game.legal_moves(state):
                legal[move] = 1
        else:
            ends.stopped[number] = outcome == Outcome.UNDECIDED
            ends.rows[number] = row
            row[:] = start.row
            batch.movers[number] = start.mover
            batch.plies[number] = 0
            batch.legal[number] = start.legal


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
