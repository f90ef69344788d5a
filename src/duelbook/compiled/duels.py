"""Many games of a learner against an opponent: moves in some of the games, and their start (extra `fast`)."""

from typing import Any

from duelbook.compiled.batch import (
    NO_MOVES,
    REWARDS,
    UNDECIDED,
    Bytes,
    Doubles,
    Flags,
    Ints,
    Longs,
    accept_any,
    start_again,
)
from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import UNKNOWN_MOVE, CompiledGame, jit, jit_plain
from duelbook.compiled.random_numbers import RandomNumbers, next_number

STOPPED = 4  # beside the outcomes: the game was stopped at the ply limit
ANY_SEAT = 2  # beside the seats: it is drawn for each game


@jit
def play_some(
    game: CompiledGame,
    num_moves: int,
    games: Longs,
    moves: Longs,
    rows: Longs,
    movers: Bytes,
    plies: Ints,
    words: Longs,
    choices: Ints,
    shown_options: Longs,
    run: int,
    ply_limit: int,
    seats: Bytes,
    results: Bytes,
    waiting: Longs,
) -> int:
    """Play a move in each of these games, and write the results of those that end: the outcomes, or STOPPED.

    Return in how many the opponent is to move, whose numbers are then in `waiting`; or NO_MOVES or UNKNOWN_MOVE.
    """
    like = game.initial()  # not an argument: numba would confuse the state types of two games with the same structure
    width, count = rows.shape[1], 0
    for place in range(len(games)):
        number = games[place]
        row = rows[number]
        state = game.play(read_state(like, row), moves[place])
        write_state(like, state, row)
        mover = game.mover(state)
        for option in range(shown_options.shape[1]):
            row[width - shown_options.shape[1] + option] = shown_options[mover, option]
        legal = game.mark_legal(state, words[number], num_moves, run)
        if legal == UNKNOWN_MOVE:
            return UNKNOWN_MOVE
        movers[number], choices[number] = mover, legal
        plies[number] += 1
        if legal and plies[number] < ply_limit:  # a game has legal moves exactly while it is undecided
            if mover != seats[number]:
                waiting[count] = number
                count += 1
        else:
            outcome = game.outcome(state).value
            if not legal and outcome == UNDECIDED:
                return NO_MOVES
            results[number] = STOPPED if outcome == UNDECIDED else outcome
    return count


@jit_plain
def start_some(
    games: Longs,
    rows: Longs,
    movers: Bytes,
    plies: Ints,
    words: Longs,
    choices: Ints,
    starts: Ints,
    wanted: Bytes,
    seats: Bytes,
    randoms: RandomNumbers,
    results: Bytes,
    waiting: Longs,
) -> int:
    """Start these games, with the learner in the seat that is wanted. Return in how many the opponent moves first."""
    count = 0
    for number in games:
        start_again(number, rows, movers, plies, words, choices, starts)
        seats[number] = wanted[number] if wanted[number] != ANY_SEAT else next_number(randoms, number, 2)
        results[number] = UNDECIDED
        if movers[number] != seats[number]:
            waiting[count] = number
            count += 1
    return count


@jit_plain
def accept_any_in(games: Longs, words: Longs, choices: Ints, num_moves: int) -> None:
    """Mark every move of these games as legal (see `accept_any`)."""
    for number in games:
        accept_any(number, words, choices, num_moves)


@jit_plain
def write_results(
    results: Bytes,
    over: Flags,
    seats: Bytes,
    rewards: Doubles,
    outcomes: Bytes,
    terminated: Flags,
    truncated: Flags,
) -> None:
    """Write the rewards of the learner and how the games stand that were not over before."""
    for number in range(len(results)):
        result: Any = UNDECIDED if over[number] else results[number]
        outcome: Any = UNDECIDED if result == STOPPED else result
        outcomes[number], rewards[number] = outcome, REWARDS[seats[number], outcome]
        terminated[number], truncated[number] = outcome != UNDECIDED, result == STOPPED
