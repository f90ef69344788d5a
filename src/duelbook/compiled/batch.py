"""Many games at once in arrays: each step plays one move in every game, compiled from the rules (extra `fast`)."""

from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.intrinsics import count_bits, read_state, write_state
from duelbook.compiled.kernel import MAX_RUN, UNKNOWN_MOVE, WORD_BITS, WORD_SHIFT, CompiledGame, jit, jit_plain
from duelbook.compiled.show import write_masks, write_vectors
from duelbook.contract import BrokenRulesError
from duelbook.features import numbers_of, shown_options
from duelbook.game import AnyGame, Outcome, finds_moves

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

UNDECIDED = Outcome.UNDECIDED.value
REWARDS = np.array([[1, -1, 0, 0], [-1, 1, 0, 0]], np.float64)  # by the seat that moved and the outcome
NO_MOVES = -1  # what a step returns, as UNKNOWN_MOVE, if the rules break the contract
NO_PARTS = np.empty((0, 6), np.int64)
BLOCK_GAMES = 16  # that are played and shown together, since what is written of them fits into the cache
FIRST_PLIES = 5  # that show how legal moves follow each other


class Batch(NamedTuple):
    """The current states, one row per game, and as many rows after them for the states in which games start."""

    game: AnyGame
    rows: Longs  # the numbers of the state, then those of `shown_options` for its mover
    movers: Bytes
    plies: Ints
    words: Longs  # the legal moves as bits: WORD_BITS in a word, the lowest bit first
    choices: Ints  # the number of legal moves
    starts: Ints  # for each game: the row of the state in which it starts, which games share
    over: Flags  # for each game: whether it has ended and waits to be started again
    shown_options: Longs  # the options that a learner sees, for each mover (see `duelbook.features.shown_options`)
    parts: Longs  # of the vectors that show the states (see `duelbook.features.ObservedPart`)
    run: int  # how many legal moves follow each other: a guess

    @property
    def size(self) -> int:
        """The number of games."""
        return len(self.over)

    @property
    def legal(self) -> Bytes:
        """The masks of all rows: 1 for each legal move."""
        return np.unpackbits(
            self.words.astype("<i8").view(np.uint8), axis=1, count=self.game.num_moves, bitorder="little"
        ).view(np.int8)


class BatchTurn(NamedTuple):
    """What a step writes, one row per game."""

    vectors: Floats  # what the next mover sees, unless the width is 0
    masks: Bytes  # 1 for each legal move, unless the width is 0
    movers: Bytes  # who moves next
    rewards: Doubles  # for the player who moved: 1 for a win, -1 for a loss
    outcomes: Bytes
    terminated: Flags  # decided
    truncated: Flags  # stopped at the ply limit

    def part(self, games: slice) -> "BatchTurn":
        """Return the rows of these games."""
        arrays: list[Any] = [array[games] for array in self]
        return BatchTurn(*arrays)


class Finals(NamedTuple):
    """The final states of the games that are over after a step, only of these."""

    rows: Longs
    movers: Bytes


def new_turn(count: int, elements: int = 0, num_moves: int = 0) -> BatchTurn:
    """Return arrays for a step of so many games, without contents. Masks need the number of moves of the game."""
    return BatchTurn(
        vectors=np.empty((count, elements), np.float32),
        masks=np.empty((count, num_moves), np.int8),
        movers=np.empty(count, np.int8),
        rewards=np.empty(count, np.float64),
        outcomes=np.empty(count, np.int8),
        terminated=np.empty(count, np.bool_),
        truncated=np.empty(count, np.bool_),
    )


class BatchStart(NamedTuple):
    """A state in which games start, and how many plies were played before it."""

    state: Any
    plies: int = 0


