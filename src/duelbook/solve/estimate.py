"""An early estimate of the size of a game, from random games: one that is clearly too large is refused soon."""

import random
import time
from functools import lru_cache
from statistics import quantiles
from typing import Any, NamedTuple

from duelbook.game import AnyGame, canonical_or_same
from duelbook.solve.budget import TooLargeError, TooLargeFactory

SAMPLE_GAMES = 40  # random games that show how many moves there are and how long a game is
SAMPLE_PLIES = 200
GAMES_BETWEEN_CHECKS = 100
MEASURED_PARTS = (0.5, 0.75)  # of a game, where there are most states: those of its end may be few
ESTIMATE_SECONDS = 5.0  # of computing, after which the estimate has nothing to say
MANY_REPEATS = 30  # so many repeats show how large a game is


class Sample(NamedTuple):
    """What a few random games show."""

    moves: float  # the mean number of legal moves
    lengths: list[int]  # plies


def mean_moves(game: AnyGame) -> float:
    """Return the mean number of legal moves in a few random games."""
    return _sample_games(game).moves


@lru_cache(maxsize=8)
def _sample_games(game: AnyGame) -> Sample:
    """Play a few random games."""
    rng = random.Random(0)
    counts: list[int] = []
    lengths = []
    for _ in range(SAMPLE_GAMES):
        state = game.initial()
        before = len(counts)
        while len(counts) - before < SAMPLE_PLIES and (legal := list(game.legal_moves(state))):
            counts.append(len(legal))
            state = game.play(state, rng.choice(legal))
        lengths.append(len(counts) - before)
    return Sample(sum(counts) / max(1, len(counts)), lengths)


def check_size(game: AnyGame, limit: int, too_large: TooLargeFactory = TooLargeError) -> None:
    """Raise what `too_large` returns if random games show that the game has more states than the limit.

    In `n` random games there are n(n-1)/2 pairs, and of N states that can be reached in a number of plies at least one
    pair in N meets in the same one. So few repeats show that there are many states. The chance of refusing a game that
    is not too large is below one in a million; a game that nothing is known about is not refused.
    """
    deadline = time.thread_time() + ESTIMATE_SECONDS
    plies = telling_plies(game)
    canonical = canonical_or_same(game)
    rng = random.Random(0)
    seen: dict[int, set[int]] = {ply: set() for ply in plies}
    games = dict.fromkeys(plies, 0)
    played = 0
    while True:
        for _ in range(GAMES_BETWEEN_CHECKS):
            for ply, state in _visit(game, plies, rng):
                games[ply] += 1
                seen[ply].add(hash(canonical(state)))
        played += GAMES_BETWEEN_CHECKS
        repeats = {ply: games[ply] - len(seen[ply]) for ply in plies}
        found = max(at_least(games[ply], repeats[ply]) for ply in plies)
        if found > limit:
            raise too_large(found, f" (an estimate from {played:,} random games)")
        if min(repeats.values()) > MANY_REPEATS or time.thread_time() > deadline:
            return


def telling_plies(game: AnyGame) -> list[int]:
    """Return some numbers of plies that many random games reach."""
    lengths = quantiles(_sample_games(game).lengths, n=4)
    return sorted({int(part * length) for part in MEASURED_PARTS for length in lengths})


def at_least(games: int, repeats: int) -> int:
    """Return how many states there are at least if so many of the games' states are repeats.

    With fewer states, so few repeats have a chance below one in a million (by the Poisson distribution).
    """
    return games * (games - 1) // 2 // (2 * repeats + 14)


def _visit(game: AnyGame, plies: list[int], rng: random.Random) -> list[tuple[int, Any]]:
    """Play a random game and return its states at these plies, as far as it comes."""
    state, found = game.initial(), []
    for ply in range(plies[-1] + 1):
        if ply in plies:
            found.append((ply, state))
        legal = list(game.legal_moves(state))
        if not legal:
            break
        state = game.play(state, rng.choice(legal))
    return found
