"""Many games at once in arrays: each step plays one move in every game, compiled from the rules (extra `fast`)."""

from itertools import pairwise
from math import gcd
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.kernel import (
    BIT_PLACE,
    MAX_RUN,
    UNKNOWN_MOVE,
    WORD_BITS,
    WORD_SHIFT,
    CompiledGame,
    count_bits,
    jit,
    jit_plain,
    read_state,
    write_eight_bytes,
    write_state,
)
from duelbook.contract import BrokenRulesError
from duelbook.features import NO_SYMBOL, numbers_of, shown_options
from duelbook.game import AnyGame, Outcome, finds_moves

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

UNDECIDED = Outcome.UNDECIDED.value
REWARDS = np.array([[1, -1, 0, 0], [-1, 1, 0, 0]], np.float64)  # by the seat that moved and the outcome
NO_GAME = -1
NO_MOVES = -1  # what a step returns, as UNKNOWN_MOVE, if the rules break the contract
MASKS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view(np.int64)  # for eight moves
NO_PARTS = np.empty((0, 6), np.int64)
BLOCK_GAMES = 16  # that are played and shown together, since what is written of them fits into the cache
FIRST_PLIES = 5  # that show how legal moves follow each other


class Batch(NamedTuple):
    """The current states, one row per game, and one more row at the end: the initial state, for games that restart."""

    game: AnyGame
    rows: Longs  # the numbers of the state, then those of `shown_options` for its mover
    movers: Bytes
    plies: Ints
    words: Longs  # the legal moves as bits: WORD_BITS in a word, the lowest bit first
    choices: Ints  # the number of legal moves
    shown_options: Longs  # the options that a learner sees, for each mover (see `duelbook.features.shown_options`)
    parts: Longs  # of the vectors that show the states (see `duelbook.features.ObservedPart`)
    run: int  # how many legal moves follow each other: a guess

    @property
    def legal(self) -> Bytes:
        """The masks of all rows: 1 for each legal move."""
        return np.unpackbits(
            self.words.astype("<i8").view(np.uint8), axis=1, count=self.game.num_moves, bitorder="little"
        ).view(np.int8)


class Turn(NamedTuple):
    """What a step writes, one row per game."""

    vectors: Floats  # what the next mover sees, unless the width is 0
    masks: Bytes  # 1 for each legal move, unless the width is 0
    movers: Bytes  # who moves next
    rewards: Doubles  # for the player who moved: 1 for a win, -1 for a loss
    outcomes: Bytes
    terminated: Flags  # decided
    truncated: Flags  # stopped at the ply limit

    def part(self, games: slice) -> "Turn":
        """Return the rows of these games."""
        arrays: list[Any] = [array[games] for array in self]
        return Turn(*arrays)


class Finals(NamedTuple):
    """The final states of the games that are over after a step, only of these."""

    rows: Longs
    movers: Bytes


def new_turn(count: int, elements: int = 0, num_moves: int = 0) -> Turn:
    """Return arrays for a step of so many games, without contents. Masks need the number of moves of the game."""
    return Turn(
        vectors=np.empty((count, elements), np.float32),
        masks=np.empty((count, num_moves), np.int8),
        movers=np.empty(count, np.int8),
        rewards=np.empty(count, np.float64),
        outcomes=np.empty(count, np.int8),
        terminated=np.empty(count, np.bool_),
        truncated=np.empty(count, np.bool_),
    )