def new_batch(game: AnyGame, count: int, parts: Longs = NO_PARTS) -> Batch:
    """Return a batch of new games."""
    width, options = len(list(numbers_of(game.initial()))), [shown_options(game, 0), shown_options(game, 1)]
    batch = Batch(
        game=game,
        rows=np.empty((2 * count, width + len(options[0])), np.int64),
        movers=np.empty(2 * count, np.int8),
        plies=np.empty(2 * count, np.int32),
        words=np.empty((2 * count, -(-game.num_moves // WORD_BITS)), np.int64),
        choices=np.empty(2 * count, np.int32),
        starts=np.full(count, count, np.int32),
        over=np.zeros(count, np.bool_),
        shown_options=np.array(options, np.int64),
        parts=parts,
        run=guess_run(game) if finds_moves(game) else 1,
    )
    set_start(batch, np.arange(count), BatchStart(game.initial()))
    return batch


def set_start(batch: Batch, games: Longs, start: BatchStart) -> None:
    """Start these games in this state, now and whenever they start again."""
    if not len(games):
        return
    game, mover = batch.game, batch.game.mover(start.state)
    moves = list(game.legal_moves(start.state))
    legal = np.zeros(batch.words.shape[1] * WORD_BITS, np.uint8)
    legal[moves] = 1
    others = np.delete(batch.starts, games)
    row = int(np.setdiff1d(np.arange(batch.size, 2 * batch.size), others)[0])  # there is one, since games share them
    batch.starts[games] = row
    for rows in (games, np.array([row])):
        batch.rows[rows] = [*numbers_of(start.state), *shown_options(game, mover)]
        batch.words[rows] = np.packbits(legal, bitorder="little").view("<i8")
        batch.movers[rows], batch.plies[rows], batch.choices[rows] = mover, start.plies, len(moves)
    batch.over[games] = False


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
    return max(run for run in range(1, MAX_RUN + 1) if gcd(*lengths) % run == 0)


def step(batch: Batch, moves: Longs, ply_limit: int, turn: BatchTurn, restart: bool = True) -> Finals:
    """Play a legal move in each game. The batch is changed in place.

    Games that are over start again: those that end now if `restart` is true, or else those that ended before, instead
    of playing their move. A game that is over shows its last state, in which any move is accepted.
    """
    game, final = batch.game, Finals(np.empty((len(moves), batch.rows.shape[1]), np.int64), np.empty_like(turn.movers))
    shown = batch if turn.vectors.shape[1] else batch._replace(parts=NO_PARTS)
    count = check_step(game, _step(game, game.num_moves, moves, *shown[1:], ply_limit, restart, *turn, *final))
    return Finals(final.rows[:count], final.movers[:count])


def check_step(game: AnyGame, count: int) -> int:
    """Return what compiled code has counted, or raise BrokenRulesError if it says that the rules are broken."""
    if count == NO_MOVES:
        raise BrokenRulesError(game, "a game is undecided, but no move is legal.", None)
    if count == UNKNOWN_MOVE:
        raise BrokenRulesError(game, f"a legal move is not in the range from 0 to {game.num_moves - 1}.", None)
    return count


@jit
def _step(
    game: CompiledGame,
    num_moves: int,
    moves: Longs,
    rows: Longs,
    movers: Bytes,
    plies: Ints,
    words: Longs,
    choices: Ints,
    starts: Ints,
    over: Flags,
    shown_options: Longs,
    parts: Longs,
    run: int,
    ply_limit: int,
    restart: bool,
    vectors: Floats,
    masks: Bytes,
    next_movers: Bytes,
    rewards: Doubles,
    outcomes: Bytes,
    terminated: Flags,
    truncated: Flags,
    final_rows: Longs,
    final_movers: Bytes,
) -> int:
    """Play the moves and write the turn; return how many games are over, or NO_MOVES or UNKNOWN_MOVE."""
    like = game.initial()  # not an argument: numba would confuse the state types of two games with the same structure
    ended, games, width = 0, len(moves), rows.shape[1]
    for first in range(0, games, BLOCK_GAMES):
        end = min(first + BLOCK_GAMES, games)
        for number in range(first, end):
            row, moved, outcome, stopped = rows[number], movers[number], UNDECIDED, False
            if not restart and over[number]:
                start_again(number, rows, movers, plies, words, choices, starts)
                over[number] = False
            else:
                state = game.play(read_state(like, row), moves[number])
                write_state(like, state, row)
                mover = game.mover(state)
                for place in range(shown_options.shape[1]):
                    row[width - shown_options.shape[1] + place] = shown_options[mover, place]
                count = game.mark_legal(state, words[number], num_moves, run)
                if count == UNKNOWN_MOVE:
                    return UNKNOWN_MOVE
                movers[number], choices[number] = mover, count
                plies[number] += 1
                if not count or plies[number] >= ply_limit:  # a game has legal moves exactly while it is undecided
                    outcome = game.outcome(state).value
                    if not count and outcome == UNDECIDED:
                        return NO_MOVES
                    stopped = outcome == UNDECIDED
                    if restart:
                        final_movers[ended] = mover
                        for place in range(width):
                            final_rows[ended, place] = row[place]
                        start_again(number, rows, movers, plies, words, choices, starts)
                    else:
                        over[number] = True
                        accept_any(number, words, choices, num_moves)
                    ended += 1
            outcomes[number], rewards[number], next_movers[number] = outcome, REWARDS[moved, outcome], movers[number]
            terminated[number], truncated[number] = outcome != UNDECIDED, stopped
        write_vectors(rows, parts, vectors, first, end)
        write_masks(words, masks, first, end)
    return ended if restart else 0


@jit_plain
def start_again(
    number: int, rows: Longs, movers: Bytes, plies: Ints, words: Longs, choices: Ints, starts: Ints
) -> None:
    """Put a game into the state in which it starts."""
    start = np.uint64(starts[number])  # unsigned: numba counts negative places from the end
    for place in range(rows.shape[1]):
        rows[number, place] = rows[start, place]
    for place in range(words.shape[1]):
        words[number, place] = words[start, place]
    movers[number], plies[number], choices[number] = movers[start], plies[start], choices[start]


@jit_plain
def accept_any(number: int, words: Longs, choices: Ints, num_moves: int) -> None:
    """Mark every move of a game that is over as legal: its next step plays none, whatever the move."""
    for place in range(words.shape[1]):
        words[number, place] = -1
    choices[number] = num_moves


def random_moves(batch: Batch, chances: npt.NDArray[np.float64], games: Longs | None = None) -> Longs:
    """Return a legal move for each game, or only for these games, picked by a number in [0, 1)."""
    if games is None:
        return _random_moves(batch.words, batch.choices, chances)
    return _random_moves(batch.words[games], batch.choices[games], chances)


@jit_plain
def _random_moves(words: Longs, choices: Ints, chances: npt.NDArray[np.float64]) -> Longs:
    """Find the moves without branches, which would be mispredicted."""
    moves = np.empty(len(chances), np.int64)
    for number in range(len(chances)):
        left: Any = np.int64(chances[number] * choices[number])
        place = passed = seen = 0
        for earlier in range(words.shape[1] - 1):
            seen += count_bits(words[number, earlier])
            place += seen <= left
            passed = seen if seen <= left else passed
        left -= passed
        word, move, half = words[number, place], place << WORD_SHIFT, WORD_BITS >> 1
        while half:
            inside = count_bits(word & ((1 << half) - 1))
            skipped = half if inside <= left else 0
            left -= inside if inside <= left else 0
            move += skipped
            word >>= skipped
            half >>= 1
        moves[number] = move
    return moves
