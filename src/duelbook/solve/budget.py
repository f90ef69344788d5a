"""How large a game may be to be solved: the memory that solving it may take, and an early estimate of its size."""

import os
import random
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, canonical_form
from duelbook.text import shorten

VARIABLE = "DUELBOOK_SOLVE_MEGABYTES"
MAX_MEGABYTES = 999_999_999
MEGABYTE = 1_000_000
MEMORY_SHARE = 16  # by default, solving may take one part in so many of this machine's memory, but at least
MIN_MEMORY_BYTES = 500_000_000
UNKNOWN_MEMORY_BYTES = 8_000_000_000  # assumed where the system does not say how much there is
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container

STATE_BYTES = {True: 64, False: 300}  # while a game is solved, in compiled code and without; measured, rounded up
MOVE_BYTES = 10  # while a game is solved, for each move in each state

SAMPLE_GAMES = 40  # random games that show how many moves there are and how long a game is
SAMPLE_PLIES = 200
GAMES_BETWEEN_CHECKS = 100
MEASURED_PARTS = (0.5, 0.75)  # of a game, where there are most states: those of its end may be few
ESTIMATE_SECONDS = 5.0  # of computing, after which the estimate has nothing to say
MANY_REPEATS = 30  # so many repeats show how large a game is


class TooLargeError(RefusedError):
    """The game has more states than can be solved in the memory that may be used."""

    def __init__(self, states: int | None = None, source: str = "") -> None:
        size = f"It has more than {states:,} states{source}. " if states else ""
        super().__init__(
            f"This game is too large to be solved. {size}Try smaller options, or allow more memory with {VARIABLE}=N."
        )


class Sample(NamedTuple):
    """What a few random games show."""

    moves: float  # the mean number of legal moves
    lengths: list[int]  # plies


def memory_budget() -> int:
    """Return how many bytes solving a game may take: a share of the memory, or what the environment says."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return max(MIN_MEMORY_BYTES, machine_memory() // MEMORY_SHARE)
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise RefusedError(f"{VARIABLE} must be a whole number, not '{shorten(text)}'.")
    check_range(VARIABLE, int(text), 1, MAX_MEGABYTES)
    return int(text) * MEGABYTE


def machine_memory() -> int:
    """Return the bytes of memory that this process can use."""
    found = UNKNOWN_MEMORY_BYTES
    with suppress(AttributeError, ValueError, OSError):  # not every system has them
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(ValueError, OSError):  # no container, or `max`
        found = min(found, int(CGROUP_LIMIT.read_text()))
    return found


def state_limit(game: AnyGame, *, compiled: bool = False) -> int:
    """Return how many states of the game can be solved within the budget, in compiled code or without."""
    return int(memory_budget() // (STATE_BYTES[compiled] + MOVE_BYTES * _sample_games(game).moves))


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


def check_size(game: AnyGame, limit: int) -> None:
    """Raise TooLargeError if random games show that the game has more states than the limit.

    In `n` random games there are n(n-1)/2 pairs, and of N states that can be reached in a number of plies at least one
    pair in N meets in the same one. So few repeats show that there are many states. The chance of refusing a game that
    is not too large is below one in a million; a game that nothing is known about is not refused.
    """
    deadline = time.thread_time() + ESTIMATE_SECONDS
    lengths = quantiles(_sample_games(game).lengths, n=4)
    plies = sorted({int(part * length) for part in MEASURED_PARTS for length in lengths})
    canonical = canonical_form(game) or (lambda state: state)
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
            raise TooLargeError(found, f" (an estimate from {played:,} random games)")
        if min(repeats.values()) > MANY_REPEATS or time.thread_time() > deadline:
            return


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