def new_batch(game: AnyGame, count: int, parts: Longs = NO_PARTS) -> Batch:
    """Return a batch of new games."""
    state, count = game.initial(), count + 1
    moves = list(game.legal_moves(state))
    row = np.array([*numbers_of(state), *shown_options(game, game.mover(state))], np.int64)
    legal = np.zeros(-(-game.num_moves // WORD_BITS) * WORD_BITS, np.uint8)
    legal[moves] = 1
    return Batch(
        game=game,
        rows=np.tile(row, (count, 1)),
        movers=np.full(count, game.mover(state), np.int8),
        plies=np.zeros(count, np.int32),
        words=np.tile(np.packbits(legal, bitorder="little").view("<i8").astype(np.int64), (count, 1)),
        choices=np.full(count, len(moves), np.int32),
        shown_options=np.array([shown_options(game, 0), shown_options(game, 1)], np.int64),
        parts=parts,
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
    return max(run for run in range(1, MAX_RUN + 1) if gcd(*lengths) % run == 0)


def step(batch: Batch, moves: Longs, ply_limit: int, turn: Turn) -> Finals:
    """Play a legal move in each game, and restart the games that are over. The batch is changed in place."""
    game, rows, movers = batch.game, np.empty_like(batch.rows), np.empty(len(moves), np.int8)
    count = _step(game, game.num_moves, moves, *batch[1:], ply_limit, *turn, rows, movers)
    if count == NO_MOVES:
        raise BrokenRulesError(game, "a game is undecided, but no move is legal.", None)
    if count == UNKNOWN_MOVE:
        raise BrokenRulesError(game, f"a legal move is not in the range from 0 to {game.num_moves - 1}.", None)
    return Finals(rows[:count], movers[:count])


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
    shown_options: Longs,
    parts: Longs,
    run: int,
    ply_limit: int,
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
    over, start, width = 0, len(moves), rows.shape[1]
    for first in range(0, start, BLOCK_GAMES):
        end = min(first + BLOCK_GAMES, start)
        for number in range(first, end):
            row = rows[number]
            state = game.play(read_state(like, row), moves[number])
            write_state(like, state, row)
            mover = game.mover(state)
            for place in range(shown_options.shape[1]):
                row[width - shown_options.shape[1] + place] = shown_options[mover, place]
            count = game.mark_legal(state, words[number], num_moves, run)
            if count == UNKNOWN_MOVE:
                return UNKNOWN_MOVE
            outcome, moved = UNDECIDED, movers[number]
            if count and plies[number] + 1 < ply_limit:  # a game has legal moves exactly while it is undecided
                movers[number], choices[number] = mover, count
                plies[number] += 1
            else:
                outcome = game.outcome(state).value
                if not count and outcome == UNDECIDED:
                    return NO_MOVES
                final_movers[over] = mover
                for place in range(width):
                    final_rows[over, place] = row[place]
                    row[place] = rows[start, place]
                for place in range(words.shape[1]):
                    words[number, place] = words[start, place]
                movers[number], choices[number] = movers[start], choices[start]
                plies[number] = 0
                over += 1
            outcomes[number], rewards[number], next_movers[number] = outcome, REWARDS[moved, outcome], movers[number]
            terminated[number], truncated[number] = outcome != UNDECIDED, outcome == UNDECIDED and plies[number] == 0
        write_vectors(rows, parts, vectors, first, end)
        write_masks(words, masks, first, end)
    return over


def random_moves(batch: Batch, chances: npt.NDArray[np.float64]) -> Longs:
    """Return a legal move for each game, picked by a number in [0, 1)."""
    return _random_moves(batch.words, batch.choices, chances)


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


@jit_plain
def first_illegal(words: Longs, num_moves: int, moves: Longs) -> int:
    """Return the number of the first game whose move is not legal, or NO_GAME."""
    for number in range(len(moves)):
        move = moves[number]
        if not (0 <= move < num_moves and words[number, move >> WORD_SHIFT] >> (move & BIT_PLACE) & 1):
            return number
    return NO_GAME


@jit_plain
def write_masks(words: Longs, masks: Bytes, first: int, end: int) -> None:
    """Write the masks of these games: 1 for each legal move, eight moves at once."""
    num_moves = masks.shape[1]
    for game in range(first, end):
        mask = masks[game]
        for place in range(num_moves >> WORD_SHIFT):
            word, start = words[game, place], place << WORD_SHIFT
            for bit in range(0, WORD_BITS, 8):
                write_eight_bytes(mask, start + bit, MASKS_OF_BYTES[word >> bit & 255])
        word = words[game, words.shape[1] - 1]  # that may be used in part
        for move in range(num_moves & ~BIT_PLACE, num_moves - 7, 8):
            write_eight_bytes(mask, move, MASKS_OF_BYTES[word >> (move & BIT_PLACE) & 255])
        for move in range(num_moves & -8, num_moves):
            mask[move] = word >> (move & BIT_PLACE) & 1


@jit_plain
def write_vectors(rows: Longs, parts: Longs, vectors: Floats, first: int, end: int) -> None:
    """Write the vectors of these games (see `duelbook.features.ObservedPart`).

    Places are unsigned, since numba would look for negative ones, which count from the end.
    """
    games: Any = range(np.uint64(first), np.uint64(end))
    vectors[first:end] = 0
    for part in range(len(parts)):
        found_in, shift, mask, symbol, first_place, count = parts[part]
        number, start, length = np.uint64(found_in), np.uint64(first_place), np.uint64(count)
        if symbol != NO_SYMBOL:
            for game in games:
                place = np.uint64((rows[game, number] >> shift & mask) - symbol)
                inside = place < length  # also false below 0
                vectors[game, start + (place if inside else np.uint64(0))] = np.float32(inside)  # without a branch
        else:
            for game in games:
                found = rows[game, number] >> shift
                for bit in range(count):
                    vectors[game, start + np.uint64(bit)] = found >> bit & mask
